"""Any bytes may lie in a file: every parser answers, none raises."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from alembic_sim import FakeClock, MemoryFs, MemoryStore, UsageStore
from alembic_sim.hermes.curator.run_record import read_saved_run
from alembic_sim.hermes.curator.sidecar import parse_sidecar, serialise_sidecar
from alembic_sim.hermes.memory.entry_text import parse_entries
from alembic_sim.hermes.memory.sub_record import parse_records
from alembic_sim.hermes.memory.sub_store import SubStore
from alembic_sim.hermes.skills.skill_file import parse_skill, skill_text
from alembic_sim.invariants import i1_parse_of_serialise_is_the_same
from tests.faults.conftest import Amounts
from tests.faults.mutations import mutated
from tests.faults.tally import Tally
from tests.faults.workloads import LIBRARY, ONE_RECORD, SIDECAR, SKILL_TEXT, after_a_pass

CLAIM = "parsers on arbitrary bytes"


def memory_file(data: bytes) -> None:
    store = MemoryStore(MemoryFs({"memory/MEMORY.md": data}))
    snapshot = store.load().expect("best effort")
    assert i1_parse_of_serialise_is_the_same(store.entries("memory")) == ()
    assert store.entries("memory") or not snapshot.memory
    parse_entries(data.decode("utf-8", "replace"))


def sidecar(data: bytes) -> None:
    read = parse_sidecar(data)
    again = parse_sidecar(serialise_sidecar(read))
    assert (again.records, again.invalid) == (read.records, read.invalid)
    UsageStore(MemoryFs({SIDECAR: data}), FakeClock()).load()


def sub_store(data: bytes) -> None:
    fs = MemoryFs({"memory/episodic.jsonl": data})
    store = SubStore(fs, FakeClock(), "episodic")
    before = store.list().expect("best effort").records
    added = store.append({"text": "next"}).expect("one more line")
    assert (
        store.list().value.records
        == (added, *before)
        == parse_records(fs.files()["memory/episodic.jsonl"]).records
    )


def run_record(data: bytes) -> None:
    saved = read_saved_run(data)
    assert not saved.ok or saved.value.moves() is not None


def skill_file(data: bytes) -> None:
    skill = parse_skill(data.decode("utf-8", "replace"))
    assert skill.body == parse_skill(skill_text("---\nname: a\n---\n", skill.body)).body


SEEDS: dict[str, tuple[Callable[[bytes], None], list[bytes]]] = {
    "memory file": (memory_file, ["one\n§\ntwo\r\n§\r\n\ufeffthree 😀".encode()]),
    "sidecar": (sidecar, [LIBRARY.encode(), b'{"a": {"use_count": 1}}', b"[1e999]"]),
    "sub-store": (sub_store, [f"{ONE_RECORD}\n{ONE_RECORD}".encode()]),
    "run.json": (run_record, [d for p, d in after_a_pass().items() if p.endswith("run.json")]),
    "SKILL.md": (skill_file, [SKILL_TEXT.encode()]),
}


@pytest.mark.parametrize("kind", SEEDS)
def test_no_bytes_make_a_parser_raise(kind: str, amounts: Amounts, tally: Tally) -> None:
    """Half of them are noise, half are a file of ours with a few bytes gone wrong."""
    parse, seeds = SEEDS[kind]
    rng = random.Random(kind)
    for number in range(amounts.byte_strings):
        data = mutated(rng, rng.choice(seeds)) if number % 2 else rng.randbytes(rng.randrange(80))
        parse(data)
        tally.count(CLAIM, kind)
