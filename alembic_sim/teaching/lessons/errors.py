"""LessonError: why a lesson tool did not do what was asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LessonError:
    """A short stable `code`, and a `message` saying what happened and what to do next."""

    code: str
    message: str
