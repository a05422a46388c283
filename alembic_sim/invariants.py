"""I1 to I13: what must hold whatever fails, each stated once, for tests and lessons alike.

Each function takes evidence (plain values: what was before, what was answered, what is now) and
returns the violations it shows. None of them looks at a disk, a clock or a model.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.learning.types import (
    GateVerdict,
    LearnError,
    LearnOutcome,
    ReviewProposal,
    parse_proposal,
)
from alembic_sim.hermes.memory.entry_text import parse_entries, serialise_entries
from alembic_sim.hermes.memory.operations import MemoryOp, MemoryTarget
from alembic_sim.hermes.memory.snapshot import MemorySnapshot
from alembic_sim.ports.fs import FileStat
from alembic_sim.result import Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.strict_json import parse_strict_json

INVARIANTS = {
    "I1": "parse(serialise(entries)) == entries",
    "I2": "a store is within its limit, or it has not grown",
    "I3": "the snapshot's text is constant within a session",
    "I4": "what was said to be written is on disk, also after a crash",
    "I5": "what was refused or failed changed no byte; an uncertain write is old or new",
    "I6": "nothing reaches memory without an approving verdict",
    "I7": "the number of skills never falls, and every body stays recoverable",
    "I8": "a dry run plans what the real run does, and changes no byte, name or time",
    "I9": "no artefact holds NaN or Infinity; every JSON artefact passes a strict parser",
    "I10": "the same seed gives the same digest of the whole tree",
    "I11": "the curator never changes the state of what is pinned or not agent-made",
    "I12": "every proposal ends in exactly one bucket, or in the error's partial or remaining",
    "I13": "nothing is published or settled without `approved is True`",
}

Files = Mapping[str, bytes]
"""A tree's files, by path."""


@dataclass(frozen=True, slots=True)
class Violation:
    """An invariant that does not hold, and what shows it."""

    invariant: str
    why: str


Violations = tuple[Violation, ...]


def i1_parse_of_serialise_is_the_same(entries: Sequence[str]) -> Violations:
    """Evidence: the entries of a store."""
    back = parse_entries(serialise_entries(entries))
    if back == tuple(entries):
        return ()
    return _broken("I1", f"{shorten(tuple(entries))} came back as {shorten(back)}")


def i2_within_the_limit_or_not_grown(
    before: Sequence[str], after: Sequence[str], limit_chars: int
) -> Violations:
    """Evidence: a store's entries around a write, and its limit in code points."""
    old, new = (len(serialise_entries(entries)) for entries in (before, after))
    if new <= max(limit_chars, old):
        return ()
    return _broken("I2", f"{new} characters, limit {limit_chars}, {old} before")


def i3_the_snapshot_is_constant(first: MemorySnapshot, now: MemorySnapshot) -> Violations:
    """Evidence: the snapshot of the session's first load, and of a later one."""
    frozen = ("memory", "user", "warnings")
    moved = [name for name in frozen if getattr(first, name) != getattr(now, name)]
    return _broken("I3", *(f"{name} is now {shorten(getattr(now, name))}" for name in moved))


def i4_what_was_said_to_be_written_is_there(
    acknowledged: Mapping[str, bytes | None],
    found: Files,
    in_progress: Mapping[str, bytes | None] | None = None,
) -> Violations:
    """Evidence: the bytes by path (None: no file) that Ok was said for, and what is there now.

    `in_progress`: the bytes that an unanswered write would have left, which are as good.
    """
    unanswered = in_progress or {}
    wrong = [
        f"{path}: Ok was said for {shorten(data)}, there is {shorten(found.get(path))}"
        for path, data in acknowledged.items()
        if found.get(path) not in (data, unanswered.get(path, data))
    ]
    return _broken("I4", *wrong)


def i5_what_failed_changed_nothing(
    before: Files, after: Files, code: str, new: Files | None = None
) -> Violations:
    """Evidence: the files around a refused or failed operation, and its error code.

    `new`: the files that the operation would have left; only `write-uncertain` may show them.
    """
    if after == before or (code == "write-uncertain" and after == new):
        return ()
    changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    return _broken("I5", f"{code}, but {', '.join(changed)} changed")


def i6_only_what_was_approved_was_written(
    written: Iterable[tuple[MemoryTarget, MemoryOp]],
    verdicts: Iterable[tuple[ReviewProposal, GateVerdict]],
) -> Violations:
    """Evidence: the writes that the memory was asked for, and the gate's verdicts."""
    asked = Counter(written)
    approved = Counter((p.target, p.op) for p, verdict in verdicts if verdict.approved is True)
    return _broken("I6", *(f"{shorten(what)}: nobody approved it" for what in asked - approved))


