"""Two sessions on one disk, driven at random: the invariants hold after every step."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from alembic_sim import Add, MemoryFs, MemoryStore, Remove, Replace
from alembic_sim.hermes.memory.entry_text import parse_entries, serialise_entries

LIMITS = {"memory": 40, "user": 25}
FILES = {"memory": "memory/MEMORY.md", "user": "memory/USER.md"}
TEXTS = st.sampled_from(
    ["a", "b", "ab", "tea", "tea time", "x" * 30, "one\ntwo", " a ", "§", "a § b", "a\n§\nb", ""]
) | st.text(alphabet="ab§\n\r \ufeff", max_size=8)
TARGETS = st.sampled_from(["memory", "user"])
OPS = st.builds(Add, TEXTS) | st.builds(Replace, TEXTS, TEXTS) | st.builds(Remove, TEXTS)
SESSIONS = st.sampled_from([0, 1])


class TwoSessions(RuleBasedStateMachine):
    @initialize(text=st.text(alphabet="ab§\n\r \ufeff", max_size=20))
    def start(self, text: str) -> None:
        self.disk = MemoryFs(dict.fromkeys(FILES.values(), text))
        self.stores = [self.new_session(), self.new_session()]
        self.snapshots = [store.load().value for store in self.stores]
        self.writes = [0, 0]

    def new_session(self) -> MemoryStore:
        return MemoryStore(self.disk, LIMITS["memory"], LIMITS["user"])

    def sizes(self) -> dict[str, int]:
        return {target: len(serialise_entries(self.entries(target))) for target in FILES}

    def entries(self, target: str) -> tuple[str, ...]:
        return parse_entries(self.disk.files()[FILES[target]].decode("utf-8"))

    def check(self, session: int, target: str, result: object, before: dict, sizes: dict) -> None:
        after = self.disk.files()
        others = [path for path in before if path != FILES[target]]
        assert all(after[path] == before[path] for path in others), "only the target's file changes"
        if not result.ok:
            assert after == before, "I5: refused means unchanged"
            return
        if after != before:
            self.writes[session] += 1
        size = self.sizes()[target]
        assert size <= max(LIMITS[target], sizes[target]), "I2: within the limit, or not grown"
        assert result.value.used_chars == size
        assert self.stores[session].entries(target) == self.entries(target)

    @rule(session=SESSIONS, which=TARGETS, op=OPS)
    def apply(self, session: int, which: str, op: object) -> None:
        before, sizes = self.disk.files(), self.sizes()
        result = self.stores[session].apply(which, op)
        self.check(session, which, result, before, sizes)
        if result.ok and isinstance(op, Add):
            assert result.value.entry in self.entries(which)

    @rule(session=SESSIONS, which=TARGETS, ops=st.lists(OPS, min_size=1, max_size=3))
    def apply_batch(self, session: int, which: str, ops: list) -> None:
        before, sizes = self.disk.files(), self.sizes()
        result = self.stores[session].apply_batch(which, ops)
        self.check(session, which, result, before, sizes)

    @rule(session=SESSIONS)
    def load_again(self, session: int) -> None:
        before = self.disk.files()
        self.stores[session].load().expect("always Ok")
        assert self.disk.files() == before

    @rule(session=SESSIONS)
    def next_session(self, session: int) -> None:
        self.stores[session] = self.new_session()
        self.snapshots[session] = self.stores[session].load().value
        self.writes[session] = 0

    @rule(which=TARGETS, text=st.text(alphabet="ab§\n\r \ufeff", max_size=60))
    def a_person_edits_the_file(self, which: str, text: str) -> None:
        self.disk.write(FILES[which], text.encode("utf-8")).expect("an edit")

    @invariant()
    def the_files_parse_to_what_they_would_be_written_as(self) -> None:
        for target in FILES:
            entries = self.entries(target)
            assert parse_entries(serialise_entries(entries)) == entries, "I1"

    @invariant()
    def every_snapshot_is_as_it_was_but_for_how_far_it_is_behind(self) -> None:
        for store, first, writes in zip(self.stores, self.snapshots, self.writes, strict=True):
            now = replace(store._snapshot, behind=store._behind)  # load() would see new entries
            assert now == replace(first, behind=writes), "I3"

    @invariant()
    def no_temporary_file_and_no_lock_stays(self) -> None:
        assert sorted(self.disk.files()) == sorted(FILES.values())
        assert self.disk._locked == set()


TestTwoSessions = TwoSessions.TestCase
TestTwoSessions.settings = settings(max_examples=100, stateful_step_count=40)
