"""What the stores are asked to do while files fail: each workload once, for every kind of fault.

A workload is judged by what its answer allows to be on disk: Ok means the new state, an error the
old one, `write-uncertain` either. Stores that write several times have states in between.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import combinations

from alembic_sim import (
    DAY_MS,
    Add,
    CuratorDeps,
    CuratorReport,
    FakeClock,
    FsPort,
    MemoryFs,
    MemoryStore,
    Ok,
    Remove,
    Replace,
    Result,
    ReviewDeps,
    UsageRecord,
    UsageStore,
    review_all_then_learn,
    review_and_learn,
    run_curator,
    score_threshold_gate,
)
from alembic_sim.adapters.paths import is_temp_name
from alembic_sim.hermes.curator.pass_journal import run_journalled_pass, undo_last_pass
from alembic_sim.hermes.curator.run_files import RunFiles
from alembic_sim.hermes.curator.sidecar import parse_sidecar
from alembic_sim.hermes.memory.entry_text import parse_entries
from alembic_sim.hermes.memory.sub_store import SubStore
from alembic_sim.hermes.skills.skill_store import SkillStore
from alembic_sim.invariants import (
    Files,
    Violation,
    Violations,
    i1_parse_of_serialise_is_the_same,
    i2_within_the_limit_or_not_grown,
    i6_only_what_was_approved_was_written,
    i7_no_skill_is_lost,
    i9_json_is_strict,
    i11_the_curator_left_the_others_alone,
    i12_every_proposal_has_one_place,
)

MEMORY = "memory/MEMORY.md"
SIDECAR = "skills/.usage.json"
LIMIT = 60
NOW = 400 * DAY_MS

Answer = Result[object, object]
Allowed = Callable[[tuple[Files, ...], Answer], Collection[Files]]


def visible(files: Files) -> Files:
    """The files that mean something: no temporary file, no lock."""
    return {p: d for p, d in files.items() if not is_temp_name(p) and not p.endswith(".lock")}


def leftovers(files: Files) -> list[str]:
    """The temporary files."""
    return [path for path in files if is_temp_name(path)]


def one_write(states: tuple[Files, ...], answer: Answer) -> Collection[Files]:
    """What may be there after a single write: the old state, the new one, or either."""
    if answer.ok:
        return states[-1:]
    return states if answer.error.code == "write-uncertain" else states[:1]


def several_files(states: tuple[Files, ...], answer: Answer) -> Collection[Files]:
    """What may be there after writes of several files, of which the first take nothing away."""
    if answer.ok:
        return states[-1:]
    return states if answer.error.code == "write-uncertain" else states[:-1]


@dataclass(frozen=True, eq=False)
class Workload:
    """Files at the start, work on a newly opened store, and one more write of a next session
    (`again`, of a new word).

    `allowed(states, answer)`: the states that may be on disk after the answer, of those that the
    work goes through when nothing fails. `also`: further violations, seen in the answer and the
    files before and after. `view`: what of the files counts.
    """

    name: str
    start: Mapping[str, bytes | str]
    act: Callable[[FsPort], Answer]
    again: Callable[[FsPort, str], Answer]
    allowed: Allowed = one_write
    also: Callable[[Files, Answer, Files], Violations] = lambda _before, _answer, _after: ()
    view: Callable[[Files], Files] = visible

    def disk(self) -> MemoryFs:
        return MemoryFs(self.start)


# --- memory ---


def memory_store(fs: FsPort) -> MemoryStore:
    return MemoryStore(fs, LIMIT, LIMIT)


def memory(name: str, text: str | None, *ops: Add | Replace | Remove) -> Workload:
    def act(fs: FsPort) -> Answer:
        store = memory_store(fs)
        return store.apply("memory", *ops) if len(ops) == 1 else store.apply_batch("memory", ops)

    return Workload(
        f"memory {name}",
        {} if text is None else {MEMORY: text},
        act,
        lambda fs, word: memory_store(fs).apply("memory", Add(word)),
        also=lambda before, _answer, after: memory_holds(before, after),
    )


def memory_holds(before: Files, after: Files) -> Violations:
    """I1 and I2 of the agent's notes."""
    old, new = (parse_entries(files.get(MEMORY, b"").decode("utf-8")) for files in (before, after))
    return (
        *i1_parse_of_serialise_is_the_same(new),
        *i2_within_the_limit_or_not_grown(old, new, LIMIT),
    )


