"""What every test shares: repeatable hypothesis, and a data folder that is nobody's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

# The same examples on every run, so that a red test stays red until it is fixed. To look for new
# ones: pytest --hypothesis-profile=explore
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.register_profile("explore", max_examples=2000, deadline=None, print_blob=True)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--hypothesis-profile", default=None) is None:
        settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def data_folder_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test works in the data folder of the person who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALEMBIC_SIM_HOME", str(tmp_path_factory.mktemp("home")))
        yield
