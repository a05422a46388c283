"""WidgetOnPage: one displayed widget: its controls, used by mouse and keyboard, and its picture."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SECONDS = 10


@dataclass(frozen=True)
class WidgetOnPage:
    """The output area that holds the widget."""

    page: Page
    output: Locator

    def words(self) -> str:
        """The words in the picture, from its first to its last."""
        return " ".join(self.output.locator("svg text").all_text_contents())

    def said(self) -> str:
        """What a screen reader is told."""
        return self.output.locator("[role='status']").text_content() or ""

    def shows(self, *texts: str) -> None:
        """Waits until the picture is in sight and holds all of these words."""
        self._wait(lambda words: all(text in words for text in texts), f"never showed {texts}")
        assert self.output.locator("svg[role='img']").is_visible()

    def gone(self, text: str) -> None:
        """Waits until these words are in the picture no more."""
        self._wait(lambda words: text not in words, f"never lost {text!r}")

    def _wait(self, holds: Callable[[str], bool], complaint: str) -> None:
        give_up = time.monotonic() + SECONDS
        while not holds(words := self.words()):
            assert time.monotonic() < give_up, f"the picture {complaint}: {words}"
            self.page.wait_for_timeout(20)

    def box(self, label: str) -> Locator:
        """The box, list or switch of this label, found as a screen reader finds it."""
        return self.output.get_by_label(label, exact=True)

    def type(self, label: str, text: str) -> None:
        """Types into a box in place of what it held, and leaves it by Enter."""
        box = self.box(label)
        box.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def choose(self, label: str, option: str) -> None:
        """Chooses one of a list."""
        self.box(label).select_option(option)

    def chosen(self, label: str) -> str:
        """What is chosen of a list; ipywidgets writes hard spaces there."""
        chosen = self.box(label).locator("option:checked").text_content() or ""
        return chosen.replace("\N{NO-BREAK SPACE}", " ")

    def press(self, button: str) -> None:
        """Clicks a button."""
        self.output.get_by_role("button", name=button, exact=True).click()

    def handle(self, label: str) -> Locator:
        """The handle of the slider that stands beside the box of this label."""
        row = self.page.locator(".widget-hbox", has=self.page.get_by_label(label, exact=True))
        return self.output.locator(row).locator(".noUi-handle")

    def drag(self, label: str, to: float) -> None:
        """Drags the slider's handle to a place between its left end (0) and its right end (1)."""
        _x, y = self.grab(label)
        track = self.handle(label).locator("xpath=ancestor::div[contains(@class, 'noUi-base')]")
        ends = track.bounding_box()
        assert ends is not None
        self.page.mouse.move(ends["x"] + ends["width"] * to, y, steps=12)
        self.page.mouse.up()

    def grab(self, label: str) -> tuple[float, float]:
        """Takes hold of the slider's handle; where that is."""
        handle = self.handle(label)
        handle.hover()  # waits until the page has stopped scrolling it into sight
        held = handle.bounding_box()
        assert held is not None
        x, y = held["x"] + held["width"] / 2, held["y"] + held["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        return x, y


def outputs_with(page: Page, label: str) -> Locator:
    """The outputs with a control or a button of this label."""
    labels = page.locator(f".widget-label:text-is({label!r})")
    switches = page.locator(f".widget-checkbox:has-text({label!r})")
    buttons = page.locator(f"button.jupyter-button:text-is({label!r})")
    return page.locator(".jp-OutputArea-output").filter(has=labels.or_(switches).or_(buttons))
