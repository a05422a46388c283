"""SkillTexts: the SKILL.md files of one library. A text is replaced, never lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import join
from typing import TypeVar

from alembic_sim.durable import sweep_temp, write_atomic
from alembic_sim.guarded import GuardedFs
from alembic_sim.hermes.skills.reading import MAX_SKILL_BYTES, read_skill
from alembic_sim.hermes.skills.skill_file import SkillFile
from alembic_sim.hermes.skills.types import SkillError
from alembic_sim.ports.fs import FsError
from alembic_sim.result import Err, Ok, Result

T = TypeVar("T")

FILE_NAME = "SKILL.md"
LOCK_DEADLINE_MS = 5_000
_KEPT = re.compile(r"SKILL\.([0-9]{6,12})\.md")
_TEMP = re.compile(r"\.(SKILL(?:\.[0-9]+)?\.md)\.tmp")


class SkillTexts:
    """`folder/NAME/SKILL.md`, and beside it the earlier texts: `SKILL.000001.md` is the oldest."""

    def __init__(self, fs: GuardedFs, folder: str) -> None:
        self._fs = fs
        self._folder = folder
        self._swept = False

    def path(self, name: str) -> str:
        """Where the skill's text is, or would be."""
        return join(self._folder, name, FILE_NAME)

    def names(self) -> Result[tuple[str, ...], SkillError]:
        """The skills that have a text, also one that cannot be read."""
        listed = self._folders()
        return Ok(tuple(filter(self.has, listed.value))) if listed.ok else listed

    def named_like(self, name: str) -> Result[tuple[str, ...], SkillError]:
        """The skills with a text whose name is this one but for the case of its letters."""
        listed = self._folders()
        if not listed.ok:
            return listed
        like = (there for there in listed.value if there.casefold() == name.casefold())
        return Ok(tuple(filter(self.has, like)))

    def has(self, name: str) -> bool:
        """True if something stands where the skill's text would, or nobody can tell."""
        if not name or name.startswith(".") or "/" in name:
            return False
        folder = self._fs.stat(join(self._folder, name))
        if not folder.ok:  # a link out of the root, say: listed with its reason, not hidden
            return True
        if folder.value is None or folder.value.kind != "folder":
            return False
        return self._fs.stat(self.path(name)) != Ok(None)

    def read(self, name: str) -> Result[SkillFile, SkillError]:
        """The skill's text: `missing-text` or `unreadable` else."""
        if not self.has(name):
            why = f"its text is missing: there is no {self.path(name)}"
            return Err(SkillError("missing-text", why))
        return read_skill(self._fs, self.path(name))

    def holds(self, name: str, text: str) -> bool:
        """True if the skill's text is this one, to the byte."""
        return self._fs.read(self.path(name), MAX_SKILL_BYTES) == Ok(text.encode("utf-8"))

    def locked(self, action: Callable[[], Result[T, SkillError]]) -> Result[T, SkillError]:
        """The action's answer, with no other writer of texts at work."""
        lock = self._fs.lock(join(self._folder, ".skills"), LOCK_DEADLINE_MS)
        if not lock.ok:
            code = "lock-timeout" if lock.error.code == "lock-timeout" else "write-failed"
            return Err(SkillError(code, f"{lock.error.message}; nothing was written"))
        with lock.value:
            self._sweep_once()
            return action()

    def write(self, name: str, text: str) -> Result[str | None, SkillError]:
        """Where the earlier text is kept, once the new one is durable; None if there was none.

        Under the lock. The same text again is written again: it may not have been durable yet.
        """
        data = text.encode("utf-8")
        if len(data) > MAX_SKILL_BYTES:
            why = f"{self.path(name)} would be {len(data)} bytes, more than {MAX_SKILL_BYTES}"
            return Err(SkillError("too-large", f"{why}; nothing was written"))
        old = self._fs.read(self.path(name), MAX_SKILL_BYTES)
        if not old.ok and old.error.code != "missing":
            return Err(SkillError("unreadable", f"{old.error.message}; nothing was written"))
        kept: Result[str | None, SkillError] = Ok(None)
        if old.ok and old.value != data:
            kept = self._keep(name, old.value)
        if not kept.ok:
            return kept
        sweep_temp(self._fs, self.path(name))
        written = write_atomic(self._fs, self.path(name), data)
        if not written.ok:
            return Err(SkillError(written.error.code, written.error.message))
        return kept

    def _keep(self, name: str, data: bytes) -> Result[str | None, SkillError]:
        """The text under the next free number; a patch that broke off after this is repeatable."""
        folder = join(self._folder, name)
        listed = self._fs.list(folder)
        if not listed.ok:
            return _not_kept(listed.error)
        numbers = [int(kept[1]) for n in listed.value if (kept := _KEPT.fullmatch(n))]
        newest = max(numbers, default=0)
        path = _kept_path(folder, newest)
        if newest and self._fs.read(path, MAX_SKILL_BYTES) == Ok(data):
            settled = self._fs.sync_dir(folder)
            return Ok(path) if settled.ok else _not_kept(settled.error)
        path = _kept_path(folder, newest + 1)
        written = write_atomic(self._fs, path, data)
        if written.ok:
            return Ok(path)
        why = f"the earlier text is not safely kept, so it stays: {written.error.message}"
        return Err(SkillError("write-failed", why))

    def _sweep_once(self) -> None:
        """Removes what a crash left of any text, at the first write of this object."""
        if self._swept:
            return
        listed = self._folders()
        self._swept = listed.ok
        for name in listed.value if listed.ok else ():
            inside = self._fs.list(join(self._folder, name))
            for left in inside.value if inside.ok else ():
                if temp := _TEMP.fullmatch(left):
                    sweep_temp(self._fs, join(self._folder, name, temp[1]))

    def _folders(self) -> Result[tuple[str, ...], SkillError]:
        listed = self._fs.list(self._folder)
        if listed.ok:
            return listed
        if listed.error.code == "missing":
            return Ok(())
        return Err(SkillError("unreadable", f"cannot list the skills: {listed.error.message}"))


def _kept_path(folder: str, number: int) -> str:
    return join(folder, f"SKILL.{number:06}.md")


def _not_kept(error: FsError) -> Err[SkillError]:
    why = f"the earlier text could not be kept: {error.message}; nothing was written"
    return Err(SkillError("write-failed", why))