# --- usage ---


def usage_store(fs: FsPort) -> UsageStore:
    return UsageStore(fs, FakeClock(NOW))


def record(**fields: object) -> dict[str, object]:
    return UsageRecord(**{"created_by": "agent", **fields}).to_json()


LIBRARY = json.dumps({"a": record(use_count=3), "b": record(created_by="Ana", theirs=[1])})


def usage(
    name: str,
    work: Callable[[UsageStore], Answer],
    start: str | None = LIBRARY,
    allowed: Allowed = one_write,
) -> Workload:
    return Workload(
        f"usage {name}",
        {} if start is None else {SIDECAR: start},
        lambda fs: work(usage_store(fs)),
        lambda fs, word: usage_store(fs).record(word, "use"),
        allowed=allowed,
        also=lambda before, _answer, after: i9_json_is_strict(written(before, after)),
    )


def written(before: Files, after: Files) -> Files:
    """The files that are new or changed: what the stores, not the start, must answer for."""
    return {path: data for path, data in after.items() if before.get(path) != data}


# --- curator ---

THREE_TO_MOVE = json.dumps(
    {
        "idle-1": record(last_activity_at=NOW - 40 * DAY_MS),
        "idle-2": record(last_activity_at=NOW - 100 * DAY_MS),
        "idle-3": record(last_activity_at=NOW - DAY_MS, state="stale"),
        "pinned": record(last_activity_at=DAY_MS, pinned=True),
        "theirs": record(last_activity_at=DAY_MS, created_by="Ana"),
    }
)


def what_the_report_says(states: tuple[Files, ...], answer: Answer) -> Collection[Files]:
    """One state a transition; a transition that failed uncertainly may be there as well."""
    told = answer.value if answer.ok else answer.error.partial
    report = told if isinstance(told, CuratorReport) else getattr(told, "report", CuratorReport())
    done = len(report.transitioned)
    uncertain = not answer.ok and answer.error.code == "write-uncertain"
    return states[done : done + 2] if uncertain else states[done : done + 1]


def others_left_alone(before: Files, after: Files) -> Violations:
    sidecars = (parse_sidecar(files[SIDECAR]) for files in (before, after))
    return (
        *i9_json_is_strict(written(before, after)),
        *i11_the_curator_left_the_others_alone(*sidecars),
    )


CURATOR_PASS = Workload(
    "curator pass",
    {SIDECAR: THREE_TO_MOVE},
    lambda fs: run_curator(CuratorDeps(usage_store(fs))),
    lambda fs, word: usage_store(fs).record(word, "view"),
    allowed=what_the_report_says,
    also=lambda before, _answer, after: others_left_alone(before, after),
)


def journalled(fs: FsPort, now_ms: int = NOW) -> Answer:
    return run_journalled_pass(CuratorDeps(usage_store(fs), FakeClock(now_ms)), RunFiles(fs))


def undo(fs: FsPort) -> Answer:
    return undo_last_pass(usage_store(fs), RunFiles(fs))


def next_pass(fs: FsPort, word: str) -> Answer:
    passed = journalled(fs)
    return usage_store(fs).record(word, "view") if passed.ok else passed


def after_a_pass() -> Files:
    fs = MemoryFs({SIDECAR: THREE_TO_MOVE})
    journalled(fs).expect("a pass")
    return fs.files()


def sidecar_alone(files: Files) -> Files:
    return {path: data for path, data in files.items() if path == SIDECAR}


def states_in(sidecar: bytes | str) -> dict[str, str]:
    data = sidecar.encode("utf-8") if isinstance(sidecar, str) else sidecar
    return {name: record.state for name, record in parse_sidecar(data).records.items()}


def undone(before: Files, after: Files) -> Violations:
    """Whatever broke off, an undo brings every state back to what it was before the pass."""
    return undone_to(states_in(THREE_TO_MOVE), before, after)


