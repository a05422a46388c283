"""What every test shares: repeatable hypothesis, and a data folder that is nobody's own."""

from __future__ import annotations

import os
import tempfile

import pytest
from hypothesis import settings

# The same examples on every run, so that a red test stays red until it is fixed. To look for new
# ones: pytest --hypothesis-profile=explore
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.register_profile("explore", max_examples=2000, deadline=None, print_blob=True)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--hypothesis-profile", default=None) is None:
        settings.load_profile("repeatable")
    # No test, and no lesson's kernel, works in the data folder of the person who runs it. (A
    # fixture would not reach the lessons: they are not functions.)
    home = tempfile.TemporaryDirectory(prefix="alembic-sim-home-")
    before = os.environ.get("ALEMBIC_SIM_HOME")
    os.environ["ALEMBIC_SIM_HOME"] = home.name
    config.add_cleanup(home.cleanup)
    config.add_cleanup(lambda: _restore(before))


def _restore(before: str | None) -> None:
    if before is None:
        os.environ.pop("ALEMBIC_SIM_HOME", None)
    else:
        os.environ["ALEMBIC_SIM_HOME"] = before
