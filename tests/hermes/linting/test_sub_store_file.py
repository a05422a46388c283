"""Lint of a sub-store's lines."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import DAY_MS
from alembic_sim.hermes.linting.sub_store_file import lint_sub_store
from alembic_sim.hermes.memory.sub_record import parse_records

GOOD = json.dumps(
    {"id": "e_1", "agent": "cli", "at": "1970-01-02T00:00:00.000Z", "record": {"n": 1}}
)


def codes(text: str | bytes, now_ms: int = DAY_MS) -> list[tuple[str, int | None]]:
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    return [(one.code, one.line) for one in lint_sub_store("episodic.jsonl", data, now_ms)]


@pytest.mark.parametrize("text", ["", "\n", f"{GOOD}\n", f"{GOOD}\n{GOOD}", f"{GOOD}\n\n{GOOD}\n"])
def test_a_store_in_order_has_no_findings(text: str) -> None:
    assert codes(text) == []


def test_a_last_line_that_was_cut_off_is_torn() -> None:
    assert codes(f"{GOOD}\n{GOOD[:20]}") == [("torn-line", 2)]


def test_a_line_that_ends_but_cannot_be_read_is_damaged_and_hides_no_other() -> None:
    assert codes(f"{GOOD[:20]}\n{GOOD}\n\n[1]\n7\n") == [
        ("damaged-line", 1),
        ("damaged-line", 4),
        ("damaged-line", 5),
    ]
    assert codes(b"\xff\n") == [("damaged-line", 1)]


@pytest.mark.parametrize("field", ["id", "agent", "at", "record"])
def test_a_record_without_one_of_its_fields_is_damaged_and_names_it(field: str) -> None:
    line = json.dumps({**json.loads(GOOD), field: None}).encode("utf-8") + b"\n"
    [finding] = lint_sub_store("e.jsonl", line, DAY_MS)
    assert finding.code == "damaged-line"
    assert finding.message.startswith(f"the line is damaged; skipped (its {field} is not")


def test_a_time_that_is_none_or_later_than_now_is_found() -> None:
    assert codes(GOOD.replace("1970-01-02", "soon")) == [("bad-instant", 1)]
    assert codes(GOOD, DAY_MS - 1) == [("future", 1)]


LINES = st.lists(
    st.binary(max_size=20)
    | st.sampled_from([GOOD.encode(), b"\xef\xbb\xbf" + GOOD.encode(), b"", b" ", b"\r", b"7"])
)


@given(LINES.map(b"\n".join))
def test_exactly_the_lines_that_a_listing_skips_are_found(data: bytes) -> None:
    skipped = [warning.split()[1] for warning in parse_records(data).warnings]
    assert [str(line) for _code, line in codes(data)] == skipped
