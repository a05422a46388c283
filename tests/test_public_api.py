"""The public names: each loads what it needs, lazily, and the two lists of them agree."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import alembic_sim
from alembic_sim.lazy import modules_by_name

# contracts: Public API, as far as it exists
PUBLIC = [
    *("Ok", "Err", "Result"),
    *("Clock", "FakeClock", "SystemClock", "DAY_MS"),
    *("FsPort", "MemoryFs", "DiskFs", "FaultyFs", "write_atomic"),
    *("MemoryStore", "MemorySnapshot", "Add", "Replace", "Remove", "StoreError", "WriteReceipt"),
    *("ENTRY_DELIMITER", "DEFAULT_MEMORY_CHAR_LIMIT", "DEFAULT_USER_CHAR_LIMIT"),
    *(
        "ReviewProposal",
        "ReviewProposer",
        "ReviewGate",
        "GateVerdict",
        "ReviewDeps",
        "LearnOutcome",
        "LearnError",
    ),
    *(
        "review_and_learn",
        "score_threshold_gate",
        "DEFAULT_REVIEW_SCORE_THRESHOLD",
        "model_proposer",
        "review_all_then_learn",
    ),
    *("UsageStore", "UsageRecord", "SkillStore", "SkillState"),
    *("next_state", "run_curator", "CuratorDeps", "CuratorPolicy", "CuratorReport"),
    *("guard_pass", "pick_cheapest_for_tier"),
    *("ModelAdapter", "ModelRequest", "ModelReply", "ModelError", "FakeModel"),
    *("Scenario", "load_scenario", "read_scenario", "simulate", "sweep", "sweep_gates"),
    *("forecast", "read_library"),
]

MODULE_OF = modules_by_name(alembic_sim._WHERE)
SOURCE = Path(alembic_sim.__file__).read_text(encoding="utf-8")


def in_a_fresh_process(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("name", PUBLIC)
def test_the_name_can_be_imported_from_the_package(name: str) -> None:
    assert getattr(alembic_sim, name) is not None
    assert name in alembic_sim.__all__
    assert name in dir(alembic_sim)


def test_no_name_is_public_twice() -> None:
    assert len(alembic_sim.__all__) == len(set(alembic_sim.__all__))


def names_for_type_checkers() -> dict[str, str]:
    """The names in the `if TYPE_CHECKING:` block, each with the module it says."""
    [block] = [
        node
        for node in ast.parse(SOURCE).body
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    ]
    found = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom), "only imports stand there"
        for alias in node.names:
            assert alias.asname == alias.name, "a re-export is written `X as X`"
            found[alias.name] = node.module
    return found


def test_the_names_for_type_checkers_and_the_lazy_table_agree() -> None:
    lazy = {name: f"alembic_sim.{module}" for name, module in MODULE_OF.items()}
    assert names_for_type_checkers() == lazy
    assert list(lazy) == alembic_sim.__all__


@pytest.mark.parametrize("name", PUBLIC)
def test_the_module_in_the_table_is_where_the_name_is_defined(name: str) -> None:
    public = getattr(alembic_sim, name)
    home = getattr(public, "__module__", None)
    if isinstance(home, str) and home.startswith("alembic_sim"):  # a constant has no home
        assert home == f"alembic_sim.{MODULE_OF[name]}"


def test_importing_the_package_loads_nothing_but_its_lazy_table() -> None:
    code = (
        "import sys, alembic_sim; "
        "print([m for m in sys.modules if m.startswith('alembic_sim.')], 'pydantic' in sys.modules)"
    )
    assert in_a_fresh_process(code) == "['alembic_sim.lazy'] False"


def test_importing_one_name_loads_what_it_needs_and_not_the_rest() -> None:
    code = (
        "import sys; from alembic_sim import MemoryFs; "
        "print(*[m for m in sorted(sys.modules) if 'alembic_sim.hermes' in m], "
        "'alembic_sim.adapters.memory_fs' in sys.modules, 'filelock' in sys.modules)"
    )
    assert in_a_fresh_process(code) == "True False"


def test_importing_every_name_prints_nothing_and_touches_no_file() -> None:
    code = (
        "import sys; events = []\n"
        "sys.addaudithook(lambda name, args: events.append(args) if name == 'open' and "
        "isinstance(args[1], str) and set(args[1]) & set('wax+') else None)\n"
        "sys.dont_write_bytecode = True\n"
        "from alembic_sim import *\n"
        "assert events == [], events"
    )
    assert in_a_fresh_process(code) == ""


def test_a_name_that_does_not_exist_is_an_attribute_error_that_says_so() -> None:
    with pytest.raises(AttributeError, match=r"alembic_sim.*'no_such_name'"):
        _ = alembic_sim.no_such_name
    with pytest.raises(ImportError):
        exec("from alembic_sim import no_such_name")


def test_the_constants_are_the_ones_of_the_seeds() -> None:
    assert alembic_sim.DAY_MS == 24 * 60 * 60 * 1000
    assert alembic_sim.ENTRY_DELIMITER == "\n§\n"
    assert alembic_sim.DEFAULT_MEMORY_CHAR_LIMIT == 2200
    assert alembic_sim.DEFAULT_USER_CHAR_LIMIT == 1375
    assert alembic_sim.DEFAULT_REVIEW_SCORE_THRESHOLD == 0.7
