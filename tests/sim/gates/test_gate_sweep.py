"""GateSweep: its figures, bands, tables and sentences, on rows that are made by hand."""

from __future__ import annotations

import csv
import json
import sys

import pytest

from alembic_sim.sim.gates.gate_choice import NO_GATE, NO_LEARNING, GateChoice
from alembic_sim.sim.gates.gate_row import GateRow, Learnt
from alembic_sim.sim.gates.gate_summary import COLUMNS, table_line
from alembic_sim.sim.gates.gate_sweep import GateSweep, SuccessBand
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.sweep.spread import Spread
from tests.sim.gates.gate_worlds import BOARD, learning, threshold

LOW, HIGH = threshold(0.5), threshold(0.8)
SCENARIO = learning(20, proposals_per_session=1).model_copy(update={"name": "by-hand"})


def row(
    gate: GateChoice,
    replica: int,
    succeeded: int,
    *,
    kept: int = 5,
    settled: int = 0,
    proposed: tuple[int, int] = (10, 10),
    wrong: tuple[int, int] = (2, 1),
) -> GateRow:
    """Twenty sessions of four tasks, of which this many succeed in each."""
    learnt = Learnt(bytes([succeeded]) * 20, *proposed, *wrong, 3, kept, settled, 1100, 275)
    return GateRow(replica, 100 + replica, gate, learnt)


def swept(
    *rows: GateRow,
    gates: tuple[GateChoice, ...] = (LOW, HIGH),
    replicas: int = 2,
    scenario: Scenario = SCENARIO,
) -> GateSweep:
    return GateSweep(scenario, gates, replicas, rows)


TWO = swept(
    row(NO_LEARNING, 1, 2, kept=0),
    row(HIGH, 1, 4, kept=8),
    row(LOW, 1, 3, kept=6, settled=3),
    row(LOW, 0, 1, kept=4, settled=5),
    row(HIGH, 0, 2, kept=6),
    row(NO_LEARNING, 0, 1, kept=0),
)


def test_rows_are_in_order_however_they_came_and_no_learning_is_last() -> None:
    assert [(one.replica, one.gate) for one in TWO.rows] == [
        (replica, gate) for replica in (0, 1) for gate in (LOW, HIGH, NO_LEARNING)
    ]
    assert TWO.finished == 2


def test_the_sentence_answers_for_each_gate_and_names_the_best() -> None:
    assert TWO.sentence == (
        "20 sessions of 1 proposal each, 2 replicas: "
        "0.5 keeps 5.0 ± 1.4 true lessons and settles 4.0 ± 1.4 false ones, and 50% of tasks "
        "succeed at the end; "
        "0.8 keeps 7.0 ± 1.4 true lessons and settles 0.0 ± 0.0 false ones, and 75% of tasks "
        "succeed at the end; without learning 38% do. "
        "Best of these: 0.8, on the same sessions 25 points above 0.5, standard error 0.0; "
        "it is 38 points above no learning."
    )


def test_no_gate_and_the_board_are_told_in_words() -> None:
    gates = (LOW, BOARD, NO_GATE)
    rows = [row(gate, 0, n) for gate, n in zip((*gates, NO_LEARNING), (3, 4, 1, 2), strict=True)]
    said = swept(*rows, gates=gates, replicas=1).sentence
    assert "; the board keeps" in said
    assert "; no gate keeps" in said
    assert said.endswith("it is 75 points above no gate and 50 points above no learning.")


def test_no_gate_that_is_second_is_not_told_twice() -> None:
    gates = (LOW, NO_GATE)
    rows = [row(gate, 0, n) for gate, n in zip((*gates, NO_LEARNING), (3, 2, 1), strict=True)]
    said = swept(*rows, gates=gates, replicas=1).sentence
    assert said.endswith(
        "Best of these: 0.5, though 1 replica cannot tell it from no gate (on the same sessions "
        "25 points above no gate); it is 50 points above no learning."
    )


