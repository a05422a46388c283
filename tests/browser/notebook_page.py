"""NotebookPage: a notebook in JupyterLab as a learner sees it, and what a learner does with it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser.widget_on_page import WidgetOnPage, outputs_with
from tests.cli.test_lab import RunningLab

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Response

TRIES = 3
STARTED_SECONDS, DONE_SECONDS, PICTURE_SECONDS = 10, 90, 10
TALL = 6000
# A cell whose source is hidden has an empty one.
PROMPTS = (
    "[...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]"
    ".map(prompt => prompt.textContent).filter(text => text !== '')"
)
IDLE = "document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'"
RUNNING = f"{PROMPTS}.some(prompt => prompt.includes('*'))"
MENU = "li.lm-MenuBar-item:has-text('{menu}')"
COMMAND = ".lm-Menu-item[data-command='{command}']"
PICTURES = ", ".join(
    f".jp-Notebook .jp-OutputArea-output {picture}"
    for picture in ("svg[role='img']", "img[src^='data:image/svg+xml']")
)
LAST_CELL_IS_IN_SIGHT = """panel => {
    const bottom = element => element.getBoundingClientRect().bottom;
    return bottom([...panel.querySelectorAll('.jp-Cell')].at(-1)) <= bottom(panel);
}"""
SEEN = """pictures => [...document.querySelectorAll(pictures)].filter(picture =>
    picture.naturalWidth !== 0 && picture.getBoundingClientRect().width > 100).length"""
CUT_OFF = """pictures => {
    const wide = [...document.querySelectorAll(pictures)].filter(picture =>
        picture.getBoundingClientRect().right >
        picture.closest('.jp-OutputArea-output').getBoundingClientRect().right + 1);
    const boxes = [...document.querySelectorAll('.jp-OutputArea-output .widget-box')];
    const scrolled = boxes.filter(box =>
        box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1);
    return [...wide, ...scrolled].map(cut => cut.textContent.slice(0, 60) || cut.tagName);
}"""
SILENT = """pictures => [...document.querySelectorAll(pictures)].filter(picture =>
    !(picture.alt || picture.getAttribute('aria-label'))).length"""
RED_MARKS = """() => [...document.querySelectorAll('.jupyter-widgets-disconnected')].filter(
    widget =>
    !['none', ''].includes(getComputedStyle(widget, '::before').content) &&
    getComputedStyle(widget, '::before').display !== 'none').length"""
NARROW = 1024
BROKEN_LINES = """() => [...document.querySelectorAll('.jp-RenderedText pre')].filter(text => {
    const all = document.createRange();
    all.selectNodeContents(text);
    const height = all.getBoundingClientRect().height;
    const lines = text.textContent.replace(/\\n$/, '').split('\\n').length;
    return height / parseFloat(getComputedStyle(text).lineHeight) > lines + 0.5;
}).map(text => text.textContent.slice(0, 200))"""
# What JupyterLab says in place of a widget that it cannot show.
NO_WIDGET = ("model not found", "Error displaying widget", "Error creating widget")


@dataclass(frozen=True)
class Cell:
    """One code cell: what is typed into it, and what it shows below."""

    page: Page
    box: Locator

    @property
    def prompt(self) -> str:
        """What stands left of it: `[ ]:`, `[*]:`, `[7]:`."""
        return self.box.locator(".jp-InputPrompt").text_content() or ""

    @property
    def output(self) -> str:
        """The text that stands in its outputs; also out of sight, where nothing is drawn."""
        return "\n".join(self.box.locator(".jp-OutputArea-output").all_text_contents())

    @property
    def widget(self) -> WidgetOnPage:
        """The widget that it shows."""
        outputs = self.box.locator(".jp-OutputArea-output")
        return WidgetOnPage(self.page, outputs.filter(has=self.page.locator(".jupyter-widgets")))

    def write(self, source: str) -> None:
        """Puts the source in place of what stood there, through the keyboard's own events."""
        editor = self.box.locator(".cm-content")
        editor.scroll_into_view_if_needed()
        editor.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)

    def run(self) -> None:
        """Shift+Enter, and the wait until its number has changed and all its output is there."""
        before = self.prompt
        self.box.locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")
        self.page.wait_for_function(
            "([cell, before]) => { const now = cell.querySelector('.jp-InputPrompt').textContent;"
            " return now !== before && /\\d/.test(now) }",
            arg=[self.box.element_handle(), before],
        )
        self.page.wait_for_function(IDLE)


