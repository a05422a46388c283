"""RunFiles: numbered folders, one a run, whose numbers only grow."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import CuratorPolicy, MemoryFs, Ok
from alembic_sim.hermes.curator.report import CuratorReport, Transition
from alembic_sim.hermes.curator.run_files import RunFiles, next_run_id
from alembic_sim.hermes.curator.run_record import RunRecord, read_saved_run
from alembic_sim.strict_json import parse_strict_json
from tests.meddled_fs import MeddledFs, answers, fails, raises

MOVES = (Transition("a", "active", "stale"), Transition("b", "stale", "archived"))


def run(run_id: str = "run_000001", **changes: object) -> RunRecord:
    record = {"id": run_id, "sidecar": ".usage.json", "now_ms": 0, "status": "started"}
    return RunRecord(**record | {"planned": MOVES} | changes)


def test_the_first_id_is_one_and_the_next_follows_the_highest() -> None:
    assert next_run_id(()) == "run_000001"
    assert next_run_id(("run_000001", "run_000009")) == "run_000010"
    assert next_run_id(("run_999999",)) == "run_1000000"


def test_ids_are_in_the_order_of_their_numbers_and_nothing_else_counts() -> None:
    names = ["run_1000000", "run_000002", "run_999999", "run_1", "run_00000x", "notes", ".run_1"]
    fs = MemoryFs({f".curator/{name}/run.json": "{}" for name in names})
    runs = RunFiles(fs, ".usage.json")
    assert runs.ids() == Ok(("run_000002", "run_999999", "run_1000000"))
    assert runs.start_id() == Ok("run_1000001")


def test_no_folder_is_no_runs_but_one_that_cannot_be_listed_is_an_error() -> None:
    assert RunFiles(MemoryFs()).ids() == Ok(())
    runs = RunFiles(MeddledFs(MemoryFs(), list=fails("denied")))
    assert runs.ids().error.code == "unreadable"
    assert runs.start_id().error.code == "unreadable"


@pytest.mark.parametrize(
    "new_id",
    [
        answers("run_000002"),
        answers("run_000001"),
        answers("run_3"),
        answers("../run_000003"),
        answers("run_000003/x"),
        answers("run_000003\n"),
        answers(3),
        answers(None),
        raises(RuntimeError("no ids today")),
    ],
)
def test_an_injected_id_that_is_not_new_or_no_id_is_refused(new_id: object) -> None:
    fs = MemoryFs({"skills/.curator/run_000002/run.json": "{}"})
    assert RunFiles(fs, new_id=new_id).start_id().error.code == "bad-id"


def test_an_injected_factory_sees_what_is_on_disk_and_names_the_run() -> None:
    fs = MemoryFs({"skills/.curator/run_000002/run.json": "{}"})
    seen: list[tuple[str, ...]] = []
    runs = RunFiles(fs, new_id=lambda taken: seen.append(taken) or "run_000007")
    assert runs.start_id() == Ok("run_000007")
    assert seen == [("run_000002",)]


def test_what_a_crash_left_of_the_last_run_is_swept_when_the_next_one_starts() -> None:
    folder = "skills/.curator/run_000001"
    fs = MemoryFs({f"{folder}/.run.json.tmp": "torn", f"{folder}/.REPORT.md.tmp": "torn"})
    assert RunFiles(fs).start_id() == Ok("run_000002")
    assert fs.files() == {}


def test_leftovers_of_any_earlier_run_are_swept_and_nothing_else_is() -> None:
    """A power cut may bring back what was removed after the run had failed."""
    folder = "skills/.curator"
    kept = {
        f"{folder}/run_000001/run.json": b"{}",
        f"{folder}/run_000001/.mine.tmp": b"",
        f"{folder}/run_000003/run.json": b"{}",
    }
    fs = MemoryFs({**kept, f"{folder}/run_000001/.run.json.tmp": "torn"})
    assert RunFiles(fs).start_id() == Ok("run_000004")
    assert fs.files() == kept


def test_a_run_that_cannot_be_listed_is_swept_another_time() -> None:
    temp = "skills/.curator/run_000001/.REPORT.md.tmp"
    fs = MemoryFs({temp: "torn"})
    port = MeddledFs(fs)
    port.instead["list"] = lambda path: fails("io")() if "run_" in path else fs.list(path)
    assert RunFiles(port).start_id() == Ok("run_000002")
    assert list(fs.files()) == [temp]


@pytest.mark.parametrize("path", [None, 5, "", "..", "/abs", "a/../../b", "a\0b", "."])
def test_a_place_where_no_sidecar_can_be_is_refused_at_construction(path: object) -> None:
    with pytest.raises(ValueError, match="path: "):
        RunFiles(MemoryFs(), path)


def test_a_factory_that_cannot_be_called_is_refused_at_construction() -> None:
    with pytest.raises(ValueError, match="new_id: None cannot be called"):
        RunFiles(MemoryFs(), new_id=None)


def test_run_json_is_written_last_for_without_it_there_is_no_run() -> None:
    fs = MemoryFs()
    runs = RunFiles(
        MeddledFs(fs, write=lambda p, d: fails("io")() if "json" in p else fs.write(p, d))
    )
    assert runs.write(run()).error.code == "write-failed"
    assert list(fs.files()) == ["skills/.curator/run_000001/REPORT.md"]
    assert runs.read("run_000001") == Ok(None)


def test_a_run_that_was_never_begun_reads_as_none() -> None:
    fs = MemoryFs({"skills/.curator/run_000001/other": ""})
    assert RunFiles(fs).read("run_000001") == Ok(None)


def test_a_run_reads_back_with_what_it_moved() -> None:
    runs = RunFiles(MemoryFs())
    done = CuratorReport(MOVES[:1])
    for status, report, moves in (
        ("started", CuratorReport(), MOVES),
        ("stopped", done, MOVES),  # its last write may be there although it said that it failed
        ("completed", done, MOVES[:1]),
        ("not-begun", CuratorReport(), ()),
    ):
        runs.write(run(status=status, report=report)).expect("a run")
        assert runs.read("run_000001").value.moves() == moves


def test_what_was_moved_otherwise_than_planned_counts_as_it_was_moved() -> None:
    moved = CuratorReport((Transition("a", "active", "archived"),))
    saved = read_saved_run(run(status="stopped", report=moved).to_bytes()).expect("a run")
    assert saved.moves() == (Transition("a", "active", "archived"), MOVES[1])


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
STATES = ("active", "stale", "archived")
STEPS = [(one, two) for one in STATES[:2] for two in STATES if one != two]  # what a pass does
PLANS = st.dictionaries(NAMES, st.sampled_from(STEPS), max_size=4)


def as_moves(plan: dict, undoes: str | None) -> tuple[Transition, ...]:
    """The plan of a pass, or the way back."""
    return tuple(
        Transition(name, *(step if undoes is None else reversed(step)))
        for name, step in plan.items()
    )


@given(PLANS, st.integers(0, 4), st.none() | NAMES, st.none() | st.just("run_000001"))
def test_every_run_is_strict_json_and_reads_back(
    plan: dict, done: int, error: str | None, undoes: str | None
) -> None:
    planned = as_moves(plan, undoes)
    report = CuratorReport(planned[:done])
    record = run(planned=planned, report=report, error=error, undoes=undoes)
    assert parse_strict_json(record.to_bytes()).ok, "I9"
    saved = read_saved_run(record.to_bytes()).expect("a run of ours")
    assert saved.moves() == planned
    assert (saved.undoes, saved.status, saved.sidecar) == (undoes, "started", ".usage.json")
    assert saved.kind == ("pass" if undoes is None else "undo")


@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,kindpas019', max_size=40).map(str.encode))
def test_any_bytes_are_a_run_or_none(data: bytes) -> None:
    assert read_saved_run(data).error.code == "invalid-run"


def moving(*moves: tuple[str, str, str]) -> list[dict]:
    return [{"name": name, "from": before, "to": after} for name, before, after in moves]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"planned": moving(("a", "active", "gone"))}, "planned.0.to: 'gone' is not allowed here"),
        ({"planned": moving(("a", "", "stale"))}, "planned.0.from: '' is not allowed here"),
        ({"planned": moving(("a", "stale", "stale"))}, "'a': no pass moves stale → stale"),
        ({"planned": moving(("a", "archived", "archived"))}, "no pass moves archived → archived"),
        ({"planned": moving(("a", "archived", "stale"))}, "no pass moves archived → stale"),
        ({"transitioned": moving(("a", "archived", "active"))}, "no pass moves archived → active"),
        ({"planned": moving(("a", "active", "stale")) * 2}, "'a' is moved twice"),
        ({"transitioned": moving(("c", "active", "stale"))}, "'c' is moved, and was not planned"),
        ({"undoes": "run_000001"}, "undoes: 'run_000001' is not allowed in a pass"),
        ({"kind": "undo"}, "undoes: None is not allowed in an undo"),
        ({"kind": "undo", "undoes": "run_000001"}, "no undo moves stale → archived"),
        ({"kind": "redo"}, "kind: 'redo' is not allowed here"),
        ({"status": "begun"}, "status: 'begun' is not allowed here"),
        ({"sidecar": 5}, "sidecar: 5 is not allowed here"),
        ({"planned": None}, "planned: None is not allowed here"),
        ({"id": "run_000002"}, "id: 'run_000002' is not its folder's name"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_run_json_that_says_what_no_run_does_is_refused_with_the_field(
    changes: dict, said: str
) -> None:
    document = json.loads(run().to_bytes()) | changes
    fs = MemoryFs({"skills/.curator/run_000001/run.json": json.dumps(document)})
    error = RunFiles(fs).read("run_000001").error
    assert error.code == "invalid-run"
    assert said in error.message
    assert error.message.startswith("skills/.curator/run_000001/run.json is not a run of ours: ")


@pytest.mark.parametrize("field", ["id", "sidecar", "kind", "status", "planned", "transitioned"])
def test_a_run_json_that_lacks_a_field_is_refused_with_its_name(field: str) -> None:
    document = json.loads(run().to_bytes())
    del document[field]
    error = read_saved_run(json.dumps(document).encode()).error
    assert (error.code, error.message) == ("invalid-run", f"{field} is missing")


def test_a_run_json_that_is_no_object_is_refused() -> None:
    assert read_saved_run(b"[]").error.message == "the document: [] is not allowed here"
    assert "NaN" in read_saved_run(b'{"id": NaN}').error.message


def test_the_bytes_of_a_run_are_exactly_these() -> None:
    record = run(policy=CuratorPolicy(7.5, 90), report=CuratorReport(MOVES[:1]))
    text = record.to_bytes().decode("utf-8")
    assert text.startswith('{\n  "error": null,\n  "future_activity": [],\n  "id": "run_000001",\n')
    assert '"policy": {\n    "archive_after_days": 90,\n    "stale_after_days": 7.5\n  }' in text
    assert '"now": "1970-01-01T00:00:00.000Z"' in text
    assert text.endswith("}\n")