def test_a_gate_on_its_own_is_measured_against_no_learning() -> None:
    alone = swept(row(LOW, 0, 1), row(NO_LEARNING, 0, 3), gates=(LOW,), replicas=1)
    assert alone.sentence.endswith("without learning 75% do. That is -50 points above no learning.")


@pytest.mark.parametrize(
    ("leads", "error", "told"),
    [
        # the mean lead is 25 points
        ((1, 1, 1, 1), "0.0", True),
        ((0, 1, 1, 2), "10", True),
        ((0, 0, 2, 2), "14", False),
        ((0, 0, 0, 4), "25", False),
    ],
)
def test_a_lead_within_two_standard_errors_tells_nothing(
    leads: tuple[int, ...], error: str, told: bool
) -> None:
    rows = [
        row(gate, replica, succeeded)
        for replica, lead in enumerate(leads)
        for gate, succeeded in ((LOW, 0), (HIGH, lead), (NO_LEARNING, 0))
    ]
    said = swept(*rows, replicas=4).sentence
    assert ("though 4 replicas cannot tell it from 0.5 (" in said) is not told
    assert f"on the same sessions 25 points above 0.5, standard error {error}" in said


def test_gates_that_do_alike_cannot_be_told_apart() -> None:
    rows = [row(gate, n, 2) for n in (0, 1) for gate in (LOW, HIGH, NO_LEARNING)]
    assert "cannot tell it from 0.8" in swept(*rows).sentence


def test_of_many_gates_the_best_the_worst_and_no_gate_are_told() -> None:
    gates = (*map(threshold, (0.1, 0.2, 0.3, 0.4)), NO_GATE)
    rows = [
        row(gate, 0, n) for gate, n in zip((*gates, NO_LEARNING), (2, 0, 4, 3, 1, 1), strict=True)
    ]
    said = swept(*rows, gates=gates, replicas=1).sentence
    assert [name in said for name in ("0.1 k", "0.2 k", "0.3 k", "0.4 k", "no gate k")] == [
        *(False, True, True, False, True)
    ]


def test_an_interrupted_sweep_says_so() -> None:
    some = swept(row(LOW, 0, 1), row(HIGH, 0, 1), row(NO_LEARNING, 0, 1), replicas=50)
    assert "each, 1 of 50 replicas (interrupted):" in some.sentence
    none = swept(replicas=50)
    assert none.sentence == "Interrupted before the first of 50 replicas was finished."
    assert (none.summaries, none.ranked, none.to_csv(), none.bands(LOW)) == ((), (), "", ())
    assert "Interrupted" in none._repr_html_()


def test_a_summary_is_means_deviations_and_shares() -> None:
    low, high, unlearnt = TWO.summaries
    assert [one.name for one in TWO.summaries] == ["0.5", "0.8", "no learning"]
    assert high.success_at_end == Spread(0.75, pytest.approx(0.125**0.5))
    assert (low.true_rejected, low.false_approved) == (Spread(0.2, 0), Spread(0.1, 0))
    assert low.memory_fill == Spread(0.5, 0), "1100 of 2200 characters"
    assert low.user_fill == Spread(0.2, 0), "275 of 1375 characters"
    assert (low.true_kept.mean, low.false_settled.mean, low.refused_for_budget.mean) == (5, 4, 3)
    assert unlearnt.success_at_end.mean == 0.375


def test_a_share_of_nothing_is_no_number() -> None:
    """It is taken over the replicas that have any; a limit of 0 is never full."""
    rows = [
        row(LOW, 0, 1, proposed=(10, 0), wrong=(5, 0)),
        row(LOW, 1, 1, proposed=(0, 0), wrong=(0, 0)),
    ]
    bare = SCENARIO.model_copy(
        update={"learning": SCENARIO.learning.model_copy(update={"memory_char_limit": 0})}
    )
    [found, *_] = swept(
        *rows, row(NO_LEARNING, 0, 1), row(NO_LEARNING, 1, 1), gates=(LOW,), scenario=bare
    ).summaries
    assert found.true_rejected == Spread(0.5, 0)
    assert (found.false_approved, found.memory_fill) == (None, None)
    assert table_line(found)[5] == "–"
    assert found.to_json()["false_approved"] is None


