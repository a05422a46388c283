"""Signs in an output: what will not be the same tomorrow, and what is not the lesson's to say."""

from __future__ import annotations

import re

Sign = tuple[str, re.Pattern[str], str]
"""What a stored output must not hold: the rule's name, the sign of it, and the remedy."""

MOVING: tuple[Sign, ...] = (
    ("address", re.compile(r"\b0x[0-9a-fA-F]{5,}"), "Show a value, not an object's repr."),
    (
        "path",
        re.compile(
            r"(?<![\w.~/:-])/(?:home|tmp|root|usr|var|opt|mnt|private|Users|Library|work)/[\w.-]+"
            r"|\b[A-Za-z]:\\\\?\w|file://"
        ),
        "Show a path relative to the lesson's own folder.",
    ),
    (
        "timing",
        re.compile(
            r"Wall time|CPU times|\bper loop\b|\d ?it/s\b|\d ?[µu]s\b|\d ?ns\b"
            r"|\b(?:in|took|after|elapsed:?) \d+\.\d+ ?(?:s|ms|sec|seconds)\b"
        ),
        "Leave times out, or take them from a FakeClock.",
    ),
    (
        "random-id",
        re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
        "Use an injected id factory.",
    ),
    (
        "printed-set",
        re.compile(r"""\{(?:'[^'{}:]*'|"[^"{}:]*"|-?\d+)(?:, (?:'[^'{}]*'|"[^"{}]*"|-?\d+))+\}"""),
        "A set has no order: print it sorted.",
    ),
)
"""What differs from run to run."""

FOREIGN: tuple[Sign, ...] = (
    (
        "library-voice",
        re.compile(
            r"\b\w*Warning:|Traceback \(most recent|site-packages|ipykernel_\d"
            r"|<(?:function|bound method|built-in|module|generator|coroutine|class) "
            r"|\bobject at\b|<Figure size|<Axes|\bnp\.\w+\(|\barray\(|<matplotlib"
            r"|validation errors? for|errors\.pydantic\.dev"
        ),
        "Print the fact itself, in the lesson's words.",
    ),
    (
        "remote",
        re.compile(r"""(?:src|href)=["']?https?:|url\(["']?https?:|@import""", re.IGNORECASE),
        "Nothing is fetched from the network when a lesson is opened.",
    ),
    (
        "script",
        re.compile(r"<script|javascript:|\bon(?:click|load|error)=", re.IGNORECASE),
        "Widgets and SVG need no script; scripts are not run everywhere.",
    ),
)
"""What is not the lesson's to say, or to load."""
