"""`pytest tests/sim/fast --seeds 1000`: more seeds for the tests that compare averages."""

from __future__ import annotations

import pytest

DEFAULT_SEEDS = 200


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seeds", type=int, default=DEFAULT_SEEDS, help="seeds to average over")


@pytest.fixture
def seeds(request: pytest.FixtureRequest) -> int:
    """How many seeds to average over; the option is there when this folder is asked for."""
    return request.config.getoption("--seeds", default=DEFAULT_SEEDS)
