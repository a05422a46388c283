"""`say`: a line of the benchmarks' table."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Prints a line of its own, past pytest and its dots."""

    def print_line(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", end="", flush=True)

    return print_line
