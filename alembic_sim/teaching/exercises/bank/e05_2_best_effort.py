"""05.2: reading with patience: whatever is in the file, there is an answer."""

from __future__ import annotations

import json

from alembic_sim.adapters.clock import FakeClock
from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.curator.usage_store import DEFAULT_SIDECAR_PATH, UsageStore
from alembic_sim.teaching.exercises.exercise import (
    Case,
    Exercise,
    Function,
    Pick,
    WrongAnswer,
    call_with,
)

FILES: tuple[bytes | None, ...] = (
    b'{"b": {}, "a": {}}',
    b"{}",
    None,
    b"",
    b'{"a": {',
    b"[]",
    b'["b", "a"]',
    b"7",
    b"null",
    b'{"\xff": {}}',
    b'"a"',
)
"""What a sidecar may hold, a file that is not there included."""


def reference(data: bytes | None) -> object:
    """The names in the sidecar that the real store reads."""
    files = {} if data is None else {DEFAULT_SIDECAR_PATH: data}
    return list(UsageStore(MemoryFs(files), FakeClock()).load().names())


def observe(function: Function, case: Case) -> object:
    """The names, or that the call broke: what a read must never do to the host."""
    try:
        return call_with(function, case)
    except (ValueError, AttributeError, TypeError) as error:
        return f"the host's call breaks: {type(error).__name__}"


def generate(pick: Pick) -> Case:
    """One of the files, or an object with other names, whole or cut off."""
    names = [pick(("b", "a", "c")) for _ in range(2)]
    text = json.dumps({name: {} for name in names}).encode("utf-8")
    return (pick((*FILES, text, text, text[:-1], text, text)),)


_START = """
import json

def my_names(data):
"""
_READ = """\
    try:
        parsed = json.loads(data.decode("utf-8"))
    except (AttributeError, ValueError):
        return []
"""
_END = """\
    return sorted(parsed) if isinstance(parsed, dict) else []
"""

EXERCISE = Exercise(
    id="05.2",
    title="Read with patience",
    signature="my_names(data)",
    task="""
Give the names of the skills in a sidecar, sorted. data holds the file's bytes, or None if there is
no file. It should be UTF-8 text, and that text a JSON object by skill name. But it may be anything:
missing, empty, cut off, another encoding, a list, a number. Whatever cannot be read as such an
object has no names; nothing is ever raised, for a use of a skill is waiting.
""",
    todo="It gives back a list of names, empty where nothing can be read.",
    stub="""
import json


def my_names(data):
    ...  # decode, parse, look at what it is; and if one of them fails?
    return ...  # a sorted list
""",
    hints=(
        "Three things can go wrong: no bytes, no UTF-8 or no JSON, no object.",
        "UnicodeDecodeError and json.JSONDecodeError are both a ValueError. None has no decode: "
        "that is an AttributeError.",
        "try: parsed = json.loads(data.decode()), except (AttributeError, ValueError): return []; "
        "then sorted(parsed) only if it is a dict.",
    ),
    solution=_START.replace("json\n", "json\n\n", 1) + _READ + _END,
    wrong_answers=(
        WrongAnswer(
            "only broken JSON is expected",
            _START
            + "    if data is None:\n        return []\n"
            + _READ.replace("(AttributeError, ValueError)", "json.JSONDecodeError")
            + _END,
            "my_names(b'{\"\\xff\": {}}')",
        ),
        WrongAnswer(
            "there is always a file",
            _START + _READ.replace("AttributeError, ", "") + _END,
            "my_names(None)",
        ),
        WrongAnswer(
            "a list is as good as an object",
            _START + _READ + "    return sorted(parsed)\n",
            'my_names(b\'["b", "a"]\')',
        ),
        WrongAnswer(
            "a list of names will do",
            _START + _READ + _END.replace("dict)", "dict | list)"),
            'my_names(b\'["b", "a"]\')',
        ),
        WrongAnswer(
            "the names come as they are",
            _START + _READ + _END.replace("sorted", "list"),
            'my_names(b\'{"b": {}, "a": {}}\')',
        ),
        WrongAnswer(
            "a file that cannot be read is an error",
            _START + _READ.replace("return []", "raise") + _END,
            "my_names(None)",
        ),
    ),
    reference=reference,
    example=(b'{"b": {}, "a": {}, "c": {}}',),
    examples=tuple((data,) for data in FILES),
    generate=generate,
    learnt="A read that fails is empty: the host's call goes on. Writes are another matter.",
    engine="alembic_sim/hermes/curator/sidecar.py::parse_sidecar",
    observe=observe,
)
