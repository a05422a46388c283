"""Long random lives of the stores, with faults and power cuts in them; all invariants every step.

`--thorough` runs 200 lives of 50 steps each.
"""

from __future__ import annotations

import json

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from alembic_sim import (
    Add,
    CuratorDeps,
    FakeClock,
    FakeModel,
    FaultyFs,
    MemoryFs,
    MemoryStore,
    ReviewDeps,
    UsageRecord,
    UsageStore,
    model_proposer,
    review_and_learn,
    run_curator,
    score_threshold_gate,
)
from alembic_sim.adapters.faulty_fs import FaultPlan
from alembic_sim.durable import sweep_temp
from alembic_sim.hermes.curator.sidecar import parse_sidecar
from alembic_sim.hermes.memory.entry_text import parse_entries
from alembic_sim.invariants import (
    i1_parse_of_serialise_is_the_same,
    i2_within_the_limit_or_not_grown,
    i3_the_snapshot_is_constant,
    i4_what_was_said_to_be_written_is_there,
    i5_what_failed_changed_nothing,
    i6_only_what_was_approved_was_written,
    i7_no_skill_is_lost,
    i8_the_dry_run_is_the_plan,
    i9_json_is_strict,
    i11_the_curator_left_the_others_alone,
    i12_every_proposal_has_one_place,
)
from tests.faults.tally import TALLY
from tests.faults.workloads import MEMORY, SIDECAR, Answer, visible
from tests.hermes.memory.test_memory_machine import FILES, OPS, TARGETS, TwoSessions

MOMENTS = st.integers(1, 16)
CHOICES = st.integers(0, 50)
PLANS = (
    st.builds(FaultPlan.fail, MOMENTS, st.sampled_from(["io", "no-space", "denied"]), st.booleans())
    | st.builds(FaultPlan.short_write, MOMENTS, st.integers(0, 9))
    | st.builds(FaultPlan.crash, MOMENTS)
)


class Counted(RuleBasedStateMachine):
    """A machine whose lives and steps are in the table."""

    def __init__(self) -> None:
        super().__init__()
        TALLY.count(f"machine {type(self).__name__}", "lives")

    @invariant()
    def a_step_is_counted(self) -> None:
        TALLY.count(f"machine {type(self).__name__}", "steps")


class DiskThatFails(Counted):
    """A disk, and how one call on it is made to go wrong."""

    disk: MemoryFs

    def meet(self, plan: FaultPlan, choice: int, call: object) -> Answer:
        """The answer of the call while the plan strikes; after a crash the disk is another one."""
        before = visible(self.disk.files())
        fs = FaultyFs(self.disk, plan)
        answer = call(fs)
        new = visible(self.disk.files())
        if plan.kind == "crash":
            states = fs.crash()
            self.disk = states[choice % len(states)].fs
        after = visible(self.disk.files())
        if answer.ok:
            assert i4_what_was_said_to_be_written_is_there(new, after) == ()
        else:
            assert i5_what_failed_changed_nothing(before, after, answer.error.code, new) == ()
        return answer


class MemoryThatFails(DiskThatFails, TwoSessions):
    """Two sessions and a person, as without faults, and now and then a fault."""

    @rule(which=TARGETS, op=OPS, plan=PLANS, choice=CHOICES)
    def a_fault_strikes(self, which: str, op: object, plan: FaultPlan, choice: int) -> None:
        self.meet(plan, choice, lambda fs: MemoryStore(fs, 40, 25).apply(which, op))
        for path in FILES.values():  # the next write would do it, but it may be long in coming
            sweep_temp(self.disk, path)
        self.stores = [self.new_session(), self.new_session()]
        self.snapshots = [store.load().value for store in self.stores]
        self.writes = [0, 0]


class SkillsThatFail(DiskThatFails):
    """Skills that are made, used, pinned and curated while time goes on."""

    NAMES = st.sampled_from(["a", "b", "c", "d"])

    def __init__(self) -> None:
        super().__init__()
        self.clock = FakeClock("2025-01-01T00:00:00Z")
        self.disk = MemoryFs()
        self.known: set[str] = set()

    def usage(self, fs: object = None) -> UsageStore:
        return UsageStore(self.disk if fs is None else fs, self.clock)

    @rule(name=NAMES, author=st.sampled_from(["agent", "Ana", None]))
    def create(self, name: str, author: str | None) -> None:
        made = self.usage().create(name, author)
        assert made.ok == (name not in self.known)

    @rule(name=NAMES, event=st.sampled_from(["use", "view", "patch"]))
    def event(self, name: str, event: str) -> None:
        before = self.usage().load().records.get(name, UsageRecord())
        after = self.usage().record(name, event).expect("telemetry").record
        assert getattr(after, f"{event}_count") == getattr(before, f"{event}_count") + 1
        assert (after.last_activity_at, after.state) == (self.clock(), before.state)

    @rule(name=NAMES, pinned=st.booleans())
    def pin(self, name: str, pinned: bool) -> None:
        assert self.usage().pin(name, pinned).ok == (name in self.known)

    @rule(days=st.sampled_from([0, 1, 29, 30, 31, 60, 90, -40]))
    def time_goes_on(self, days: int) -> None:
        self.clock.advance(days=days)

    @rule()
    def curate(self) -> None:
        def looked_at() -> dict[str, object]:
            return {p: (d, self.disk.stat(p).value) for p, d in self.disk.files().items()}

        before, sidecar = looked_at(), self.usage().load()
        plan = run_curator(CuratorDeps(self.usage()), dry_run=True)
        after = looked_at()
        real = run_curator(CuratorDeps(self.usage()))
        assert i8_the_dry_run_is_the_plan(plan, real, before, after) == ()
        assert i11_the_curator_left_the_others_alone(sidecar, self.usage().load()) == ()
        assert run_curator(CuratorDeps(self.usage())).value.transitioned == ()

    @rule(name=NAMES, plan=PLANS, choice=CHOICES)
    def a_fault_strikes_an_event(self, name: str, plan: FaultPlan, choice: int) -> None:
        self.meet(plan, choice, lambda fs: self.usage(fs).record(name, "use"))

    @rule(plan=PLANS, choice=CHOICES)
    def a_fault_strikes_the_curator(self, plan: FaultPlan, choice: int) -> None:
        before = self.usage().load()
        fs = FaultyFs(self.disk, plan)
        answer = run_curator(CuratorDeps(self.usage(fs)))
        if plan.kind == "crash":
            states = fs.crash()
            self.disk = states[choice % len(states)].fs
        report = answer.value if answer.ok else answer.error.partial
        after = self.usage().load()
        assert i11_the_curator_left_the_others_alone(before, after) == ()
        for moved in report.transitioned:
            assert after.records[moved.name].state == moved.to_state, "I4"

    @invariant()
    def nothing_is_lost_and_the_file_is_strict(self) -> None:
        names = self.usage().load().names()
        assert i7_no_skill_is_lost(self.known, names) == ()
        assert i9_json_is_strict(self.disk.files()) == ()
        assert parse_sidecar(self.disk.files().get(SIDECAR, b"{}")).problem is None
        self.known = set(names)


