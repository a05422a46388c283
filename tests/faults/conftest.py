"""How much tests/faults tries, and the table of counts that it prints at its end.

`pytest tests/faults --thorough` is what CI runs; `--hostile N` and `--bytes N` set one amount.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import settings

from tests.faults.tally import TALLY, Tally


@dataclass(frozen=True, slots=True)
class Amounts:
    """How many hostile replies, byte strings a parser, and rule-machine examples and steps.

    `synced`: whether the processes that count events also sync every one of them.
    """

    hostile: int
    byte_strings: int
    examples: int
    steps: int
    synced: bool


USUAL = Amounts(hostile=1_000, byte_strings=1_000, examples=25, steps=30, synced=False)
THOROUGH = Amounts(hostile=20_000, byte_strings=10_000, examples=200, steps=50, synced=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("faults")
    group.addoption("--thorough", action="store_true", help="tests/faults with CI's amounts")
    group.addoption("--hostile", type=int, default=None, help="how many hostile model replies")
    group.addoption("--bytes", type=int, default=None, help="how many byte strings per parser")


def pytest_configure(config: pytest.Config) -> None:
    amounts = amounts_of(config)
    settings.register_profile(
        "machines",
        parent=settings.get_profile("repeatable"),
        max_examples=amounts.examples,
        stateful_step_count=amounts.steps,
    )


def amounts_of(config: pytest.Config) -> Amounts:
    """The amounts asked for. (Plain `pytest` reads this file too late to know the options.)"""
    base = THOROUGH if config.getoption("--thorough", default=False) else USUAL
    asked = {
        "hostile": config.getoption("--hostile", default=None),
        "byte_strings": config.getoption("--bytes", default=None),
    }
    return replace(base, **{name: n for name, n in asked.items() if n is not None})


@pytest.fixture
def amounts(pytestconfig: pytest.Config) -> Amounts:
    return amounts_of(pytestconfig)


@pytest.fixture
def tally() -> Tally:
    return TALLY


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if TALLY.tried:
        terminalreporter.section("what the fault tests counted")
        for line in TALLY.lines():
            terminalreporter.write_line(line)