def i7_no_skill_is_lost(
    names_before: Collection[str],
    names_after: Collection[str],
    bodies: Iterable[bytes] = (),
    files: Files | None = None,
) -> Violations:
    """Evidence: the skills' names around an operation; every body there ever was, and all files."""
    gone = sorted(set(names_before) - set(names_after))
    missing = [body for body in bodies if body not in (files or {}).values()]
    return (
        *_broken("I7", *(f"the skill {name} is gone" for name in gone)),
        *_broken("I7", *(f"the body {shorten(body)} is in no file" for body in missing)),
    )


def i8_the_dry_run_is_the_plan(
    plan: object,
    real: object,
    before: Mapping[str, tuple[bytes, FileStat]],
    after_dry_run: Mapping[str, tuple[bytes, FileStat]],
) -> Violations:
    """Evidence: both reports, and the files with their times around the dry run."""
    unequal = () if plan == real else (f"planned {shorten(plan)}, did {shorten(real)}",)
    changed = sorted(
        path for path in {*before, *after_dry_run} if before.get(path) != after_dry_run.get(path)
    )
    return _broken("I8", *unequal, *(f"the dry run changed {path}" for path in changed))


def i9_json_is_strict(files: Files) -> Violations:
    """Evidence: the files; those named `.json` and each line of those named `.jsonl` are read."""
    documents = [(path, data) for path, data in files.items() if path.endswith(".json")]
    for path, data in files.items():
        if path.endswith(".jsonl"):
            lines = enumerate(data.split(b"\n"), 1)
            documents += [(f"{path}, line {number}", line) for number, line in lines if line]
    parsed = [(where, parse_strict_json(text)) for where, text in documents]
    return _broken("I9", *(f"{where}: {p.error.message}" for where, p in parsed if not p.ok))


def i10_one_digest_per_seed(digests: Iterable[tuple[object, str]]) -> Violations:
    """Evidence: (seed, digest of the tree) of every run."""
    different = dict.fromkeys(digests)  # a set that keeps its order
    times = Counter(seed for seed, _digest in different)
    return _broken("I10", *(f"seed {seed}: {n} digests" for seed, n in times.items() if n > 1))


def i11_the_curator_left_the_others_alone(before: UsageSidecar, after: UsageSidecar) -> Violations:
    """Evidence: the sidecar around a pass."""
    exempt = {
        name: record.state
        for name, record in before.records.items()
        if record.pinned or record.created_by != "agent"
    }
    moved = [
        f"{name} was {state}, exempt, and is {record.state if record else 'gone'}"
        for name, state in exempt.items()
        if (record := after.records.get(name)) is None or record.state != state
    ]
    rewritten = [name for name, raw in before.invalid.items() if after.invalid.get(name) != raw]
    return _broken("I11", *moved, *(f"{name} was damaged, and was touched" for name in rewritten))


def i12_every_proposal_has_one_place(
    raws: Sequence[object], result: Result[LearnOutcome, LearnError]
) -> Violations:
    """Evidence: what the proposer proposed (nothing, if it failed), and the step's result."""
    outcome = result.value if result.ok else result.error.partial
    remaining = () if result.ok else result.error.remaining
    decided = len(raws) - len(remaining)
    if decided < 0 or list(remaining) != list(raws[decided:]):
        return _broken("I12", f"{len(remaining)} remaining, which are not the last of {len(raws)}")
    wanted = [repr(parse_proposal(raw)) for raw in raws[:decided]]
    refused = (*(r.proposal for r in outcome.rejected), *(f.proposal for f in outcome.failed))
    buckets = (*outcome.applied, *refused)
    if sorted(wanted) == sorted(repr(Ok(proposal)) for proposal in buckets):
        return ()
    return _broken("I12", f"{decided} proposals were decided; {len(buckets)} are in buckets")


def i13_only_what_was_approved_left(
    left: Iterable[str], approved: Mapping[str, object]
) -> Violations:
    """Evidence: the ids of what was published or settled, and each one's `approved`."""
    wrong = [unit for unit in left if approved.get(unit) is not True]
    return _broken("I13", *(f"{unit}: approved is {shorten(approved.get(unit))}" for unit in wrong))


def tree_digest(files: Files) -> str:
    """One digest of a whole tree, its lock files left out: for I10."""
    digest = hashlib.sha256()
    for path, data in sorted(files.items()):
        if not path.endswith(".lock"):
            for part in (path.encode("utf-8"), data):
                digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _broken(invariant: str, *whys: str) -> Violations:
    return tuple(Violation(invariant, why) for why in whys)