class NotebookPage:
    """A tab with one notebook in it."""

    def __init__(self, page: Page, file: Path, screenshots: Path) -> None:
        self.page = page
        self.file = file
        self._screenshots = screenshots

    @classmethod
    def open(cls, page: Page, lab: RunningLab, name: str, screenshots: Path) -> NotebookPage:
        """Opens the notebook as its learner would, and waits until every cell is there."""
        opened = cls(page, lab.folder / name, screenshots)
        page.goto(f"http://127.0.0.1:{lab.port}/lab/tree/{name}?reset&token={lab.token}")
        opened.wait_for_cells()
        return opened

    def wait_for_cells(self) -> None:
        """Waits until the page holds as many cells as the file: it adds them by and by."""
        self.page.wait_for_function(
            "count => document.querySelectorAll('.jp-Notebook .jp-Cell').length === count",
            arg=len(self.stored()["cells"]),
        )

    def stored(self) -> dict[str, Any]:
        """The notebook's file as it is now."""
        document: dict[str, Any] = json.loads(self.file.read_text(encoding="utf-8"))
        return document

    def stored_pictures(self) -> int:
        """How many outputs of the file hold a picture."""
        outputs = (out for cell in self.stored()["cells"] for out in cell.get("outputs", []))
        html = ("".join(output.get("data", {}).get("text/html", "")) for output in outputs)
        return sum("data:image/svg+xml" in one for one in html)

    def seen_pictures(self) -> int:
        """How many pictures outputs show: inside of a widget, or alone (as an image)."""
        seen: int = self.page.evaluate(SEEN, PICTURES)
        return seen

    def wait_for_pictures(self) -> None:
        """Gives the page a while to show what the file holds; a widget needs the kernel first."""
        give_up = time.monotonic() + PICTURE_SECONDS
        while self.seen_pictures() < self.stored_pictures() and time.monotonic() < give_up:
            self.page.wait_for_timeout(100)

    def cut_off(self) -> list[str]:
        """What does not fit: a picture wider than its output, controls that need a scroll bar."""
        found: list[str] = self.page.evaluate(CUT_OFF, PICTURES)
        return found

    def without_words(self) -> int:
        """How many pictures say nothing to those who do not see them."""
        silent: int = self.page.evaluate(SILENT, PICTURES)
        return silent

    def red_marks(self) -> int:
        """How many broken chains ipywidgets draws beside what has no kernel."""
        marks: int = self.page.evaluate(RED_MARKS)
        return marks

    def cut_off_when_narrow(self) -> list[str]:
        """What does not fit at `NARROW`."""
        found: dict[str, None] = {}
        for _ in self._tall(NARROW):
            found |= dict.fromkeys(self.cut_off())
        return list(found)

    def broken_lines_when_narrow(self, name: str) -> list[str]:
        """The printed texts of which a line is broken at `NARROW`; keeps pictures of the page."""
        found: dict[str, None] = {}
        for number in self._tall(NARROW):
            self.screenshot(f"{name}-{number:02}")
            found |= dict.fromkeys(self.page.evaluate(BROKEN_LINES))
        return list(found)

    def complaints(self) -> list[str]:
        """What the page says where it cannot show a widget."""
        return [words for words in NO_WIDGET if self.page.get_by_text(words).count()]

    def wait_for_kernel(self) -> None:
        """Waits until there is a kernel that would answer.

        The page says "idle" also before it has asked for one.
        """
        named = "document.querySelector('.jp-KernelName')?.textContent"
        self.page.wait_for_function(f"!['', 'No Kernel'].includes({named}) && {IDLE}")

    def run_all(self) -> None:
        """Run > Run All Cells, and the wait until all have run.

        In the first seconds JupyterLab may clear the outputs and run nothing: only a prompt with a
        star says that it really began; without one the menu is used again.
        """
        self.wait_for_kernel()
        for _ in range(TRIES):
            self._choose("Run", "runmenu:run-all")
            if self._began():
                break
        self.page.wait_for_function(f"!{RUNNING}", timeout=DONE_SECONDS * 1000)
        unrun = [prompt for prompt in self.prompts() if not any(sign.isdigit() for sign in prompt)]
        assert unrun == [], "a cell has not run:\n" + "\n".join(self.errors())

    def _began(self) -> bool:
        from playwright.sync_api import TimeoutError as TooLong

        try:
            self.page.wait_for_function(RUNNING, polling="raf", timeout=STARTED_SECONDS * 1000)
        except TooLong:
            return False
        return True

    def _choose(self, menu: str, command: str) -> None:
        self.page.locator(MENU.format(menu=menu)).click()
        self.page.locator(COMMAND.format(command=command)).click()

    def save(self) -> None:
        """File > Save Notebook, and the wait until the server has written the file."""
        with self.page.expect_response(_is_a_save) as written:
            self._choose("File", "docmanager:save")
        assert written.value.ok

    def reload(self) -> None:
        """Loads the page anew; the kernel lives on."""
        self.page.reload()
        self.wait_for_cells()
        self.wait_for_kernel()

    def prompts(self) -> list[str]:
        """What stands left of every code cell."""
        prompts: list[str] = self.page.evaluate(PROMPTS)
        return prompts

    def errors(self) -> list[str]:
        """The tracebacks and the warnings that the page shows."""
        kinds = ("error", "stderr")
        mimes = [f"[data-mime-type='application/vnd.jupyter.{kind}']" for kind in kinds]
        return self.page.locator(", ".join(mimes)).all_text_contents()

    def cell(self, holding: str) -> Cell:
        """The first code cell in whose source these words stand."""
        boxes = self.page.locator(".jp-CodeCell")
        editor = self.page.locator(".cm-content", has_text=holding)
        return Cell(self.page, boxes.filter(has=editor).first)

    def widget(self, label: str) -> WidgetOnPage:
        """The first widget with a control or a button of this label."""
        return WidgetOnPage(self.page, outputs_with(self.page, label).first)

    def screenshot(self, name: str, of: Locator | None = None) -> None:
        """Keeps a picture of the page, or of one part of it."""
        self._screenshots.mkdir(exist_ok=True)
        (of or self.page).screenshot(path=self._screenshots / f"{name}.png")

    def screenshots(self, name: str) -> None:
        """Keeps pictures of the whole notebook, from the top down, a tall window each."""
        for number in self._tall():
            self.screenshot(f"{name}-{number:02}")

    def _tall(self, width: int | None = None) -> Iterator[int]:
        """Counts tall windows down the notebook; then the window has its size again."""
        size = self.page.viewport_size
        assert size is not None
        self.page.set_viewport_size({"width": width or size["width"], "height": TALL})
        yield from self._scrolled()
        self.page.set_viewport_size(size)

    def _scrolled(self) -> Iterator[int]:
        """Counts windows while the notebook is scrolled through, each a little over the last."""
        panel = self.page.locator(".jp-WindowedPanel-outer").first
        panel.evaluate("panel => panel.scrollTo(0, 0)")
        for number in range(1, 100):
            self.page.wait_for_timeout(300)  # what comes into sight is drawn only then
            yield number
            if panel.evaluate(LAST_CELL_IS_IN_SIGHT):
                return
            panel.evaluate("panel => panel.scrollBy(0, panel.clientHeight - 60)")


def _is_a_save(reply: Response) -> bool:
    return reply.request.method == "PUT" and "/api/contents/" in reply.url
