"""A bad scenario file gets an error that names the field, its value and what is allowed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.sim.scenario import Archetype, Bursts, CuratorPlan, Rate, Scenario, SimFaults
from alembic_sim.sim.scenario_file import (
    MAX_SCENARIO_BYTES,
    SHIPPED,
    load_scenario,
    parse_scenario,
    read_scenario,
    scenario_toml,
)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_scenario_bears_its_name_and_says_what_it_shows(name: str) -> None:
    scenario = load_scenario(name).expect("shipped")
    assert scenario.name == name
    assert scenario.shows


def test_every_shipped_file_is_on_the_list() -> None:
    import alembic_sim.sim

    folder = Path(alembic_sim.sim.__path__[0]) / "scenarios"
    assert sorted(file.stem for file in folder.iterdir()) == sorted(SHIPPED)


def test_an_unknown_name_is_told_the_shipped_ones() -> None:
    error = load_scenario("../quiet-team").error  # type: ignore[union-attr]
    assert error.code == "unreadable"
    assert "quiet-team, busy-team" in error.message


WHOLE_DAYS = "a whole number from 1 to 3650 (days)"


@pytest.mark.parametrize(
    ("text", "field", "value", "allowed"),
    [
        ("days = 0", "days", "0", WHOLE_DAYS),
        ("days = 1.5", "days", "1.5", WHOLE_DAYS),
        ("days = true", "days", "True", WHOLE_DAYS),
        ("days = nan", "days", "nan", WHOLE_DAYS),
        ("days = '3'", "days", "'3'", WHOLE_DAYS),
        ("seed = -1", "seed", "-1", "a whole number from 0 to 9007199254740991"),
        (
            "[curator]\nanchor = 'first-use'",
            "curator.anchor",
            "'first-use'",
            "'infinity', 'created-at', 'zero'",
        ),
        (
            "[curator]\nstale = 3",
            "curator.stale",
            "3",
            "interval_days, stale_after_days, archive_after_days, anchor, order",
        ),
        (
            "[[population]]\n[[population]]\nname = 'b'\nagent_share = 1.5",
            "population[1].agent_share",
            "1.5",
            "a number from 0 to 1 (share)",
        ),
        (
            "[[population]]\nrate_per_day = { median = -1 }",
            "population[0].rate_per_day.median",
            "-1",
            "a number from 0 to 1000 (events a day)",
        ),
        (
            "[[population]]\nabandon_after_days = 0",
            "population[0].abandon_after_days",
            "0",
            "a number above 0 and at most 100000 (days)",
        ),
        (
            "[[population]]\nweekdays = [1, 2]",
            "population[0].weekdays",
            "[1, 2]",
            "seven factors from 0 to 100, Monday first",
        ),
        (
            "[[population]]\nweekdays = [1, 2, 3, 4, 5, 6, 101]",
            "population[0].weekdays[6]",
            "101",
            "seven factors from 0 to 100, Monday first",
        ),
        (
            "population = []",
            "population",
            "[]",
            "1 to 50 archetypes, each a [[population]] with a name of its own",
        ),
        ("curator = 3", "curator", "3", None),
        ("shows = 3", "shows", "3", "a text of at most 200 characters"),
        ("start = 1999-01-01", "start", "'1999-01-01'", None),
        ("start = 05:00:00", "start", "'05:00:00'", None),
        ('"\\u001b[31mx" = 1', r"'\x1b[31mx'", "1", None),
        ('[curator]\n"a\\nb" = 1', r"curator.'a\nb'", "1", None),
    ],
)
def test_the_error_names_the_field_the_value_and_what_is_allowed(
    text: str, field: str, value: str, allowed: str | None
) -> None:
    error = parse_scenario(text).error  # type: ignore[union-attr]
    assert error.code == "bad-field"
    assert (error.field, error.value) == (field, value)
    if allowed is not None:
        assert error.allowed == allowed
    for part in (error.field, error.value, error.allowed):
        assert part in error.message or part == error.value  # an unknown field's value is no matter
    assert "more)" not in error.message


def test_further_problems_are_counted() -> None:
    error = parse_scenario("days = 0\nseed = -1\nname = ''").error  # type: ignore[union-attr]
    assert error.message.endswith("(and 2 more)")


def test_a_missing_field_is_named() -> None:
    error = parse_scenario("[[population]]\nbursts = { every_days = 9, lasts_days = 1 }").error  # type: ignore[union-attr]
    assert error.message == (
        "population[0].bursts.factor is missing. Allowed: a number from 0 to 1000"
    )


@pytest.mark.parametrize(
    "source",
    [
        b"\xff",
        "a =",
        "{",
        '{"days": 1, "days": 2}',
        '{"seed": 1e999}',
        "days = " + "9" * 5000,
        "a = " + "[" * 5000,
        "a" + ".a" * 50_000 + " = 1",
        "a = " + ("[\n{" + "b." * 290 + "b = ") * 5 + "1" + "}]" * 5,
        None,
        3,
    ],
    ids=lambda source: str(source)[:20],
)
def test_what_is_no_document_says_so(source: object) -> None:
    error = parse_scenario(source).error  # type: ignore[union-attr, arg-type]
    assert error.code == "not-a-document"
    assert error.message


def test_a_key_of_too_many_parts_is_refused_before_it_is_read() -> None:
    """Reading it costs the square of its parts: a minute, and gigabytes, at 50,000."""
    error = parse_scenario("days = 3\na" + ".a" * 301 + " = 1").error  # type: ignore[union-attr]
    assert error.message == "not TOML: nested too deeply, or too many dots, on line 2"


@given(st.binary(max_size=80) | st.text(max_size=80))
def test_arbitrary_bytes_are_a_value_never_an_exception(source: bytes | str) -> None:
    parse_scenario(source)


def test_json_and_toml_say_the_same() -> None:
    toml = parse_scenario("\ufeff[curator]\nstale_after_days = 14".encode())
    as_json = parse_scenario('  {"curator": {"stale_after_days": 14}}')
    assert toml == as_json
    assert toml.expect("read").curator.stale_after_days == 14


def test_a_toml_instant_is_an_instant() -> None:
    scenario = parse_scenario("start = 2025-06-01T00:00:00+02:00").expect("read")
    assert scenario.start_ms == Scenario(start="2025-05-31T22:00:00Z").start_ms


SCENARIOS = st.builds(
    Scenario,
    shows=st.text(max_size=50),
    seed=st.integers(0, 2**53 - 1),
    days=st.integers(1, 3650),
    arrivals_per_month=st.floats(0, 1000),
    population=st.tuples(
        st.builds(
            Archetype,
            count=st.integers(0, 100),
            rate_per_day=st.builds(Rate, median=st.floats(0, 1000)),
            abandon_after_days=st.none() | st.floats(1e-3, 1000),
            bursts=st.none()
            | st.builds(
                Bursts,
                every_days=st.integers(1, 9),
                lasts_days=st.integers(1, 9),
                factor=st.floats(0, 100),
            ),
        )
    ),
    curator=st.builds(CuratorPlan, anchor=st.sampled_from(["infinity", "created-at", "zero"])),
    faults=st.builds(SimFaults, clock_jump_day=st.none() | st.integers(0, 90)),
)


def test_a_scenario_whose_line_is_all_dots_reads_back_equal() -> None:
    scenario = Scenario(shows="." * 200)
    assert parse_scenario(scenario_toml(scenario)).expect("our own") == scenario


@pytest.mark.parametrize("shows", ["\x7f", "\0", "\\", '"', "\r\n", "\u2028", "é✓𝄞"], ids=ascii)
def test_odd_characters_survive_toml(shows: str) -> None:
    scenario = Scenario(shows=shows)
    assert parse_scenario(scenario_toml(scenario)).expect("our own") == scenario


@given(SCENARIOS)
def test_a_scenario_written_as_toml_reads_back_equal(scenario: Scenario) -> None:
    assert parse_scenario(scenario_toml(scenario)).expect("our own") == scenario


@given(SCENARIOS)
def test_a_scenario_written_as_json_reads_back_equal(scenario: Scenario) -> None:
    assert parse_scenario(json.dumps(scenario.model_dump(mode="json"))).expect("own") == scenario


def test_a_file_is_read_and_its_errors_begin_with_its_path(tmp_path: Path) -> None:
    good, bad, large = tmp_path / "good.toml", tmp_path / "bad.json", tmp_path / "large.toml"
    good.write_text("seed = 7", encoding="utf-8")
    bad.write_text('{"days": 0}', encoding="utf-8")
    large.write_bytes(b"#" * (MAX_SCENARIO_BYTES + 1))
    assert read_scenario(good).expect("good").seed == 7
    for path in (bad, large, tmp_path, tmp_path / "missing.toml"):
        error = read_scenario(path).error  # type: ignore[union-attr]
        assert error.message.startswith(f"{path}: ")


@pytest.mark.parametrize("path", [None, 3, "a\0b"])
def test_what_is_no_path_is_unreadable(path: object) -> None:
    assert read_scenario(path).error.code == "unreadable"  # type: ignore[arg-type, union-attr]


def test_a_file_that_is_called_json_is_read_as_json(tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_text("[1, 2]", encoding="utf-8")
    error = read_scenario(file).error  # type: ignore[union-attr]
    assert error.message == f"{file}: not a scenario: [1, 2] is not a JSON object"
    file.write_text("days = 3", encoding="utf-8")
    assert "not strict JSON" in read_scenario(file).error.message  # type: ignore[union-attr]


@pytest.mark.parametrize("name", SHIPPED)
def test_what_a_shipped_scenario_shows_fits_a_line(name: str) -> None:
    assert 20 < len(load_scenario(name).expect("shipped").shows) <= 98
