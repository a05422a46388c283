"""The pictures of lesson 02: counted by the real store, nothing overlaps or leaves the sheet."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from alembic_sim.teaching.pictures.memory_characters import A_ROW, draw_memory_characters
from alembic_sim.teaching.pictures.prompt_prefix import draw_prompt_prefix, read_anew
from alembic_sim.teaching.svg import Svg
from tests.teaching.svg_reading import all_words, outside, overlapping, parse, texts

RULES = "You are a careful agent. " * 100
GROWING = [RULES + "a turn of words. " * 40 * turn for turn in range(1, 5)]
MOVED = [f"{turn} {request}" for turn, request in enumerate(GROWING)]

PICTURES: dict[str, Callable[[], Svg]] = {
    "characters, it fits": lambda: draw_memory_characters(["Test first."], "Ask Ana.", 24),
    "characters, one over": lambda: draw_memory_characters(["Test first."], "Ask Ana 11.", 24),
    "characters, the first note": lambda: draw_memory_characters([], "Be kind.", 40),
    "characters, several rows": lambda: draw_memory_characters(
        ["Test first.", "m" * 40, "<&> and § and 🧪"], "Be kind.", 90
    ),
    "characters, no limit to speak of": lambda: draw_memory_characters([], "Be kind.", 0),
    "prefix": lambda: draw_prompt_prefix({"frozen": GROWING, "follows each write": MOVED}),
    "prefix, a long name": lambda: draw_prompt_prefix({"a session of many words " * 5: GROWING}),
    "prefix, very small": lambda: draw_prompt_prefix({"tiny": ["a", "ab", ""]}),
    "prefix, nothing": lambda: draw_prompt_prefix({}),
}


@pytest.fixture(params=PICTURES, ids=str)
def draw(request: pytest.FixtureRequest) -> Callable[[], Svg]:
    found: Callable[[], Svg] = PICTURES[request.param]
    return found


def test_no_text_is_written_over_another_or_leaves_the_sheet(draw: Callable[[], Svg]) -> None:
    assert overlapping(draw()) == []
    assert outside(draw()) == []


def test_it_is_told_in_words_and_the_same_each_time(draw: Callable[[], Svg]) -> None:
    svg, root = draw(), parse(draw())
    assert root.get("role") == "img"
    assert svg.summary.endswith(".")
    assert draw().markup == svg.markup


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("Ask Ana 10", "with it the file would hold 24. The store says: added."),
        ("Ask Ana 11.", "would hold 25. The store says: refused (over-budget)."),
        ("Test first.", "would hold 11. The store says: reinforced."),
        ("a\n§\nb", "The store says: refused (delimiter-in-content)."),
    ],
)
def test_the_store_decides_and_the_picture_counts(note: str, told: str) -> None:
    assert draw_memory_characters(["Test first."], note, 24).summary.endswith(told)


def test_each_character_has_a_cell_and_the_delimiter_three() -> None:
    picture = draw_memory_characters(["ab"], "cd", 10)
    cells = [one.words for one in texts(picture) if len(one.words) == 1]
    assert cells == ["a", "b", "⏎", "§", "⏎", "c", "d"]


def test_the_edge_lies_behind_the_last_character_allowed() -> None:
    for limit in (7, A_ROW, A_ROW + 1):
        root = parse(draw_memory_characters([], "n" * 40, limit))
        [edge] = [one for one in root.iter() if one.get("stroke-width") == "3"]
        x, _ = (edge.get("points") or "").split()[0].split(",")
        assert float(x) == 16 + ((limit - 1) % A_ROW + 1) * 22


def test_a_frozen_prompt_costs_the_new_turn_and_a_moved_one_the_whole() -> None:
    turn = len("a turn of words. " * 40)
    assert read_anew(GROWING) == (len(GROWING[0]), turn, turn, turn)
    assert read_anew(MOVED) == tuple(map(len, MOVED))
    assert read_anew([]) == ()


def test_the_sums_stand_in_the_picture() -> None:
    picture = draw_prompt_prefix({"frozen": ["abc", "abcde"], "moved": ["abc", "xabc"]})
    assert picture.summary == (
        "frozen: 3, 2 characters read anew, 5 in all. moved: 3, 4 characters read anew, 7 in all."
    )
    assert "5 characters read anew in all" in all_words(picture)
    assert "2 of 5" in all_words(picture)