def undone_to(wanted: dict[str, str], before: Files, after: Files) -> Violations:
    fs = MemoryFs(after)
    for _time in range(2):  # refused if nothing moved, or if all is undone; never going further
        undo(fs)
    states = states_in(fs.files()[SIDECAR])
    lost = () if states == wanted else (Violation("I4", f"undone to {states}, not {wanted}"),)
    return (*lost, *others_left_alone(before, after))


JOURNALLED_PASS = Workload(
    "journalled pass",
    {SIDECAR: THREE_TO_MOVE},
    journalled,
    next_pass,
    allowed=what_the_report_says,
    also=lambda before, _answer, after: undone(before, after),
    view=sidecar_alone,
)
UNDO = Workload(
    "undo of a pass",
    after_a_pass(),
    undo,
    next_pass,
    allowed=what_the_report_says,
    also=lambda before, _answer, after: undone(before, after),
    view=sidecar_alone,
)


def the_last_that_moved_is_undone(before: Files, after: Files) -> Violations:
    """Of two passes: the second, if it moved anything, else the first."""
    first = states_in(before[SIDECAR])
    moved = states_in(after[SIDECAR]) != first
    return undone_to(first if moved else states_in(THREE_TO_MOVE), before, after)


SECOND_PASS = Workload(
    "second journalled pass",
    after_a_pass(),
    lambda fs: journalled(fs, NOW + 60 * DAY_MS),
    next_pass,
    allowed=what_the_report_says,
    also=lambda before, _answer, after: the_last_that_moved_is_undone(before, after),
    view=sidecar_alone,
)


# --- learning ---

PROPOSED = [
    {"target": "memory", "op": op, "rationale": "it was seen", "score": score}
    for op, score in [
        ({"action": "add", "content": "tests run with make check"}, 0.9),
        ({"action": "add", "content": "a guess"}, 0.4),
        ({"action": "replace", "old_text": "tea", "content": "green tea"}, 0.7),
    ]
]
LEARN_START = "tea"


@dataclass(frozen=True)
class Learnt:
    """A learning step's result, with all that passed through its ports."""

    result: Answer
    raws: list[object]
    verdicts: list[object]
    asked: list[object]

    @property
    def ok(self) -> bool:
        return self.result.ok

    @property
    def error(self) -> object:
        return self.result.error


def learn(fs: FsPort, kernel: Callable[..., Answer] = review_and_learn) -> Learnt:
    """One step, its gate and its memory watched."""
    store, gate = memory_store(fs), score_threshold_gate()
    seen = Learnt(Ok(None), list(PROPOSED), [], [])

    class Watched:
        def apply(self, target: str, op: object) -> Answer:
            seen.asked.append((target, op))
            return store.apply(target, op)

    def watched_gate(proposal: object) -> Answer:
        verdict = gate(proposal)
        seen.verdicts.append((proposal, verdict.value))
        return verdict

    deps = ReviewDeps(lambda _summary: Ok(list(seen.raws)), watched_gate, Watched())
    return Learnt(kernel("a turn", deps), seen.raws, seen.verdicts, seen.asked)


def what_the_buckets_say(_states: tuple[Files, ...], learnt: Learnt) -> Collection[Files]:
    """What was applied is there and nothing else is, but for writes that failed uncertainly."""
    outcome = learnt.result.value
    unsure = [f.proposal for f in outcome.failed if "the new bytes are there" in f.reason]
    sure = [proposal.op for proposal in outcome.applied]
    choices = [c for n in range(len(unsure) + 1) for c in combinations(unsure, n)]
    return [_memory_after([*(p.op for p in choice), *sure]) for choice in choices]


def _memory_after(ops: list[object]) -> Files:
    fs = MemoryFs({MEMORY: LEARN_START})
    proposed = [str(p["op"].get("content")) for p in PROPOSED]
    for op in sorted(ops, key=lambda op: proposed.index(op.content)):
        memory_store(fs).apply("memory", op).expect("a write that was possible")
    return fs.files()


def learning(kernel: Callable[..., Answer]) -> Workload:
    return Workload(
        kernel.__name__,
        {MEMORY: LEARN_START},
        lambda fs: learn(fs, kernel),
        lambda fs, word: memory_store(fs).apply("memory", Add(word)),
        allowed=what_the_buckets_say,
        also=lambda before, learnt, after: (
            *memory_holds(before, after),
            *i6_only_what_was_approved_was_written(learnt.asked, learnt.verdicts),
            *i12_every_proposal_has_one_place(learnt.raws, learnt.result),
        ),
    )