def test_the_best_gate_is_ranked_by_its_success_at_the_end() -> None:
    assert [one.gate for one in TWO.ranked] == [HIGH, LOW]


def test_a_difference_is_taken_replica_by_replica() -> None:
    assert TWO.difference(HIGH, LOW) == Spread(0.25, 0)
    assert TWO.difference(LOW, NO_LEARNING) == Spread(0.125, pytest.approx(0.03125**0.5))


def test_the_success_at_the_end_is_that_of_the_last_twenty_sessions() -> None:
    learnt = Learnt(bytes([4] * 5 + [1] * 20), *[0] * 9)
    assert (learnt.success, learnt.success_at_end) == (0.4, 0.25)


def test_bands_hold_eight_of_ten_replicas_in_each_session() -> None:
    def climbing(replica: int) -> GateRow:
        learnt = Learnt(bytes([0, 4]) if replica % 2 else bytes([4, 0]), *[0] * 9)
        return GateRow(replica, replica, LOW, learnt)

    rows = [climbing(replica) for replica in range(11)]
    rows += [row(NO_LEARNING, replica, 0) for replica in range(11)]
    found = swept(*rows, gates=(LOW,), replicas=11)
    assert found.bands(LOW, window=1) == (SuccessBand(0, 0, 1, 1), SuccessBand(1, 0, 0, 1))
    assert found.bands(LOW) == (SuccessBand(0, 0, 1, 1), SuccessBand(1, 0.5, 0.5, 0.5))
    lone = swept(climbing(0), row(NO_LEARNING, 0, 0), gates=(LOW,), replicas=1)
    assert lone.bands(LOW, window=1)[0] == SuccessBand(0, 1, 1, 1)


def test_csv_and_records_hold_every_row_with_its_seed() -> None:
    read = list(csv.DictReader(TWO.to_csv().splitlines()))
    assert [{name: str(n) for name, n in record.items()} for record in TWO.records()] == read
    first = TWO.records()[0]
    assert (first["gate"], first["replica"], first["seed"], first["sessions"]) == (
        "0.5",
        0,
        100,
        20,
    )
    assert (first["true_kept"], first["false_settled"], first["memory_chars"]) == (4, 5, 1100)


def test_json_holds_all_of_it_and_is_strict() -> None:
    document = json.loads(json.dumps(TWO.to_json(), allow_nan=False))
    assert [one["gate"] for one in document["gates"]] == ["0.5", "0.8", "no learning"]
    assert document["gates"][0]["true_kept"]["mean"] == 5
    assert (document["replicas"], document["finished"], len(document["rows"])) == (2, 2, 6)
    assert (document["digest"], document["sentence"]) == (TWO.digest, TWO.sentence)
    assert document["scenario"]["name"] == "by-hand"


def test_the_digest_sees_every_number_every_session_and_not_the_order() -> None:
    assert swept(*reversed(TWO.rows)).digest == TWO.digest
    first, *others = TWO.rows
    same_mean = Learnt(bytes([2, 0] + [1] * 18), *(10, 10, 2, 1, 3, 4, 5, 1100, 275))
    assert same_mean.success_at_end == first.learnt.success_at_end
    for changed in (
        row(LOW, 0, 1, kept=4, settled=6),
        GateRow(0, 101, LOW, first.learnt),
        GateRow(0, 100, LOW, same_mean),
    ):
        assert swept(changed, *others).digest != TWO.digest


def test_html_holds_the_table_and_the_sentence_and_escapes_both() -> None:
    html = TWO._repr_html_()
    assert "<th style='text-align:left'>0.8</th><td>75 ± 35%</td>" in html
    assert html.count("<tr>") == 4
    assert all(f"<th>{name}</th>" in html for name in COLUMNS)
    assert "Best of these: 0.8" in html
    odd = SCENARIO.model_construct(**{**dict(SCENARIO), "name": "<b>&"})
    assert "<b>&lt;b&gt;&amp;</b>" in swept(*TWO.rows, scenario=odd)._repr_html_()


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
