"""What a new skill, or a new text of one, must be: checked before a single byte is written."""

from __future__ import annotations

from alembic_sim.hermes.curator.skill_name import check_name
from alembic_sim.hermes.skills.skill_file import clean_body, parse_skill
from alembic_sim.hermes.skills.types import SkillError
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import not_utf8, shorten


def check_new_name(name: object) -> Result[str, SkillError]:
    """The name, or `bad-name`.

    [ours] Stricter than the sidecar's by one rule: `.usage.json` and `.curator` live in the same
    folder, so a skill's folder does not begin with a dot.
    """
    why = check_name(name)
    if isinstance(name, str) and why is None and not name.startswith("."):
        return Ok(name)
    return _refuse("bad-name", f"{shorten(name)}: {why or 'a skill does not begin with a dot'}")


def check_body(body: object) -> Result[str, SkillError]:
    """The body as it will be stored: `not-text`, `empty-body` or `frontmatter-in-body` else."""
    text = check_text("body", body)
    if not text.ok:
        return text
    clean = clean_body(text.value)
    if not clean.strip():
        return _refuse("empty-body", "body: blank; say how the thing is done")
    own = parse_skill(clean)
    if own.name is not None or own.description is not None:
        why = "body: it begins with a frontmatter of its own; give what comes after it"
        return _refuse("frontmatter-in-body", why)
    return Ok(clean)


def check_text(field: str, text: object) -> Result[str, SkillError]:
    """The text, or `not-text`: what UTF-8 cannot hold, or a NUL."""
    if not isinstance(text, str):
        return _refuse("not-text", f"{field}: {shorten(text)} is not a text")
    if "\0" in text:
        return _refuse("not-text", f"{field}: character {text.index(chr(0))} is a NUL")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return _refuse("not-text", f"{field}: {not_utf8(error)}")
    return Ok(text)


def _refuse(code: str, message: str) -> Err[SkillError]:
    return Err(SkillError(code, message))
