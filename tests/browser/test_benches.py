"""The two benches in the learner's hands: wrappers around a model (01), a disk that fails (05)."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.lessons_in_browser import Lesson


def test_a_disk_is_failed_by_number_by_drag_and_by_choice(lesson: Callable[[int], Lesson]) -> None:
    page = lesson(5).page
    bench = page.widget("Fail operation")
    bench.choose("Written", "by the store")
    bench.type("Fail operation", "8")
    bench.choose("What happens", "the power goes")
    bench.shows("nothing: the power is off", "3 uses, or 4 uses", "Nothing is lost.")
    bench.choose("Written", "in place")
    bench.drag("Fail operation", to=1.0)
    bench.shows("or unreadable", "Uses can be lost.")
    assert "uses are lost" in bench.said()
    page.screenshot("lesson-05-bench", bench.output)


def test_wrappers_change_places_and_the_answers_follow(lesson: Callable[[int], Lesson]) -> None:
    page = lesson(1).page
    bench = page.widget("Calls that fail")
    bench.type("Calls that fail", "0")
    bench.shows("6 of 6 requests end in Ok")
    bench.type("Attempts of retry", "1")
    bench.type("Calls that fail", "2")
    bench.shows("4 of 6 requests end in Ok")
    page.screenshot("lesson-01-bench", bench.output)
