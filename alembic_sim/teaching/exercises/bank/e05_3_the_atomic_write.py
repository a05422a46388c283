"""05.3: writing with care: the old bytes or the new ones, whatever fails and whenever."""

from __future__ import annotations

from collections.abc import Iterable

from alembic_sim.adapters.fault_plan import FaultPlan
from alembic_sim.adapters.faulty_fs import FaultyFs
from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.durable import write_atomic
from alembic_sim.result import Err, Ok
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Function, Pick, WrongAnswer
from alembic_sim.teaching.exercises.telling import tell

PATH, OLD, NEW = "a.json", b"old", b"new"

EITHER = "the old or the new bytes"

NO_FAULT = "nothing fails"
ONE_FAILS = "one operation fails"
POWER_GOES = "the power goes midway"
POWER_GOES_LATER = "the power goes after Ok"


def observe(function: Function, case: Case) -> object:
    """What the function said and what is in the file then, over every place of the fault."""
    (fault,) = case
    whole, seen = _run(function, FaultPlan())
    if fault == NO_FAULT:
        return seen
    if fault == POWER_GOES_LATER:
        return _any_of(_content(crashed.fs) for crashed in whole.crash())
    outcomes: list[str] = []
    for number in range(1, len(whole.operations) + 1):
        if fault == POWER_GOES:
            fs, _ = _run(function, FaultPlan.crash(number))
            outcomes += [_either(_content(crashed.fs)) for crashed in fs.crash()]
        else:
            _, seen = _run(function, FaultPlan.fail(number))
            outcomes.append(_either(seen) if seen.startswith("Err") else seen)
    return _any_of(outcomes)


def _run(function: Function, plan: FaultPlan) -> tuple[FaultyFs, str]:
    """One write on a fresh disk: that disk, and `Ok, the new bytes` or whatever came out."""
    disk = MemoryFs({PATH: OLD})
    fs = FaultyFs(disk, plan)
    match function(fs, PATH, NEW):
        case Ok():
            said = "Ok"
        case Err():
            said = "Err"
        case other:
            said = tell(other)
    return fs, f"{said}, {_content(disk)}"


def _content(fs: MemoryFs) -> str:
    read = fs.read(PATH)
    if not read.ok:
        return "no file"
    return {OLD: "the old bytes", NEW: "the new bytes"}.get(read.value, "half a file")


def _either(outcome: str) -> str:
    """The outcome, where old and new bytes are equally right."""
    for one in ("the old bytes", "the new bytes"):
        if outcome.endswith(one):
            return outcome.removesuffix(one) + EITHER
    return outcome


def _any_of(outcomes: Iterable[str]) -> str:
    return "; or ".join(sorted(set(outcomes)))


def generate(pick: Pick) -> Case:
    """One kind of fault; its place is not picked: all of them are tried."""
    return (pick((NO_FAULT, ONE_FAILS, POWER_GOES, POWER_GOES_LATER)),)


def _show(case: Case) -> str:
    return f"my_write(fs, {PATH!r}, data): {case[0]}"


_START = """
from alembic_sim import Ok

def my_write(fs, path, data):
    temp = "." + path + ".tmp"
"""
_STEPS = """\
    steps = (
        lambda: fs.write(temp, data),
        lambda: fs.sync(temp),
        lambda: fs.replace(temp, path),
        lambda: fs.sync_dir(""),
    )
"""
_LOOP = """\
    for step in steps:
        done = step()
        if not done.ok:
            return done
    return Ok(None)
"""

EXERCISE = Exercise(
    id="05.3",
    title="Write with care",
    signature="my_write(fs, path, data)",
    task="""
Replace what is in the file by data, so that after any fault, and after a power cut at any moment,
the file holds the old bytes or the new ones: never half of either, never nothing. Answer Ok only
when not even a power cut could bring the old bytes back. The disk fs has fs.write(path, data),
fs.sync(path), fs.replace(source, target) and fs.sync_dir(folder); each answers Ok or Err. The file
lies in the root, whose name is "". A temporary file is called "." + path + ".tmp".
""",
    todo="It gives back Ok(None), or the Err of the operation that failed.",
    stub="""
from alembic_sim import Ok


def my_write(fs, path, data):
    temp = "." + path + ".tmp"
    ...  # which operations, in which order? and if one answers Err?
    return ...
""",
    hints=(
        "Never touch the file itself: write another one, then give it the name.",
        'Bytes are safe only after fs.sync(temp), a name only after fs.sync_dir("").',
        "write(temp), sync(temp), replace(temp, path), sync_dir of the root. After each: if not "
        "done.ok, return done. At the end Ok(None).",
    ),
    solution=_START.replace("Ok\n", "Ok\n\n", 1) + _STEPS + _LOOP,
    wrong_answers=(
        WrongAnswer(
            "the file itself is written over",
            _START
            + _STEPS.replace("        lambda: fs.replace(temp, path),\n", "").replace(
                "temp", "path"
            )
            + _LOOP,
            "my_write(fs, 'a.json', data): the power goes midway",
        ),
        WrongAnswer(
            "the bytes are not synced",
            _START + _STEPS.replace("        lambda: fs.sync(temp),\n", "") + _LOOP,
            "my_write(fs, 'a.json', data): the power goes midway",
        ),
        WrongAnswer(
            "the name is not synced",
            _START + _STEPS.replace('        lambda: fs.sync_dir(""),\n', "") + _LOOP,
            "my_write(fs, 'a.json', data): the power goes after Ok",
        ),
        WrongAnswer(
            "nobody looks at the answers",
            _START + _STEPS + "    for step in steps:\n        step()\n    return Ok(None)\n",
            "my_write(fs, 'a.json', data): one operation fails",
        ),
        WrongAnswer(
            "the bytes are synced after the renaming",
            _START
            + _STEPS.replace("        lambda: fs.sync(temp),\n", "").replace(
                "path),\n        lambda: fs.sync_dir",
                "path),\n        lambda: fs.sync(path),\n        lambda: fs.sync_dir",
            )
            + _LOOP,
            "my_write(fs, 'a.json', data): the power goes midway",
        ),
        WrongAnswer(
            "the last answer is not handed on",
            _START
            + _STEPS.replace('        lambda: fs.sync_dir(""),\n', "")
            + _LOOP.replace("    return Ok", '    fs.sync_dir("")\n    return Ok'),
            "my_write(fs, 'a.json', data): one operation fails",
        ),
    ),
    reference=write_atomic,
    example=(POWER_GOES,),
    examples=((NO_FAULT,), (ONE_FAILS,), (POWER_GOES,), (POWER_GOES_LATER,)),
    generate=generate,
    learnt="Temporary file, sync, replace, sync the folder: four steps, and none can be left out.",
    engine="alembic_sim/durable.py::write_atomic",
    observe=observe,
    show_case=_show,
)
