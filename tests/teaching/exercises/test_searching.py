"""The search: the same smallest case on every run, whatever else is loaded, and no file left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from alembic_sim.teaching.exercises.exercise import Case, Pick
from alembic_sim.teaching.exercises.searching import smallest_failing


def numbers(pick: Pick) -> Case:
    return (pick(range(100)), *pick.some(lambda: pick("abc"), at_most=4))


def test_a_failing_case_is_shrunk_to_first_options_and_few_things() -> None:
    assert smallest_failing(numbers, lambda case: "b" in case) == (0, "b")
    assert smallest_failing(numbers, lambda case: len(case) == 4) == (0, "a", "a", "a")


def test_none_is_found_where_none_fails() -> None:
    assert smallest_failing(numbers, lambda case: False) is None


def test_every_option_can_be_picked_and_no_other_thing() -> None:
    for options in ("a", "ab", "abc", tuple(range(9))):
        seen = set()

        def note(case: Case, seen: set[object] = seen) -> bool:
            seen.add(case[0])
            return False

        smallest_failing(lambda pick, options=options: (pick(options),), note)
        assert seen == set(options)


def test_some_makes_from_none_to_the_most() -> None:
    seen = set()
    smallest_failing(numbers, lambda case: bool(seen.add(len(case) - 1)))
    assert seen == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("wrong", [ValueError("our bug"), KeyError("our bug")])
def test_a_generator_that_raises_is_our_bug_and_is_heard(wrong: Exception) -> None:
    def broken(pick: Pick) -> Case:
        raise wrong

    with pytest.raises(type(wrong)):
        smallest_failing(broken, lambda case: False)


CODE = """
import sys
from alembic_sim.teaching import check

check("03.1", lambda score, minimum: (score >= minimum and not 0.2 < minimum < 0.4, "so it is"))
check("07.2", lambda idle, every, order: 7)
check("03.2", lambda steps: {
    "applied": [n for n, a, w in steps if a and w],
    "rejected": [n for n, a, w in steps if not a],
    "failed": [n for n, a, w in steps if a and not w] if len(steps) < 3 else [],
})
"""


def test_the_same_bytes_are_printed_in_every_process_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    """Other hash seeds, and modules of the learner's own, which hypothesis reads for constants."""
    printed = set()
    for seed, extra in (("1", ""), ("2", ""), ("3", "import mine\n")):
        folder = tmp_path / seed
        folder.mkdir()
        if extra:
            constants = ", ".join(map(str, range(50)))
            (folder / "mine.py").write_text(f"NUMBERS = [{constants}]\n", encoding="utf-8")
        before = sorted(folder.rglob("*"))
        environment = {
            "PYTHONHASHSEED": seed,
            "PYTHONDONTWRITEBYTECODE": "1",
            "ALEMBIC_SIM_HOME": str(tmp_path / "home"),
            "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
        }
        done = subprocess.run(
            [sys.executable, "-c", extra + CODE],
            cwd=folder,
            env=os.environ | environment,
            capture_output=True,
            check=True,
        )
        assert done.stderr == b""
        assert sorted(folder.rglob("*")) == before
        printed.add(done.stdout.decode("utf-8").replace("\r\n", "\n"))
    [text] = printed
    inputs = [line for line in text.splitlines() if line.startswith("  input")]
    assert inputs == [
        "  input     my_gate(0.21, 0.21)",
        "  input     my_passes(120, 1, 'archive-first')",
        "  input     my_buckets([('tea', True, False), ('tea', True, True), ('te…",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "import alembic_sim.teaching",
        "from alembic_sim.teaching import check, exercise, hint, solution",
        "from alembic_sim.teaching import exercise; exercise('03.3')",
        "from alembic_sim.teaching import check\n"
        "def my_gate(score, minimum): ...\n"
        "check('03.1', my_gate)",
    ],
)
def test_hypothesis_is_loaded_by_a_check_of_something_written_and_by_nothing_else(
    code: str,
) -> None:
    report = (
        "\nimport sys\nheavy = ('hypothesis', 'numpy', 'matplotlib', 'ipywidgets', 'nbval')\n"
        "assert not [name for name in heavy if name in sys.modules]"
    )
    subprocess.run([sys.executable, "-c", code + report], capture_output=True, check=True)
