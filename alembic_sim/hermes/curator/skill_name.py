"""Which names a skill may have."""

from __future__ import annotations

import re

_NAME = re.compile(r"[a-z0-9._-]{1,64}")


def shown_name(name: str) -> str:
    """The name for a person to read: one that is blank, or has blanks at its ends, in quotes."""
    return name if name and name == name.strip() else repr(name)


def check_name(name: object) -> str | None:
    """Why the name is not allowed, or None if it is: 1 to 64 of `a-z 0-9 . _ -`."""
    if isinstance(name, str) and _NAME.fullmatch(name) and name.strip("."):
        return None
    return "a skill's name is 1 to 64 of a-z, 0-9, '.', '_' and '-', and not only dots"
