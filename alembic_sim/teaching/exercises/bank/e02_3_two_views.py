"""02.3: what the prompt holds, and how far it is behind (seed 2 §1)."""

from __future__ import annotations

from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.memory.entry_text import parse_entries
from alembic_sim.hermes.memory.memory_store import MemoryStore
from alembic_sim.hermes.memory.operations import Add
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer

NOTES = ("tea", "milk", "bread")


def reference(sessions: list[list[str]]) -> object:
    """What the last session's snapshot says, on the real store: one store object a session."""
    disk = MemoryFs()
    store = MemoryStore(disk)
    for notes in sessions:
        store = MemoryStore(disk)
        store.load()
        for note in notes:
            store.apply("memory", Add(note)).expect("there is room")
    snapshot = store.load().expect("loading is always Ok")
    return list(parse_entries(snapshot.memory)), snapshot.behind


def generate(pick: Pick) -> Case:
    """One to four sessions of up to three notes; a note may come twice."""

    def session() -> list[str]:
        return pick.some(lambda: pick(NOTES), at_most=3)

    return ([session(), *pick.some(session, at_most=3)],)


EXERCISE = Exercise(
    id="02.3",
    title="Two views of one memory",
    signature="my_prompt(sessions)",
    task="""
sessions is a list of sessions, each a list of the notes that were added in it. Memory was empty
before the first. The last session is still running.
""",
    todo="It gives back a pair: the notes in the last session's prompt, and its behind.",
    stub="""
def my_prompt(sessions):
    in_prompt = []
    # the notes of all sessions but the last, no note twice
    behind = 0
    # the writes of the last session
    return ...  # in_prompt, behind
""",
    hints=(
        "When was the last session's snapshot taken, and what was on disk by then?",
        "The prompt holds what earlier sessions added, each note once. behind counts writes, "
        "and adding a note that is there already writes nothing.",
        "Go through sessions[:-1] and keep each new note. Then, for the notes of sessions[-1], "
        "count those that are neither in that list nor counted before.",
    ),
    solution="""
def my_prompt(sessions):
    on_disk = []
    for notes in sessions[:-1]:
        for note in notes:
            if note not in on_disk:
                on_disk.append(note)
    in_prompt, behind = list(on_disk), 0
    for note in sessions[-1]:
        if note not in on_disk:
            on_disk.append(note)
            behind += 1
    return in_prompt, behind
""",
    wrong_answers=(
        WrongAnswer(
            "the prompt follows each write",
            """
def my_prompt(sessions):
    in_prompt = list(dict.fromkeys(note for notes in sessions for note in notes))
    return in_prompt, 0
""",
            "my_prompt([['tea']])",
        ),
        WrongAnswer(
            "the prompt holds the session before, and no more",
            """
def my_prompt(sessions):
    before = sessions[-2] if len(sessions) > 1 else []
    known = {note for notes in sessions[:-1] for note in notes}
    return list(dict.fromkeys(before)), len(set(sessions[-1]) - known)
""",
            "my_prompt([['tea'], ['milk'], []])",
        ),
        WrongAnswer(
            "a repeated note counts as a write",
            """
def my_prompt(sessions):
    in_prompt = list(dict.fromkeys(note for notes in sessions[:-1] for note in notes))
    return in_prompt, len(sessions[-1])
""",
            "my_prompt([['tea', 'tea']])",
        ),
        WrongAnswer(
            "what an earlier session knew counts as new",
            """
def my_prompt(sessions):
    in_prompt = list(dict.fromkeys(note for notes in sessions[:-1] for note in notes))
    return in_prompt, len(set(sessions[-1]))
""",
            "my_prompt([['tea'], ['tea']])",
        ),
        WrongAnswer(
            "behind counts every session's writes",
            """
def my_prompt(sessions):
    in_prompt = list(dict.fromkeys(note for notes in sessions[:-1] for note in notes))
    return in_prompt, len({note for notes in sessions for note in notes})
""",
            "my_prompt([['tea'], []])",
        ),
        WrongAnswer(
            "a note said twice stands there twice",
            """
def my_prompt(sessions):
    in_prompt = [note for notes in sessions[:-1] for note in notes]
    return in_prompt, len(set(sessions[-1]) - set(in_prompt))
""",
            "my_prompt([['tea', 'tea'], []])",
        ),
    ),
    reference=reference,
    example=([["tea"], ["milk", "bread"]],),
    examples=(
        ([[]],),
        ([["tea"]],),
        ([["tea"], []],),
        ([["tea"], ["milk"]],),
        ([["tea", "tea"]],),
        ([["tea"], ["tea"]],),
        ([["tea", "tea"], []],),
        ([["tea"], ["milk"], []],),
    ),
    generate=generate,
    learnt="Durable now, visible next session: behind counts what the prompt does not know yet.",
    engine="alembic_sim/hermes/memory/memory_store.py::MemoryStore.load",
)