RAWS = st.fixed_dictionaries(
    {
        "target": st.sampled_from(["memory", "memory", "memory", "user", "disk"]),
        "op": st.fixed_dictionaries(
            {
                "action": st.sampled_from(["add", "add", "replace", "remove"]),
                "content": st.sampled_from(["tea", "green tea", "", "§", "x" * 50]),
                "old_text": st.sampled_from(["tea", "green", "coffee"]),
            }
        ),
        "rationale": st.sampled_from(["it was seen", "it was seen", "it was seen", " "]),
        "score": st.sampled_from([0.0, 0.69, 0.7, 1.0, 1.0]),
    }
)
REPLIES = st.lists(RAWS, max_size=4)


class LearningThatFails(Counted):
    """One session that learns turn after turn, from a model's replies, on a disk that may fail."""

    LIMIT = 60

    def __init__(self) -> None:
        super().__init__()
        self.disk = MemoryFs()
        self.next_session()

    @rule()
    def next_session(self) -> None:
        self.plan = FaultPlan()
        self.store = MemoryStore(self, self.LIMIT, self.LIMIT)
        self.snapshot = self.store.load().value

    def __getattr__(self, name: str) -> object:
        """The session's file port: a new fault plan is at work in it from turn to turn."""
        if name in ("disk", "port"):
            raise AttributeError(name)
        return getattr(self.port if "port" in vars(self) else self.disk, name)

    @rule(raws=REPLIES, plan=PLANS | st.just(FaultPlan()), choice=CHOICES)
    def learn(self, raws: list[object], plan: FaultPlan, choice: int) -> None:
        before = parse_entries(self.disk.files().get(MEMORY, b"").decode("utf-8"))
        self.port = FaultyFs(self.disk, plan)
        asked, verdicts, gate = [], [], score_threshold_gate()
        machine = self

        class Watched:
            def apply(self, target: str, op: object) -> Answer:
                asked.append((target, op))
                return machine.store.apply(target, op)

        def watched_gate(proposal: object) -> Answer:
            verdict = gate(proposal)
            verdicts.append((proposal, verdict.value))
            return verdict

        proposer = model_proposer(FakeModel([json.dumps(raws)]))
        result = review_and_learn("a turn", ReviewDeps(proposer, watched_gate, Watched()))
        if plan.kind == "crash":
            states = self.port.crash()
            self.disk = states[choice % len(states)].fs
        del self.port
        after = parse_entries(self.disk.files().get(MEMORY, b"").decode("utf-8"))
        assert i6_only_what_was_approved_was_written(asked, verdicts) == ()
        assert i12_every_proposal_has_one_place(raws, result) == ()
        assert i2_within_the_limit_or_not_grown(before, after, self.LIMIT) == ()
        self.check_applied(result, after)
        if plan.kind == "crash":
            self.next_session()

    def check_applied(self, result: Answer, after: tuple[str, ...]) -> None:
        """I4: the last thing that was applied to the notes is there, or was taken out again."""
        outcome = result.value if result.ok else result.error.partial
        applied = [p.op for p in outcome.applied if p.target == "memory"]
        unsure = any("new bytes are there" in failed.reason for failed in outcome.failed)
        if applied and isinstance(applied[-1], Add) and not unsure:
            assert applied[-1].content in after, "I4"

    @invariant()
    def the_snapshot_stays_and_the_files_read_back(self) -> None:
        assert i3_the_snapshot_is_constant(self.snapshot, self.store.load().value) == ()
        for data in visible(self.disk.files()).values():
            assert i1_parse_of_serialise_is_the_same(parse_entries(data.decode("utf-8"))) == ()


TestMemoryThatFails = MemoryThatFails.TestCase
TestMemoryThatFails.settings = settings.get_profile("machines")
TestSkillsThatFail = SkillsThatFail.TestCase
TestSkillsThatFail.settings = settings.get_profile("machines")
TestLearningThatFails = LearningThatFails.TestCase
TestLearningThatFails.settings = settings.get_profile("machines")
