"""One session: frozen prompt, tasks, reviews, telemetry, and the curator when it is due."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from alembic_sim import (
    Add,
    Err,
    FakeClock,
    MemoryFs,
    MemoryStore,
    Ok,
    ReviewProposal,
    StoreError,
    UsageStore,
    score_threshold_gate,
)
from alembic_sim.result import Coded, Result
from alembic_sim.sim.fake_agent import LESSONS, FakeAgent, Lesson, Task
from alembic_sim.sim.scenario import CuratorPlan
from alembic_sim.sim.session import CuratorDue, ResentChars, Session

TRUE = [one for one in LESSONS if one.is_true and one.kind == "deploy"]
TASK = Task("deploy", 0.6)  # fails at the base rate, succeeds after one true lesson


def proposing(*lessons: Sequence[Lesson]) -> object:
    waiting = iter(lessons)
    heard: list[str] = []

    def proposer(summary: str) -> Result[list[object], Coded]:
        heard.append(summary)
        return Ok(
            [
                ReviewProposal(target="memory", op=Add(one.content), rationale="seen", score=0.9)
                for one in next(waiting, ())
            ]
        )

    proposer.heard = heard  # type: ignore[attr-defined]
    return proposer


def session(
    proposer: object,
    fs: MemoryFs | None = None,
    clock: FakeClock | None = None,
    **settings: object,
) -> Session:
    fs = MemoryFs() if fs is None else fs
    usage = UsageStore(fs, FakeClock() if clock is None else clock)
    return Session(
        FakeAgent(),
        MemoryStore(fs),
        usage,
        proposer,  # type: ignore[arg-type]
        score_threshold_gate(),
        **settings,  # type: ignore[arg-type]
    )


def test_what_a_session_learns_helps_the_next_one_and_not_itself() -> None:
    fs = MemoryFs()
    first = session(proposing([TRUE[0]]), fs).run([TASK, TASK]).expect("ran")
    second = session(proposing(), fs).run([TASK, TASK]).expect("ran")
    assert first.successes == (False, False)
    assert second.successes == (True, True)
    assert (first.success, second.success) == (0.0, 1.0)


def test_every_task_is_summed_up_and_reviewed_in_its_turn() -> None:
    proposer = proposing([TRUE[0]], [TRUE[1]])
    report = session(proposer).run([TASK, Task("build", 0.1)]).expect("ran")
    assert proposer.heard == [  # type: ignore[attr-defined]
        "Turn 1: a deploy task failed.",
        "Turn 2: a build task succeeded.",
    ]
    assert [len(outcome.applied) for outcome in report.outcomes] == [1, 1]


def test_a_session_without_tasks_does_nothing() -> None:
    fs = MemoryFs()
    report = session(proposing(), fs).run([]).expect("ran")
    assert (report.successes, report.resent, report.success) == ((), ResentChars(), 0.0)
    assert fs.files() == {}


def test_a_task_that_has_a_skill_uses_it_once_and_is_counted() -> None:
    fs, clock = MemoryFs(), FakeClock()
    held = session(proposing(), fs, clock, skills={"deploy": "roll-out"})
    held.usage.create("roll-out", "agent")
    held.run([TASK, Task("build", 0), TASK]).expect("ran")
    record = held.usage.get("roll-out").expect("there")
    assert (record.use_count, record.last_activity_at) == (2, clock())
    assert held.usage.load().names() == ("roll-out",)


def test_the_curator_passes_at_the_end_of_the_first_session_that_finds_it_due() -> None:
    fs, clock = MemoryFs(), FakeClock()
    usage = UsageStore(fs, clock)
    usage.create("old", "agent")
    usage.record("old", "use")
    due = CuratorDue(usage, CuratorPlan(interval_days=7, stale_after_days=0), last_ms=clock())
    passes = []
    for _ in range(15):
        report = session(proposing(), fs, clock, curator=due).run([TASK]).expect("ran")
        passes.append(report.curated is not None)
        clock.advance(days=1)
    assert [day for day, passed in enumerate(passes) if passed] == [7, 14]
    assert usage.get("old").expect("there").state == "stale"


def test_characters_are_sent_again_as_each_way_of_showing_the_memory_has_it() -> None:
    fs = MemoryFs()
    MemoryStore(fs).apply("memory", Add("x" * 100))
    # Turn 1 writes, turn 2 writes nothing, turn 3 writes what no later turn sends.
    proposer = proposing([TRUE[0]], [], [TRUE[1]])
    report = session(proposer, fs).run([TASK, TASK, TASK]).expect("ran")
    new = len(TRUE[0].content)
    assert report.resent == ResentChars(
        frozen=100, live=100 + (100 + len("\n§\n") + new), hybrid=100 + new
    )


def test_what_is_known_of_the_user_is_sent_again_too() -> None:
    fs = MemoryFs()
    store = MemoryStore(fs)
    store.apply("memory", Add("m" * 10))
    store.apply("user", Add("u" * 100))
    learnt = Add("v" * 7)

    def proposer(summary: str) -> Result[list[object], Coded]:
        first = summary.startswith("Turn 1:")
        said = ReviewProposal(target="user", op=learnt, rationale="seen", score=0.9)
        return Ok([said] if first else [])

    report = session(proposer, fs).run([TASK, TASK]).expect("ran")
    assert report.resent == ResentChars(
        frozen=110, live=110 + (10 + 100 + len("\n§\n") + 7), hybrid=110 + 7
    )


def test_resent_characters_add_up() -> None:
    assert ResentChars(1, 2, 3) + ResentChars(10, 20, 30) == ResentChars(11, 22, 33)


def no_review(_summary: str) -> Result[list[object], Coded]:
    return Err(StoreError("down", "no reviewer"))


def test_a_part_that_fails_is_named() -> None:
    def broken() -> int:
        raise RuntimeError("no time")

    usage = UsageStore(MemoryFs(), broken)
    failures = {
        "review": session(no_review),
        "telemetry": session(proposing(), skills={"deploy": "Not A Name"}),
        "curator": session(proposing(), curator=CuratorDue(usage, CuratorPlan(), 0)),
    }
    for part, held in failures.items():
        failed = held.run([TASK])
        assert isinstance(failed, Err)
        assert failed.error.message.startswith(f"{part}: ")


def test_a_memory_that_cannot_be_loaded_is_named() -> None:
    answers: list[object] = []

    def scan(_text: str) -> None:
        answers.append(held.run([TASK]))  # asks for the snapshot while it is being taken

    fs = MemoryFs({"memory/MEMORY.md": "a"})
    usage = UsageStore(fs, FakeClock())
    held = Session(
        FakeAgent(), MemoryStore(fs, scan=scan), usage, no_review, score_threshold_gate()
    )
    held.run([])
    [failed] = answers
    assert isinstance(failed, Err)
    assert failed.error.message.startswith("memory: ")


def test_a_curator_that_fails_is_due_again() -> None:
    class SometimesFull(MemoryFs):
        full = False

        def replace(self, source: str, target: str):  # type: ignore[no-untyped-def]
            if self.full:
                raise OSError("no space")
            return super().replace(source, target)

    fs, clock = SometimesFull(), FakeClock()
    usage = UsageStore(fs, clock)
    usage.create("old", "agent")
    usage.record("old", "use")
    due = CuratorDue(usage, CuratorPlan(interval_days=1, stale_after_days=1), last_ms=clock())
    clock.advance(days=1)
    fs.full = True
    assert isinstance(due.pass_if_due(), Err)
    fs.full = False
    report = due.pass_if_due().expect("there is room again")
    assert report is not None
    assert [moved.name for moved in report.transitioned] == ["old"]
    assert due.pass_if_due() == Ok(None)


@pytest.mark.parametrize("hours", [0, 23])
def test_before_the_interval_has_gone_by_no_pass_is_due(hours: int) -> None:
    clock = FakeClock()
    due = CuratorDue(UsageStore(MemoryFs(), clock), CuratorPlan(interval_days=1), clock())
    clock.advance(hours=hours)
    assert due.pass_if_due() == Ok(None)
