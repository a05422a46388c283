"""04.2: a reviewer with nothing to say, and one that cannot speak (seed 3)."""

from __future__ import annotations

from alembic_sim.hermes.learning.model_proposer import parse_proposals
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer

BODIES = ("[]", '["a"]', '["a", "b"]', "{}", '{"proposals": []}', "null", "", '"[]"', "0", "tea")
WRAPPINGS = ("{}", "```json\n{}\n```", "See [1]: {}", "{} Anything else?", " {}\n", "[{}")


def reference(body: str) -> object:
    """What the engine makes of the reply."""
    match parse_proposals(body):
        case read if not read.ok:
            return "broken"
        case read:
            return "proposals" if read.expect("it was read") else "quiet"


def generate(pick: Pick) -> Case:
    """A reply, as it should be or wrapped in something that should not be there."""
    body, wrapping = pick(BODIES), pick(WRAPPINGS)
    return (wrapping.replace("{}", body, 1),)


_SOLUTION = """
import json


def my_reply(body):
    try:
        parsed = json.loads(body)
    except ValueError:
        return "broken"
    if not isinstance(parsed, list):
        return "broken"
    return "proposals" if parsed else "quiet"
"""


def _mistaken(old: str, new: str) -> str:
    assert old in _SOLUTION
    return _SOLUTION.replace(old, new)


EXERCISE = Exercise(
    id="04.2",
    title="Quiet or broken?",
    signature="my_reply(body)",
    task="""
body is the text that a model replied. It must be a JSON array, and nothing but that. An empty array
says that there is nothing to save. Everything else that is no array is a broken reply.
""",
    todo='It gives back "proposals", "quiet" (an empty array) or "broken".',
    stub="""
import json


def my_reply(body):
    ...  # json.loads(body) raises ValueError if body is not JSON
    return ...  # "proposals", "quiet" or "broken"
""",
    hints=(
        "Which one reply may mean that there is nothing to save? An empty text? Prose? null?",
        "Parse the whole body, as it is: strip no fence, look for no bracket. A body that is not "
        "JSON is broken; and so is one that is JSON, but no list.",
        "try: parsed = json.loads(body), except ValueError: broken. Not isinstance(parsed, list): "
        "broken. Then proposals if parsed else quiet.",
    ),
    solution=_SOLUTION,
    wrong_answers=(
        WrongAnswer(
            "what cannot be read counts as nothing",
            _mistaken(
                'except ValueError:\n        return "broken"',
                'except ValueError:\n        return "quiet"',
            ),
            "my_reply('')",
        ),
        WrongAnswer(
            "all that is empty is quiet",
            _mistaken(
                "    if not isinstance(parsed, list):",
                '    if not parsed:\n        return "quiet"\n    if not isinstance(parsed, list):',
            ),
            "my_reply('null')",
        ),
        WrongAnswer(
            "an object is unwrapped",
            _mistaken(
                "    if not isinstance(parsed, list):",
                "    if isinstance(parsed, dict):\n"
                '        parsed = parsed.get("proposals")\n'
                "    if not isinstance(parsed, list):",
            ),
            """my_reply('{"proposals": []}')""",
        ),
        WrongAnswer(
            "the code fence is peeled off",
            _mistaken(
                "json.loads(body)", 'json.loads(body.removeprefix("```json").removesuffix("```"))'
            ),
            r"""my_reply('```json\n["a"]\n```')""",
        ),
        WrongAnswer(
            "the array is dug out of the prose",
            _mistaken("json.loads(body)", 'json.loads(body[body.find("[") : body.rfind("]") + 1])'),
            """my_reply('See why: ["a"]')""",
        ),
        WrongAnswer(
            "the empty array is broken",
            _mistaken(
                "if not isinstance(parsed, list):", "if not isinstance(parsed, list) or not parsed:"
            ),
            "my_reply('[]')",
        ),
        WrongAnswer(
            "any JSON will do",
            _mistaken("if not isinstance(parsed, list):", "if parsed is None:"),
            """my_reply('{"proposals": []}')""",
        ),
    ),
    reference=reference,
    example=('["a", "b"]',),
    examples=(
        ("[]",),
        ('["a"]',),
        ("",),
        ("null",),
        ('See why: ["a"]',),
        ('{"proposals": []}',),
        ('```json\n["a"]\n```',),
        ('["a"',),
    ),
    generate=generate,
    learnt="A broken reviewer must not look like one that has nothing to say.",
    engine="alembic_sim/hermes/learning/model_proposer.py::parse_proposals",
)