# --- sub-stores ---

RECORDS = "memory/episodic.jsonl"
ONE_RECORD = '{"id": "mem_000001", "agent": "cli", "at": "1971-02-05T00:00:00.000Z", "record": {}}'


def sub_store(fs: FsPort) -> SubStore:
    return SubStore(fs, FakeClock(NOW), "episodic")


def whole_lines(files: Files) -> Files:
    """The files that mean something, a log without its torn lines: those are skipped and told."""
    return {
        path: b"\n".join(filter(_is_json, data.split(b"\n"))) if path == RECORDS else data
        for path, data in visible(files).items()
    }


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def appending(name: str, start: str | None) -> Workload:
    return Workload(
        f"sub-store {name}",
        {} if start is None else {RECORDS: start},
        lambda fs: sub_store(fs).append({"text": "seen"}),
        lambda fs, word: sub_store(fs).append({"text": word}),
        also=lambda _before, _answer, after: i9_json_is_strict(whole_lines(after)),
        view=whole_lines,
    )


# --- skills ---

SKILL = "skills/fix-ci/SKILL.md"
SKILL_TEXT = "---\nname: fix-ci\ndescription: Mend the build\n---\n\nRun it again.\n"


def skill_store(fs: FsPort) -> SkillStore:
    return SkillStore(fs, usage_store(fs))


def skill(
    name: str, work: Callable[[SkillStore], Answer], allowed: Allowed = one_write, **fields: object
) -> Workload:
    library = {"fix-ci": record(use_count=3, **fields)}
    return Workload(
        f"skill {name}",
        {SIDECAR: json.dumps(library), SKILL: SKILL_TEXT},
        lambda fs: work(skill_store(fs)),
        lambda fs, word: skill_store(fs).create(word, "More", f"Say {word}."),
        allowed=allowed,
        also=lambda before, _answer, after: (
            *i9_json_is_strict(written(before, after)),
            *i7_no_skill_is_lost(skills_in(before), skills_in(after), bodies_in(before), after),
        ),
    )


def skills_in(files: Files) -> Collection[str]:
    return parse_sidecar(files[SIDECAR]).names()


def bodies_in(files: Files) -> list[bytes]:
    return [data for path, data in files.items() if path.endswith("/SKILL.md")]


def patched(states: tuple[Files, ...], answer: Answer) -> Collection[Files]:
    """The old text kept, the new one written, the patch counted; Ok also if it is not counted."""
    kept, text, counted = states[1:]
    if answer.ok:
        return (counted,) if answer.value.record is not None else (text, counted)
    return (states[0], kept, text) if answer.error.code == "write-uncertain" else (states[0], kept)


WORKLOADS = (
    memory("add", "one", Add("two")),
    memory("replace", "one\n§\ntwo", Replace("two", "three")),
    memory("remove", "one\n§\ntwo", Remove("one")),
    memory("batch", "one\n§\ntwo", Remove("one"), Add("three"), Replace("two", "2")),
    memory("first write", None, Add("one")),
    usage("create", lambda store: store.create("c", created_by="agent")),
    usage("record", lambda store: store.record("a", "use")),
    usage("pin", lambda store: store.pin("b")),
    usage("put", lambda store: store.put("c", UsageRecord(use_count=1))),
    usage("first write", lambda store: store.record("a", "view"), None),
    usage("corrupt, then write", lambda s: s.record("a", "use"), '{"a": ', several_files),
    CURATOR_PASS,
    JOURNALLED_PASS,
    UNDO,
    SECOND_PASS,
    learning(review_and_learn),
    learning(review_all_then_learn),
    appending("append", f"{ONE_RECORD}\n"),
    appending("append after a torn line", f'{ONE_RECORD}\n{{"id": "mem_0000'),
    appending("first append", None),
    skill("create", lambda store: store.create("c", "New", "Do it."), several_files),
    skill("patch", lambda store: store.patch("fix-ci", "Run it twice."), patched),
    skill("archive", lambda store: store.archive("fix-ci")),
    skill("restore", lambda store: store.restore("fix-ci"), state="archived"),
)
