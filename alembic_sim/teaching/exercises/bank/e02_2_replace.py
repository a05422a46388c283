"""02.2: replace finds by a piece and swaps the whole entry (seed 2 §1)."""

from __future__ import annotations

from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.memory.entry_text import serialise_entries
from alembic_sim.hermes.memory.memory_store import MemoryStore
from alembic_sim.hermes.memory.operations import Replace
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer

NOTES = ("tea", "milk", "green tea", "milk first", "tea at four")
PIECES = ("tea", "milk", "green", "first", "four", "sugar")


def reference(entries: list[str], old_text: str, content: str) -> object:
    """The entries that the real store has afterwards, or its code if it refuses."""
    disk = MemoryFs({"memory/MEMORY.md": serialise_entries(entries)})
    store = MemoryStore(disk)
    done = store.apply("memory", Replace(old_text, content))
    return list(store.entries("memory")) if done.ok else done.error.code


def generate(pick: Pick) -> Case:
    """Up to three different entries, a piece to look for, a text to put there."""
    entries = list(dict.fromkeys(pick.some(lambda: pick(NOTES), at_most=3)))
    return entries, pick(PIECES), pick(("soup", "milk", "tea"))


_SOLUTION = """
def my_replace(entries, old_text, content):
    if old_text in entries:
        found = [old_text]
    else:
        found = [entry for entry in entries if old_text in entry]
    if not found:
        return "no-match"
    if len(found) > 1:
        return "ambiguous"
    changed = []
    for entry in entries:
        new = content if entry == found[0] else entry
        if new not in changed:
            changed.append(new)
    return changed
"""


def _mistaken(old: str, new: str) -> str:
    """The solution with one of its lines turned into a mistake."""
    assert old in _SOLUTION
    return _SOLUTION.replace(old, new)


EXERCISE = Exercise(
    id="02.2",
    title="Replace",
    signature="my_replace(entries, old_text, content)",
    task="""
Find the entry that is meant, and put content in its place: in the place of the whole entry. Meant
is the entry equal to old_text; if there is none, the one entry that contains it.

No entry twice: if content stands there already, the two merge, and the first place counts.
""",
    todo="""\
It gives back the new list; or the text "no-match", or "ambiguous" where several contain it.""",
    stub="""
def my_replace(entries, old_text, content):
    found = ...  # the entries that may be meant
    # none: "no-match"; more than one: "ambiguous"
    return ...  # the new list, no entry twice
""",
    hints=(
        "Two questions, one after the other: which entry is meant? And then, what changes?",
        "Ask for an equal entry before you ask for those that contain the text. Do not cut "
        "into the entry: the whole of it goes, and content comes in the same place.",
        "found = [old_text] if old_text in entries, else every entry with old_text in it. Check "
        "len(found). Then walk through entries, put content where found[0] stands, and leave "
        "out what the new list has already.",
    ),
    solution=_SOLUTION,
    wrong_answers=(
        WrongAnswer(
            "only the piece is swapped",
            _mistaken("content if", "entry.replace(old_text, content) if"),
            "my_replace(['green tea'], 'tea', 'soup')",
        ),
        WrongAnswer(
            "the first that contains it is taken",
            _mistaken("if len(found) > 1:", "if False:"),
            "my_replace(['green tea', 'tea at four'], 'tea', 'soup')",
        ),
        WrongAnswer(
            "an equal entry does not win",
            _mistaken("if old_text in entries:", "if False:"),
            "my_replace(['tea', 'green tea'], 'tea', 'soup')",
        ),
        WrongAnswer(
            "a piece is not enough",
            _mistaken("if old_text in entry]", "if old_text == entry]"),
            "my_replace(['green tea'], 'tea', 'soup')",
        ),
        WrongAnswer(
            "what was not found is added",
            _mistaken('return "no-match"', "return [*entries, content]"),
            "my_replace([], 'tea', 'soup')",
        ),
        WrongAnswer(
            "the new text goes to the end",
            """
def my_replace(entries, old_text, content):
    equal = [entry for entry in entries if entry == old_text]
    found = equal or [entry for entry in entries if old_text in entry]
    if len(found) != 1:
        return "ambiguous" if found else "no-match"
    return [entry for entry in entries if entry not in (found[0], content)] + [content]
""",
            "my_replace(['tea', 'milk'], 'tea', 'soup')",
        ),
        WrongAnswer(
            "the same entry stands there twice",
            _mistaken("if new not in changed:", "if True:"),
            "my_replace(['milk', 'green tea'], 'tea', 'milk')",
        ),
    ),
    reference=reference,
    example=(["milk", "green tea"], "green", "soup"),
    examples=(
        ([], "tea", "soup"),
        (["green tea"], "tea", "soup"),
        (["tea", "milk"], "tea", "soup"),
        (["tea", "green tea"], "tea", "soup"),
        (["green tea", "tea at four"], "tea", "soup"),
        (["milk", "green tea"], "tea", "milk"),
        (["green tea", "milk"], "tea", "milk"),
    ),
    generate=generate,
    learnt="The piece only finds the entry. What is swapped is the whole entry, in its place.",
    engine="alembic_sim/hermes/memory/decide.py::decide",
)
