"""02.1: how large a note still fits, delimiter included (seed 2 §1)."""

from __future__ import annotations

from bisect import bisect_left

from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.memory.entry_text import serialise_entries
from alembic_sim.hermes.memory.memory_store import MemoryStore
from alembic_sim.hermes.memory.operations import Add
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer

NOTES = ("tea", "milk", "🧪 lab", "§ 5", "run the linter")


def reference(entries: list[str], limit: int) -> object:
    """The size of the largest note that the real store takes: halving, sizes are tried on it."""
    return bisect_left(range(1, limit + 1), True, key=lambda size: not _takes(entries, limit, size))


def _takes(entries: list[str], limit: int, size: int) -> bool:
    disk = MemoryFs({"memory/MEMORY.md": serialise_entries(entries)})
    store = MemoryStore(disk, memory_char_limit=limit)
    return store.apply("memory", Add("n" * size)).ok


def generate(pick: Pick) -> Case:
    """Up to three different notes, and a limit near what they take, or well above."""
    entries = list(dict.fromkeys(pick.some(lambda: pick(NOTES), at_most=3)))
    used = len(serialise_entries(entries))
    return entries, max(0, used + pick((4, 3, 5, 2, 0, 12, -2)))


EXERCISE = Exercise(
    id="02.1",
    title="How much room is left?",
    signature="my_room(entries, limit)",
    task="""
entries is the list of the notes in a memory file, limit how many characters the file may hold.
Between two notes stands the delimiter. How many characters may one more note have at the most?
""",
    todo="It gives back that number, 0 if no note fits.",
    stub="""
from alembic_sim import ENTRY_DELIMITER


def my_room(entries, limit):
    ...  # return a whole number
""",
    hints=(
        "Write the file out by hand, the new note in it. What else got longer?",
        "The file is the notes joined by ENTRY_DELIMITER. A new note brings a delimiter along, "
        "unless it is the first. And no room is 0, never less.",
        "used = len(ENTRY_DELIMITER.join(entries)); a delimiter is due if there are entries. "
        "max(0, limit - used - that delimiter) is the answer.",
    ),
    solution="""
from alembic_sim import ENTRY_DELIMITER


def my_room(entries, limit):
    used = len(ENTRY_DELIMITER.join(entries))
    delimiter = len(ENTRY_DELIMITER) if entries else 0
    return max(0, limit - used - delimiter)
""",
    wrong_answers=(
        WrongAnswer(
            "the new delimiter is forgotten",
            """
def my_room(entries, limit):
    return max(0, limit - len("\\n§\\n".join(entries)))
""",
            "my_room(['tea'], 10)",
        ),
        WrongAnswer(
            "delimiters are free",
            """
def my_room(entries, limit):
    return max(0, limit - sum(map(len, entries)))
""",
            "my_room(['tea'], 10)",
        ),
        WrongAnswer(
            "the delimiter is taken for one character",
            """
def my_room(entries, limit):
    return max(0, limit - sum(len(entry) + 1 for entry in entries))
""",
            "my_room(['tea'], 10)",
        ),
        WrongAnswer(
            "the first note pays for a delimiter",
            """
def my_room(entries, limit):
    return max(0, limit - len("\\n§\\n".join(entries)) - 3)
""",
            "my_room([], 10)",
        ),
        WrongAnswer(
            "the limit itself is out of bounds",
            """
def my_room(entries, limit):
    used = sum(len(entry) + 3 for entry in entries)
    return max(0, limit - used - 1)
""",
            "my_room([], 10)",
        ),
        WrongAnswer(
            "the room may be negative",
            """
def my_room(entries, limit):
    return limit - sum(len(entry) + 3 for entry in entries)
""",
            "my_room(['tea'], 5)",
        ),
        WrongAnswer(
            "bytes are counted",
            """
def my_room(entries, limit):
    used = len("\\n§\\n".join(entries).encode("utf-8"))
    return max(0, limit - used - (3 if entries else 0))
""",
            "my_room(['🧪'], 10)",
        ),
        WrongAnswer(
            "UTF-16 units are counted",
            """
def my_room(entries, limit):
    used = len("\\n§\\n".join(entries).encode("utf-16-le")) // 2
    return max(0, limit - used - (3 if entries else 0))
""",
            "my_room(['🧪'], 10)",
        ),
    ),
    reference=reference,
    example=(["tea", "milk"], 20),
    examples=(
        ([], 10),
        (["tea"], 10),
        (["tea"], 7),
        (["tea"], 6),
        (["tea"], 5),
        (["🧪"], 10),
        (["tea", "milk"], 14),
    ),
    generate=generate,
    learnt="What counts is the file's whole text: the delimiters between the notes take room, too.",
    engine="alembic_sim/hermes/memory/memory_store.py::MemoryStore._check_budget",
)
