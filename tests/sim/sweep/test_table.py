"""Sweep: its figures, bands, tables and sentences, on rows that are made by hand."""

from __future__ import annotations

import csv
import json
import sys

import pytest

from alembic_sim import CuratorPolicy
from alembic_sim.sim.fast.fast_run import FastRun, Moves, Uses
from alembic_sim.sim.figures import LibraryFigures
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.sweep.replica import SweepRow
from alembic_sim.sim.sweep.spread import Band, Spread
from alembic_sim.sim.sweep.table import Sweep, unbeaten

SHORT, LONG = CuratorPolicy(14, 30), CuratorPolicy(30, 90)
SCENARIO = Scenario(name="by-hand", days=14)


def row(
    policy: CuratorPolicy, replica: int, archived: int, regretted: int = 0, in_use: int = 0
) -> SweepRow:
    """Twenty skills, two of them stale; the second pass archived them."""
    figures = LibraryFigures(20, archived, 2, archived, regretted, in_use, (1, 0, 2))
    moves = Moves((2, 0), (0, 0), (0, archived), (0, 0))
    return SweepRow(
        replica,
        FastRun(
            policy,
            100 + replica,
            7,
            figures,
            moves,
            Uses(7, 2, 1, 0),
            (20,) * 14,
            (2, 2),
            (0, archived),
        ),
    )


def table(
    *rows: SweepRow, replicas: int = 2, policies: tuple[CuratorPolicy, ...] = (SHORT, LONG)
) -> Sweep:
    return Sweep(SCENARIO, policies, replicas, rows)


TWO = table(row(LONG, 1, 5, 1), row(SHORT, 1, 12, 4), row(SHORT, 0, 10, 4), row(LONG, 0, 4, 1))


def test_rows_are_in_order_however_they_came() -> None:
    assert [(one.replica, one.run.policy) for one in TWO.rows] == [
        (0, SHORT),
        (0, LONG),
        (1, SHORT),
        (1, LONG),
    ]
    assert TWO.finished == 2


def test_the_sentence_answers_and_tells_the_difference_on_the_same_library() -> None:
    assert TWO.sentence == (
        "14 days, 20 skills, 2 replicas: "
        "14/30 archives 11 ± 1 skills, 4.0 of them needed again within 30 days, and leaves 2.0 "
        "stale; 30/90 archives 4.5 ± 0.7 skills, 1.0 of them needed again within 30 days, and "
        "leaves 2.0 stale. On the same library 14/30 archives 6.5 ± 0.7 more than 30/90, "
        "and 3.0 ± 0.0 more are needed again."
    )


def test_what_was_archived_while_in_use_is_told_when_there_is_any() -> None:
    one = table(row(SHORT, 0, 3, 1, in_use=2), replicas=1, policies=(SHORT,))
    assert "1.0 of them needed again within 30 days and 2.0 archived while in use" in one.sentence


def test_two_policies_that_archive_alike_are_told_to() -> None:
    both = table(row(SHORT, 0, 3), row(LONG, 0, 3), replicas=1)
    assert both.sentence.endswith("The two archive the very same skills.")


def many(*figures: tuple[int, int]) -> Sweep:
    """A policy 1/n for the n-th pair (archived, regretted)."""
    policies = tuple(CuratorPolicy(1, number) for number in range(len(figures)))
    rows = (row(p, 0, *pair) for p, pair in zip(policies, figures, strict=True))
    return table(*rows, replicas=1, policies=policies)


def test_of_many_policies_those_are_told_that_no_other_one_beats() -> None:
    """1/1 archives less than 1/0 at the same price; 1/4 is 1/2 over again, and told once."""
    found = many((9, 2), (8, 2), (5, 0), (12, 6), (5, 0), (7, 1), (3, 0))
    assert [one.name for one in unbeaten(found.summaries)] == ["1/2", "1/5", "1/0", "1/3"]
    for name in ("1/2 archives 5.0", "1/5 archives 7.0", "1/0 archives 9.0", "1/3 archives 12"):
        assert name in found.sentence
    assert not any(f"{name} archives" in found.sentence for name in ("1/1", "1/4", "1/6"))
    assert found.sentence.endswith(
        "Of 7 policies none keeps fewer skills with fewer needed again than these."
    )


