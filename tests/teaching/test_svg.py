"""The Svg value and its helpers: escaped, stable, readable without eyes and without colour."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alembic_sim.teaching import palette
from alembic_sim.teaching.palette import BUCKET_MARKS, INK, MUTED, PAPER, STATE_MARKS, Mark
from alembic_sim.teaching.svg import (
    COLUMNS,
    Svg,
    fit,
    image,
    marker,
    number,
    picture,
    text_width,
    words,
    words_on_paper,
    wrap,
)
from tests.teaching.svg_reading import held

HOSTILE = "<script>alert(1)</script>"


def draw(text: str) -> Svg:
    return picture(text, text, 40, words(4, 20, text), words_on_paper(4, 36, text))


@given(st.text(alphabet=st.characters(codec=None)))
@example(HOSTILE)
@example("\x00\x08\x1b[31m \ud800 \uffff")
@example("]]> & \" ' <!-- --> &amp;")
def test_whatever_comes_from_data_is_text_and_the_picture_stays_well_formed(text: str) -> None:
    root = ElementTree.fromstring(draw(text).markup.encode("utf-8"))
    assert {element.tag.split("}")[1] for element in root.iter()} == {
        "svg",
        "title",
        "desc",
        "rect",
        "text",
    }


def test_a_script_in_a_name_is_shown_as_text() -> None:
    markup = draw(HOSTILE).markup
    assert "<script" not in markup
    assert markup.count("&lt;script&gt;") == 6  # title, desc, two in the label, two texts


def test_a_notebook_gets_an_image_with_its_words_and_everything_else_the_words() -> None:
    svg = picture("A title", "What it shows.", 40)
    bundle = svg._repr_mimebundle_()
    assert bundle.keys() == {"text/html", "text/plain"}
    assert bundle["text/plain"] == repr(svg) == svg.text() == "What it shows."
    assert bundle["text/html"].startswith('<img alt="What it shows." style=')
    assert "max-width:100%" in bundle["text/html"]
    assert held(bundle["text/html"]) == svg.markup


@given(st.text())
def test_an_image_holds_the_picture_whatever_is_in_it(text: str) -> None:
    svg = picture(text, text, 40, words(0, 10, text))
    assert held(image(svg)) == svg.markup


@pytest.mark.parametrize(
    "text", ["it's", "50% #1", "a\nb\tc\rd", "%0A", '"&quot;"', "<img src='x'>"]
)
def test_an_image_holds_signs_that_mean_something_in_html_or_in_an_address(text: str) -> None:
    svg = picture(text, text, 40, words(0, 10, text))
    assert held(image(svg)) == svg.markup


def test_what_is_printed_is_in_lines_that_fit_a_narrow_page() -> None:
    svg = picture("A title", "many words " * 20 + "end.", 40)
    lines = svg.text().split("\n")
    assert max(map(len, lines)) <= COLUMNS
    assert " ".join(svg.text().split()) == svg.summary
    assert all(line.startswith(("  many ", "  words ")) for line in lines[1:])


def test_a_screen_reader_finds_role_label_title_and_description() -> None:
    markup = picture("A title", "What it shows.", 40).markup
    assert 'role="img"' in markup
    assert 'aria-label="A title. What it shows."' in markup
    assert "<title>A title</title><desc>What it shows.</desc>" in markup


def test_the_sheet_brings_its_own_light_paper_and_no_ids() -> None:
    markup = picture("t", "s", 40, words(1, 20, "x")).markup
    paper = f'<rect x="0" y="0" width="700" height="40" rx="8" fill="{PAPER}"/>'
    assert markup.index(paper) < markup.index("<text")
    assert not re.search(r"\bid=", markup)


@pytest.mark.parametrize(
    ("value", "written"),
    [(1.0, "1"), (1.04, "1"), (0.1 + 0.2, "0.3"), (-0.04, "0"), (1 / 3, "0.3"), (12, "12")],
)
def test_numbers_are_rounded_so_that_machines_agree(value: float, written: str) -> None:
    assert number(value) == written


@given(st.text(max_size=60), st.floats(min_value=20, max_value=400))
def test_a_fitted_text_fits(text: str, width: float) -> None:
    assert text_width(fit(text, width), size=12) <= width
    assert all(text_width(line, size=12) <= width for line in wrap(text, width))


def test_a_short_text_is_left_whole_and_wrapping_keeps_every_word() -> None:
    assert fit("short", 100) == "short"
    assert fit("a text that is too long for this", 60).endswith("…")
    text = "one two three four five"
    assert len(wrap(text, 60)) > 1
    assert " ".join(wrap(text, 60)) == text


@pytest.mark.parametrize("marks", [STATE_MARKS, BUCKET_MARKS], ids=["states", "buckets"])
def test_within_one_picture_no_two_meanings_share_a_shape(marks: dict[str, Mark]) -> None:
    assert len({mark.shape for mark in marks.values()}) == len(marks)
    drawn = {re.sub('fill="[^"]*"', "", marker(0, 0, mark)) for mark in marks.values()}
    assert len(drawn) == len(marks)  # without their colours they still differ


def luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_text_stands_out_from_every_ground_it_is_written_on() -> None:
    grounds = [PAPER, palette.SHADE]
    grounds += [mark.tint for marks in (STATE_MARKS, BUCKET_MARKS) for mark in marks.values()]
    for ground in grounds:
        assert contrast(INK, ground) >= 7
        assert contrast(MUTED, ground) >= 4.5


def test_the_palette_is_okabe_and_ito_s() -> None:
    theirs = {"#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7"}
    marks = [*STATE_MARKS.values(), *BUCKET_MARKS.values()]
    assert {mark.colour for mark in marks} <= theirs
    assert all(one != other for one, other in combinations(STATE_MARKS.values(), 2))
