"""What a learner mistypes is answered with a value that says what was meant."""

from __future__ import annotations

import pytest

from alembic_sim import CuratorDeps, FakeClock, MemoryFs, UsageStore, run_curator

USAGE = UsageStore(MemoryFs(), FakeClock())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((USAGE,), "is not CuratorDeps(usage=…)"),
        ((CuratorDeps(USAGE), (30, 90)), "policy: (30, 90) is not a CuratorPolicy(30, 90)"),
        ((CuratorDeps(USAGE), True), "policy: True is not a CuratorPolicy(30, 90)"),
    ],
)
def test_run_curator_says_what_it_was_given_instead(arguments: tuple, said: str) -> None:
    result = run_curator(*arguments)
    assert not result.ok
    assert result.error.code == "bad-argument"
    assert said in result.error.message


def test_a_ledger_that_raises_stops_the_pass_before_it_begins() -> None:
    class Broken:
        clock = FakeClock()

        def load(self) -> None:
            raise OSError("gone")

    result = run_curator(CuratorDeps(Broken()))
    assert not result.ok
    assert (result.error.code, "gone" in result.error.message) == ("raised", True)
