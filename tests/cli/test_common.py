"""What every command shares."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.adapters.clock import SystemClock
from alembic_sim.cli.common import (
    bad_usage,
    clock_at,
    data_folder,
    fail,
    home_folder,
    print_json,
    print_line,
    whole_number,
)
from alembic_sim.strict_json import parse_strict_json


@pytest.mark.parametrize(
    ("text", "expected_ms"),
    [
        ("1970-01-01", 0),
        ("1970-01-02T00:00:00Z", 86_400_000),
        ("1970-01-02T00:00:00", 86_400_000),
        ("1970-01-02T02:00:00+02:00", 86_400_000),
        (" 1970-01-01T00:00:01.9999Z ", 1_999),
        ("1970-01-01T01:00:00+01:00", 0),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ],
)
def test_now_is_read_in_utc_and_rounded_down(text: str, expected_ms: int) -> None:
    assert clock_at(text)() == expected_ms


@given(
    st.datetimes(datetime(1970, 1, 1), datetime(9999, 12, 29)),
    st.integers(min_value=-1439, max_value=1439),
)
def test_a_zone_changes_the_clock_and_not_the_instant(naive: datetime, minutes: int) -> None:
    utc = naive.replace(tzinfo=UTC)
    elsewhere = utc.astimezone(timezone(timedelta(minutes=minutes)))
    assert clock_at(elsewhere.isoformat())() == clock_at(naive.isoformat())()


@pytest.mark.parametrize(
    "text",
    [
        *("", "tomorrow", "2025-13-01", "1735689600000", "2025-01-01T25:00"),
        *("1969-12-31T23:59:59.999Z", "1970-01-01T00:59+01:00", "0001-01-01"),  # before 1970
    ],
)
def test_a_bad_now_is_bad_usage_naming_field_value_and_what_is_allowed(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended:
        clock_at(text)
    said = capsys.readouterr()
    assert ended.value.exit_code == 2
    assert said.out == ""
    assert "--now" in said.err
    assert repr(text) in said.err
    assert "from 1970 to 9999, such as" in said.err
    assert "2025-06-30T12:00:00Z" in said.err


def test_without_now_the_command_line_reads_the_wall_clock() -> None:
    assert isinstance(clock_at(None), SystemClock)


def test_the_data_folder_is_the_given_one_else_one_in_the_home_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert data_folder(Path("here")) == Path("here")
    assert data_folder(Path("~/mine")) == tmp_path / "mine"
    assert data_folder(None) == tmp_path / ".alembic-sim"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["1", " 20 ", "65535"])
def test_a_whole_number_within_its_bounds_is_taken(text: str) -> None:
    assert whole_number("--port", text, 1, 65535) == int(text)


@pytest.mark.parametrize(
    "text", ["0", "65536", "-1", "1.0", "1e3", "", "one", "1_0", "１２", "9" * 5000]
)
def test_any_other_number_is_bad_usage(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        whole_number("--port", text, 1, 65535)
    said = capsys.readouterr().err
    assert ended.value.exit_code == 2
    assert said.startswith(f"Error: --port: {text!r} is not allowed.")
    assert said.endswith("Allowed: a whole number from 1 to 65535.\n")


def test_a_failure_is_exit_1_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        fail("the disk is full; free some space")
    assert ended.value.exit_code == 1
    assert capsys.readouterr() == ("", "Error: the disk is full; free some space\n")


def test_bad_usage_is_exit_2_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        bad_usage("--stale", -1, "a finite number of days, 0 or more")
    assert ended.value.exit_code == 2
    said = "Error: --stale: -1 is not allowed. Allowed: a finite number of days, 0 or more.\n"
    assert capsys.readouterr() == ("", said)


def test_json_keeps_the_order_and_every_sign(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"b": "≥ §", "a": [1, None]})
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"b": "≥ §", "a": [1, None]}
    assert printed.index('"b": "≥ §"') < printed.index('"a"')


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_json_never_holds_nan_or_infinity(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        print_json({"anchor": number})


def test_a_long_line_is_never_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    print_line("x" * 500)
    assert capsys.readouterr().out == "x" * 500 + "\n"


def test_a_folder_that_cannot_be_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        home_folder(Path("x" * 5000))
    assert ended.value.exit_code == 2
    assert capsys.readouterr().err.startswith("Error: --dir: ")


def test_a_folder_that_is_not_there_yet_is_fine_and_stays_away(tmp_path: Path) -> None:
    assert home_folder(tmp_path / "a/b") == tmp_path / "a/b"
    assert list(tmp_path.iterdir()) == []


def test_half_characters_of_a_name_on_disk_are_shown_in_strict_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_json({"name": "d\udcff", "sign": "\U0001f600"})
    printed = parse_strict_json(capsys.readouterr().out).expect("strict JSON")
    assert printed == {"name": "d\\udcff", "sign": "\U0001f600"}
