"""Every widget in a notebook of its own, used as a learner uses it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.browser.notebook_page import NotebookPage
from tests.browser.watching import Watch
from tests.cli.test_lab import RunningLab

SCRIPT = "<script>alert(1)</script>"
IMAGE = "<img src=x onerror=alert(2)>"  # a script in a text that becomes HTML later never runs
CELLS = [
    "from alembic_sim import CuratorPolicy\n"
    "from alembic_sim.teaching import *\n"
    "from alembic_sim.teaching.pictures.idle_bands import draw_idle_bands\n"
    "from alembic_sim.teaching.probing import idle_skill",
    "IdleTimeline(idle_days=45)",
    "NextStateStepper()",
    "LoopStepper()",
    "GateDial()",
    "SnapshotView()",
    "Flashcards([('Who is not asked?', 'The proposer.'), ('A score of 0.7?', 'Approved.')])",
    "Predict('How many copies?')",
    "Predict('Which bucket?', ['applied', 'rejected', 'failed'])",
    f"skills = {{{SCRIPT!r}: idle_skill(45), {IMAGE!r}: idle_skill(20)}}\n"
    "Compare.policies(skills, CuratorPolicy(), CuratorPolicy(14, 60))",
    "draw_idle_bands(skills)",
    f"Predict({IMAGE!r}, [{SCRIPT!r}, {IMAGE!r}])",
    f"Flashcards([({IMAGE!r}, {SCRIPT!r})])",
]


@pytest.fixture(scope="module")
def notebook(lab: RunningLab, open_notebook: Callable[[str], NotebookPage]) -> NotebookPage:
    cells: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": f"cell-{place}",
            "metadata": {},
            "outputs": [],
            "source": source,
        }
        for place, source in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    document = {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (lab.folder / "widgets.ipynb").write_text(json.dumps(document), encoding="utf-8")
    opened = open_notebook("widgets.ipynb")
    opened.run_all()
    opened.screenshots("widgets")
    return opened


def test_all_of_them_are_shown_and_none_is_cut_off(notebook: NotebookPage) -> None:
    assert notebook.errors() == []
    assert notebook.complaints() == []
    assert notebook.seen_pictures() == len(CELLS) - 1
    assert notebook.cut_off() == []


def test_a_skill_named_like_a_script_is_shown_as_text(notebook: NotebookPage, watch: Watch) -> None:
    compare = notebook.widget("Only what differs")
    assert IMAGE in compare.said()
    compare.shows("<script>alert(1)</scri", "onerror=alert(2)>")
    cell = notebook.cell(f"Predict({IMAGE!r}")
    cell.widget.choose("Your prediction", SCRIPT)
    cell.widget.shows(IMAGE, SCRIPT, f"Your prediction: {SCRIPT}")
    card = notebook.cell(f"Flashcards([({IMAGE!r}").widget
    card.press("Flip")
    card.shows(IMAGE, SCRIPT)
    notebook.screenshot("widgets-hostile", card.output)
    assert notebook.page.locator(".jp-OutputArea-output :is(script, img[src='x'])").count() == 0
    assert watch.dialogs == []


def test_every_control_is_reached_by_the_tab_key(notebook: NotebookPage) -> None:
    stepper = notebook.widget("State before the pass")
    stepper.box("Idle days").focus()
    reached = []
    for _ in range(8):
        reached.append(notebook.page.evaluate("document.activeElement.outerHTML"))
        notebook.page.keyboard.press("Tab")
    signs = ('type="number"', 'role="slider"', 'type="checkbox"', *["<select"] * 3)
    for html, sign in zip(reached, (*signs, "Step", "Back"), strict=True):
        assert sign in html


def test_a_button_is_pressed_by_enter_and_by_space(notebook: NotebookPage) -> None:
    view = notebook.widget("Add a note")
    view.output.get_by_role("button", name="Add a note").focus()
    notebook.page.keyboard.press("Enter")
    view.shows("1 written", "behind: 1")
    notebook.page.keyboard.press("Space")
    view.shows("2 written", "behind: 2")
    view.press("Next session")
    view.shows("session 2", "behind: 0")
    notebook.screenshot("widgets-snapshot", view.output)


def test_no_request_has_left_the_machine(
    notebook: NotebookPage, watch: Watch, lab: RunningLab
) -> None:
    assert len(watch.urls) > 50
    assert any(url.startswith("ws://") for url in watch.urls)
    assert watch.strangers() == []
    peers = {
        connection.raddr.ip
        for process in lab.descendants()
        for connection in process.net_connections(kind="inet")
        if connection.raddr
    }
    assert peers <= {"127.0.0.1"}, "the server and its kernels talk to nobody else"
