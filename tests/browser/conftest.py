"""What the browser tests share: one JupyterLab, one Chromium, and an eye on what leaves a page.

Plain `pytest` leaves this folder out; `pytest tests/browser` runs it. Without a browser every test
is skipped and one line says so; with `ALEMBIC_SIM_BROWSER=required`, as CI sets it, that is red.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.lessons_in_browser import Lesson, open_lesson
from tests.browser.notebook_page import NotebookPage
from tests.browser.watching import Watch
from tests.cli.test_lab import RunningLab, running_lab

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

ROOT = Path(__file__).parents[2]
SCREENSHOTS = ROOT / "screenshots"
CHROMIUM = shutil.which("chromium")
CHROMIUM_OPTIONS = [
    "--no-sandbox",  # it refuses to run as root with one
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Whatever a page asks for, it is not found outside of this machine.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
SECONDS = 30
FACTS = pytest.StashKey[list[str]]()


def what_is_missing() -> str | None:
    """What the browser tests need and do not have, with its remedy; None if all is there."""
    if CHROMIUM is None:
        return "there is no chromium on the path (Debian, Ubuntu: apt-get install chromium)"
    if find_spec("playwright") is None:
        return "there is no playwright (pip install -e '.[browser]')"
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = what_is_missing()
    if missing is None:
        return
    if os.environ.get("ALEMBIC_SIM_BROWSER") == "required":
        raise pytest.UsageError(f"Browser tests are required here, but {missing}")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=missing))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    missing = what_is_missing()
    if missing is not None:
        terminalreporter.write_line(f"Browser tests skipped: {missing}")
    for fact in config.stash.get(FACTS, []):
        terminalreporter.write_line(fact)


@pytest.fixture(scope="session")
def tell(pytestconfig: pytest.Config) -> Callable[[str], None]:
    """Says a measured fact at the end of the run, whatever pytest captures."""
    return pytestconfig.stash.setdefault(FACTS, []).append


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningLab]:
    """Our own command, in a folder and with a home of its own."""
    folder = tmp_path_factory.mktemp("browser") / "lessons"
    with running_lab(folder, "--no-browser") as running:
        yield running


@pytest.fixture(scope="session")
def watch() -> Watch:
    """What the pages asked for, from the first one on."""
    return Watch()


@pytest.fixture(scope="session")
def browser_window(watch: Watch) -> Iterator[BrowserContext]:
    """One Chromium, with one window of an ordinary laptop's size."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_OPTIONS)
        window = chromium.new_context(viewport={"width": 1280, "height": 900})
        window.set_default_timeout(SECONDS * 1000)
        watch.over(window)
        yield window
        chromium.close()


@pytest.fixture(scope="session")
def open_notebook(lab: RunningLab, browser_window: BrowserContext) -> Callable[[str], NotebookPage]:
    """Opens a notebook of the lab's folder in a tab of its own, every cell in place."""

    def open_it(name: str) -> NotebookPage:
        return NotebookPage.open(browser_window.new_page(), lab, name, SCREENSHOTS)

    return open_it


@pytest.fixture(scope="session")
def lesson(open_notebook: Callable[[str], NotebookPage]) -> Callable[[int], Lesson]:
    """A lesson by its number: opened, looked at, then run whole, once for all tests; in front."""
    opened = cache(partial(open_lesson, open_notebook))

    def in_front(number: int) -> Lesson:
        lesson = opened(number)
        lesson.page.page.bring_to_front()  # Chromium lets a tab behind another one fall asleep
        return lesson

    return in_front


@pytest.fixture(autouse=True)
def nothing_odd_happened(watch: Watch) -> Iterator[None]:
    """Whatever a test did: no stranger was asked, no dialog opened, no script of a page broke."""
    yield
    assert watch.odd_news() == []