def test_of_many_that_none_beats_the_ends_are_told() -> None:
    found = many((1, 1), (2, 2), (5, 5), (3, 3), (4, 4))
    assert found.sentence == (
        "14 days, 20 skills, 1 replica: "
        "1/0 archives 1.0 skills, 1.0 of them needed again within 30 days, and leaves 2.0 stale; "
        "1/2 archives 5.0 skills, 5.0 of them needed again within 30 days, and leaves 2.0 stale. "
        "Of 5 policies none keeps fewer skills with fewer needed again than these, "
        "from the most careful to the boldest of 5."
    )


def test_of_many_one_may_beat_all() -> None:
    found = many((10, 0), (9, 0), (8, 0), (7, 0), (6, 0))
    assert found.sentence.endswith(
        "Of 5 policies none keeps fewer skills with fewer needed again than this one."
    )


def test_four_policies_are_told_one_by_one() -> None:
    assert many((10, 0), (9, 0), (8, 0), (7, 0)).sentence.count("archives") == 4


def test_an_interrupted_sweep_says_so() -> None:
    some = table(row(SHORT, 0, 3), row(LONG, 0, 3), replicas=50)
    assert some.sentence.startswith("14 days, 20 skills, 1 replica of 50 (interrupted):")
    none = table(replicas=50)
    assert none.sentence == "Interrupted before the first of 50 replicas was finished."
    assert (none.summaries, none.to_csv(), none.bands(SHORT, "stale")) == ((), "", ())


def test_a_summary_is_means_and_deviations() -> None:
    short, _long = TWO.summaries
    assert short.name == "14/30"
    assert short.archived == Spread(11, 2**0.5)
    assert short.kept == Spread(9, 2**0.5)
    assert (short.stale, short.regretted) == (Spread(2, 0), Spread(4, 0))
    assert (short.archived_in_use, short.false_comfort) == (Spread(0, 0), Spread(3, 0))


def test_a_difference_is_taken_replica_by_replica() -> None:
    assert TWO.difference(SHORT, LONG, "archived") == Spread(6.5, 0.5**0.5)
    assert TWO.difference(LONG, SHORT, "archived").mean == -6.5


def test_bands_hold_eight_of_ten_replicas_on_each_day_with_a_pass() -> None:
    hundred = table(*(row(SHORT, n, n) for n in range(11)), replicas=11, policies=(SHORT,))
    assert hundred.bands(SHORT, "archived") == (
        Band(0, 0, 0, 0),
        Band(6, 0, 0, 0),
        Band(13, 1, 5, 9),
    )
    assert hundred.bands(SHORT, "active")[-1] == Band(13, 9, 13, 17)
    lone = table(row(SHORT, 0, 3), replicas=1, policies=(SHORT,))
    assert lone.bands(SHORT, "archived")[-1] == Band(13, 3, 3, 3)


def test_csv_and_records_hold_every_row_with_its_seed() -> None:
    read = list(csv.DictReader(TWO.to_csv().splitlines()))
    assert [{name: float(n) for name, n in line.items()} for line in read] == [
        {name: float(n) for name, n in record.items()} for record in TWO.records()
    ]
    first = TWO.records()[0]
    assert (first["seed"], first["active"], first["stale"], first["archived"]) == (100, 8, 2, 10)
    assert first["stale_after_days"] == 14
    assert first["active_to_archived"] == 10


def test_json_holds_all_of_it_and_is_strict() -> None:
    document = json.loads(json.dumps(TWO.to_json(), allow_nan=False))
    assert document["policies"][0]["archived"] == {"mean": 11, "deviation": pytest.approx(2**0.5)}
    assert document["policies"][0]["stale_after_days"] == 14
    assert document["digest"] == TWO.digest
    assert len(document["rows"]) == 4


def test_the_digest_sees_every_number_and_not_the_order() -> None:
    assert table(*reversed(TWO.rows)).digest == TWO.digest
    others = [row(SHORT, 0, 10, 4), row(LONG, 0, 4, 1), row(SHORT, 1, 12, 4), row(LONG, 1, 5, 2)]
    assert table(*others).digest != TWO.digest


def test_html_escapes_and_holds_the_table_and_the_sentence() -> None:
    html = TWO._repr_html_()
    assert "<th style='text-align:left'>14/30</th><td>9.0 ± 1.4</td>" in html
    assert "needed again within 30 days" in html
    assert html.count("<tr>") == 3


def test_a_frame_is_pandas_own_and_without_pandas_the_message_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Frames:
        class DataFrame:
            from_records = staticmethod(lambda records: ("frame", records))

    monkeypatch.setitem(sys.modules, "pandas", Frames)
    assert TWO.to_frame() == ("frame", list(TWO.records()))
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        TWO.to_frame()
