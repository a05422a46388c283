"""All adapters give the same answers to the same steps, whatever is asked of them.

MemoryFs is the model, the disk the system: stores may be taught on one and run on the other.
Messages and times differ, answers do not.
"""

from __future__ import annotations

import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from posixpath import dirname, join

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from alembic_sim import Ok
from tests.contracts.test_fs_port import ADAPTERS

PATHS = st.sampled_from(
    ["a", "b", "f", "f/a", "./f//a", "f/.a.tmp", ".a.tmp", "a/x", "", "..", "f/g/h", "é/§"]
)
NASTY = ["", "a\r\nb", "a\rb", "\ufeffa", "\0", "§ 😀", "\ud800"]
TEXTS = st.sampled_from(NASTY) | st.text(max_size=4)
DATA = st.sampled_from([b"", b"\r\n", b"\xff"]) | st.binary(max_size=3)


def summary(answer: object) -> object:
    """What must be equal: kind and size, a value, or the error's code; lock files are a disk's."""
    match answer:
        case Ok(AbstractContextManager()):
            return "held"
        case Ok(value) if hasattr(value, "kind"):
            return value.kind, value.size
        case Ok(tuple(names)):
            return [name for name in names if not name.endswith(".lock")]
        case Ok(value):
            return value
        case refused:
            return refused.error.code


class TheSameSteps(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.root = tempfile.TemporaryDirectory()
        self.adapters = [make(Path(self.root.name, name)) for name, make in ADAPTERS.items()]
        for fs in self.adapters:
            fs.mkdir("").expect("a root")
        self.held: list[list[AbstractContextManager[None]]] = []

    def all_do(self, operation: str, *arguments: object) -> list[object]:
        answers = [getattr(fs, operation)(*arguments) for fs in self.adapters]
        first, *others = map(summary, answers)
        assert all(first == other for other in others), (operation, arguments, answers)
        return answers

    @rule(path=PATHS, operation=st.sampled_from(["sync", "sync_dir", "mkdir", "remove_temp"]))
    def ask(self, operation: str, path: str) -> None:
        self.all_do(operation, path)

    @rule(path=PATHS, data=DATA, operation=st.sampled_from(["write", "append"]))
    def put_bytes(self, operation: str, path: str, data: bytes) -> None:
        self.all_do(operation, path, data)

    @rule(path=PATHS, text=TEXTS)
    def put_text(self, path: str, text: str) -> None:
        self.all_do("write_text", path, text)

    @rule(old=PATHS, new=PATHS)
    def rename(self, old: str, new: str) -> None:
        self.all_do("replace", old, new)

    @rule(path=PATHS, most=st.sampled_from([None, 0, 2]))
    def look(self, path: str, most: int | None) -> None:
        self.all_do("read", path, most)
        self.all_do("read_text", path)
        self.all_do("stat", path)
        self.all_do("list", path)

    @rule(path=PATHS.filter(bool))
    def lock(self, path: str) -> None:
        folder = self.adapters[0].stat(dirname(path))
        if folder == Ok(None):
            return  # a disk makes the folder for its lock file, memory has none to make
        answers = self.all_do("lock", path, 0)
        if answers[0].ok:
            self.held.append([answer.value for answer in answers])
            for context in self.held[-1]:
                context.__enter__()

    @precondition(lambda self: self.held)
    @rule(which=st.integers(min_value=0))
    def unlock(self, which: int) -> None:
        for context in self.held.pop(which % len(self.held)):
            context.__exit__(None, None, None)

    @invariant()
    def the_trees_are_equal(self) -> None:
        folders = [""]
        for folder in folders:  # grows while it is walked
            for name in summary(self.all_do("list", folder)[0]):
                path = join(folder, name)
                if summary(self.all_do("stat", path)[0]) == ("folder", 0):
                    folders.append(path)
                else:
                    self.all_do("read", path)
                    self.all_do("read_text", path)

    def teardown(self) -> None:
        while self.held:
            self.unlock(0)
        self.root.cleanup()


TestTheSameSteps = TheSameSteps.TestCase
TestTheSameSteps.settings = settings(max_examples=40, stateful_step_count=25)
