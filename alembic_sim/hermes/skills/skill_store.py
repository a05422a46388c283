"""SkillStore: what the agent has learnt to do, as SKILL.md files that the UsageStore hears of.

Two files change per call, so their order matters. The text comes first, the record second: a crash
between them leaves a text without record, which nobody curates, and the call can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches

from alembic_sim.guarded import GuardedFs, checked_place, read_clock
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_store import UsageEvent, UsageReceipt, UsageStore
from alembic_sim.hermes.skills.checks import check_body, check_new_name, check_text
from alembic_sim.hermes.skills.reading import list_skill
from alembic_sim.hermes.skills.skill_file import new_head, skill_text
from alembic_sim.hermes.skills.skill_texts import SkillTexts
from alembic_sim.hermes.skills.types import (
    SkillAction,
    SkillError,
    SkillListing,
    SkillReceipt,
    SkillView,
)
from alembic_sim.ports.fs import FsPort
from alembic_sim.result import Coded, Err, Ok, Result, ask
from alembic_sim.shorten import shorten


class SkillStore:
    """The skills under `folder`, one `NAME/SKILL.md` each, and their telemetry in `usage`.

    Raises `ValueError` for a `usage` that is no UsageStore, or a folder that cannot be.
    """

    def __init__(self, fs: FsPort, usage: UsageStore, folder: str = "skills") -> None:
        if not isinstance(usage, UsageStore):
            raise ValueError(f"usage: {shorten(usage)} is not a UsageStore")
        self._texts = SkillTexts(GuardedFs(fs), checked_place("folder", folder))
        self._usage = usage

    def create(
        self, name: str, description: str, body: str, created_by: str | None = "agent"
    ) -> Result[SkillReceipt, SkillError]:
        """A new, active skill; creating is not activity. A name is never given twice: `exists`.

        A create that broke off between text and record is finished by the same call.
        """
        named = check_new_name(name)
        told = check_text("description", description) if named.ok else named
        clean = check_body(body) if told.ok else told
        if not clean.ok:
            return clean
        author = Ok("") if created_by is None else check_text("created_by", created_by)
        if not author.ok:
            return _refuse("bad-author", author.error.message)
        text = skill_text(new_head(name, description), clean.value)
        ours = self._sidecar_to_write()
        if not ours.ok:
            return ours
        return self._texts.locked(lambda: self._create_locked(name, text, created_by))

    def patch(self, name: str, body: str) -> Result[SkillReceipt, SkillError]:
        """A new body under the same frontmatter; the earlier text is kept beside it, numbered.

        A record without text gets one. A text that cannot be read is left alone: `unreadable`.
        """
        clean = check_body(body)
        if not clean.ok:
            return clean
        known = self._known_to_write(name)
        if not known.ok:
            return known
        return self._texts.locked(lambda: self._patch_locked(name, clean.value))

    def view(self, name: str) -> Result[SkillView, SkillError]:
        """The skill's text, and a view counted; a view that cannot be counted still shows it."""
        sidecar = self._sidecar()
        known = self._known(sidecar, name)
        if not known.ok:
            return known
        text = self._texts.read(name)
        if not text.ok:
            return _refuse(text.error.code, f"{shorten(name)}: {text.error.message}")
        told, body = text.value.description or "", text.value.body
        view = SkillView(name, self._texts.path(name), told, body)
        if sidecar.foreign:
            return Ok(replace(view, notes=("not counted: a Hermes home is never written",)))
        counted = self._count(name, "view")
        if not counted.ok:
            return Ok(replace(view, notes=(_uncounted(counted.error),)))
        return Ok(replace(view, record=counted.value.record, notes=_notes(counted.value)))

    def use(self, name: str) -> Result[SkillReceipt, SkillError]:
        """One use counted. An archived skill stays archived: only `restore` brings it back."""
        known = self._known_to_write(name)
        counted = self._count(name, "use") if known.ok else known
        return Ok(self._receipt("used", counted.value)) if counted.ok else counted

    def archive(self, name: str) -> Result[SkillReceipt, SkillError]:
        """The state archived; the text stays where it is, and nothing is deleted."""
        return self._change(
            name, "archived", lambda record: record.model_copy(update={"state": "archived"})
        )

    def restore(self, name: str) -> Result[SkillReceipt, SkillError]:
        """The state active and activity stamped; takes the exact name that `list` prints.

        An active skill is left as it is: nobody used it.
        """
        now = read_clock(self._usage.clock)
        if not now.ok:
            return _refuse(now.error.code, now.error.message)

        def restored(record: UsageRecord) -> UsageRecord:
            if record.state == "active":
                return record
            return record.model_copy(update={"state": "active", "last_activity_at": now.value})

        return self._change(name, "restored", restored)

    def pin(self, name: str, pinned: bool = True) -> Result[SkillReceipt, SkillError]:
        """The record pinned or unpinned; the receipt says if no curator looks at it anyway."""
        if not isinstance(pinned, bool):
            return _refuse("bad-record", f"pinned: {shorten(pinned)} is not true or false")
        return self._change(
            name,
            "pinned" if pinned else "unpinned",
            lambda record: record.model_copy(update={"pinned": pinned}),
        )

    def list(self) -> Result[SkillListing, SkillError]:
        """Every skill that has a text or a record, by name; best effort and always Ok."""
        sidecar = self._sidecar()
        texts = self._texts.names()
        names = sorted({*sidecar.names(), *(texts.value if texts.ok else ())})
        warnings = [] if texts.ok else [texts.error.message]
        if sidecar.problem is not None:
            warnings.append(f"the records cannot be read: {sidecar.problem}")
        skills = [
            list_skill(name, self._texts.path(name), self._texts.read(name), sidecar)
            for name in names
        ]
        return Ok(SkillListing(tuple(skills), tuple(warnings)))

    def _create_locked(
        self, name: str, text: str, created_by: str | None
    ) -> Result[SkillReceipt, SkillError]:
        free = self._check_free(name, text)
        written = self._texts.write(name, text) if free.ok else free
        if not written.ok:
            return written
        made = ask(self._usage.create, name, created_by, returns=UsageReceipt)
        if not made.ok:
            why = f"the text of {name!r} is written, its record is not safe"
            again = "create it again to finish, unless `list` shows its record"
            return _refuse(made.error.code, f"{why}: {made.error.message}; {again}")
        return Ok(self._receipt("created", made.value))

    def _check_free(self, name: str, text: str) -> Result[None, SkillError]:
        """Ok if no skill has the name, or if this very text waits for its record."""
        sidecar = self._sidecar()
        like = self._texts.named_like(name)
        if not like.ok:
            return like
        recorded = [n for n in sidecar.names() if n.casefold() == name.casefold()]
        if not recorded and not like.value:
            return Ok(None)
        if not recorded and like.value == (name,) and self._texts.holds(name, text):
            return Ok(None)
        taken = min([*recorded, *like.value])
        return _refuse(
            "exists", f"the skill {taken!r} exists; {_remedy(taken, sidecar, like.value)}"
        )

    def _patch_locked(self, name: str, body: str) -> Result[SkillReceipt, SkillError]:
        old = self._texts.read(name)
        if not old.ok and old.error.code != "missing-text":
            return _refuse(old.error.code, f"{old.error.message}; nothing was written")
        named = Ok(name) if old.ok else check_new_name(name)
        if not named.ok:
            return named
        head = (old.value.head if old.ok else "") or new_head(name, "")
        kept = self._texts.write(name, skill_text(head, body))
        if not kept.ok:
            return kept
        path = self._texts.path(name)
        counted = self._count(name, "patch")
        if not counted.ok:  # the text is durable: telemetry never breaks the host's call
            why = (_uncounted(counted.error),)
            return Ok(SkillReceipt("patched", name, path, None, kept=kept.value, notes=why))
        return Ok(self._receipt("patched", counted.value, kept.value))

    def _change(
        self, name: str, action: SkillAction, change: Callable[[UsageRecord], UsageRecord]
    ) -> Result[SkillReceipt, SkillError]:
        """The record after `change`; a text that has no record gets one, without author."""
        known = self._known_to_write(name)
        if not known.ok:
            return known
        if name not in known.value.names():
            made = ask(self._usage.create, name, None, returns=UsageReceipt)
            if not made.ok and made.error.code != "exists":
                return _refuse(made.error.code, made.error.message)
        changed = ask(self._usage.update, name, change, returns=UsageReceipt)
        if not changed.ok:
            return _refuse(changed.error.code, changed.error.message)
        return Ok(self._receipt(action, changed.value))

    def _count(self, name: str, event: UsageEvent) -> Result[UsageReceipt, SkillError]:
        counted = ask(self._usage.record, name, event, returns=UsageReceipt)
        return counted if counted.ok else _refuse(counted.error.code, counted.error.message)

    def _receipt(
        self, action: SkillAction, told: UsageReceipt, kept: str | None = None
    ) -> SkillReceipt:
        notes = _notes(told)
        if told.before == told.record:
            notes += (f"it was {_what(action, told.record)} already: nothing was written",)
        if action in ("pinned", "unpinned") and told.record.created_by != "agent":
            notes += ("recorded, but this skill is not curated: the agent did not make it",)
        path = self._texts.path(told.name)
        return SkillReceipt(action, told.name, path, told.record, told.before, kept, notes)

    def _sidecar(self) -> UsageSidecar:
        loaded = ask(lambda: Ok(self._usage.load()), returns=UsageSidecar)
        return loaded.value if loaded.ok else UsageSidecar(problem=loaded.error.message)

    def _sidecar_to_write(self) -> Result[UsageSidecar, SkillError]:
        sidecar = self._sidecar()
        if sidecar.foreign:  # before any lock: a lock is a file too
            return _refuse("foreign-format", "these skills are a Hermes home's: never written")
        return Ok(sidecar)

    def _known_to_write(self, name: str) -> Result[UsageSidecar, SkillError]:
        ours = self._sidecar_to_write()
        return self._known(ours.value, name) if ours.ok else ours

    def _known(self, sidecar: UsageSidecar, name: str) -> Result[UsageSidecar, SkillError]:
        """The sidecar if the skill has a record or a text under exactly this name."""
        if not isinstance(name, str):
            return _refuse("unknown-skill", f"{shorten(name)} is not the name of a skill")
        like = self._texts.named_like(name)
        if name in sidecar.names() or (like.ok and name in like.value):
            return Ok(sidecar)
        texts = self._texts.names() if like.ok else like
        if not texts.ok:
            return texts
        names = sorted({*sidecar.names(), *texts.value})
        near = [there for there in names if there.startswith(name)] or get_close_matches(
            name, names
        )
        hint = f"; names are exact: {', '.join(map(shorten, near[:3]))}" if near else ""
        return _refuse("unknown-skill", f"there is no skill {shorten(name)}{hint}")


def _remedy(taken: str, sidecar: UsageSidecar, texts: tuple[str, ...]) -> str:
    if taken in sidecar.records and sidecar.records[taken].state == "archived":
        return "it is archived: restore it instead"
    if taken not in texts:
        return "its text is missing: patch it to write one"
    if taken not in sidecar.names():
        return "its text has no record yet: use or patch it, or choose another name"
    return "patch it, or choose another name"


def _notes(told: UsageReceipt) -> tuple[str, ...]:
    notes = []
    if told.corrupt_copy is not None:
        notes.append(f"the records could not be read; their bytes are kept at {told.corrupt_copy}")
    if told.record.state == "archived" and told.before != told.record:
        notes.append("it is archived: restore brings it back")
    return tuple(notes)


def _what(action: SkillAction, record: UsageRecord) -> str:
    return record.state if action in ("archived", "restored") else action


def _uncounted(error: Coded) -> str:
    return f"not counted: {error.message}"


def _refuse(code: str, message: str) -> Err[SkillError]:
    return Err(SkillError(code, message))
