"""`alembic_sim.models`: its names load lazily, and the two lists of them agree."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from alembic_sim import models
from alembic_sim.lazy import modules_by_name

SOURCE = Path(models.__file__).read_text(encoding="utf-8")


def test_the_names_for_type_checkers_and_the_lazy_table_agree() -> None:
    imports = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.ImportFrom)]
    for_checkers = {
        alias.name: node.module.removeprefix("alembic_sim.models.")
        for node in imports
        for alias in node.names
        if alias.asname == alias.name
    }
    assert for_checkers == modules_by_name(models._WHERE)


@pytest.mark.parametrize("name", models.__all__)
def test_every_name_can_be_imported(name: str) -> None:
    assert getattr(models, name) is not None
    assert name in dir(models)


def test_a_name_that_does_not_exist_is_an_attribute_error_that_says_so() -> None:
    with pytest.raises(AttributeError, match=r"alembic_sim\.models.*'no_such_name'"):
        _ = models.no_such_name


def test_importing_one_name_loads_what_it_needs_and_not_the_rest() -> None:
    code = (
        "import sys; from alembic_sim.models import RetryingModel; "
        "print([m.split('.')[-1] for m in sorted(sys.modules) if 'alembic_sim.models.' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "['asking', 'checks', 'retry']"
