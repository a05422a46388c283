"""The counts of a run of tests/faults, printed as one table at its end."""

from __future__ import annotations

from collections import Counter

from alembic_sim.invariants import Violation


class Tally:
    """How often each claim was tried, and every violation that was seen."""

    def __init__(self) -> None:
        self.tried: dict[str, Counter[str]] = {}
        self.violations: dict[str, list[str]] = {}

    def count(self, claim: str, unit: str, times: int = 1) -> None:
        self.tried.setdefault(claim, Counter())[unit] += times

    def blame(self, claim: str, where: str, violations: tuple[Violation, ...]) -> None:
        self.violations.setdefault(claim, []).extend(
            f"{where}: {v.invariant} {v.why}" for v in violations
        )

    def lines(self) -> list[str]:
        """The table: a claim a line, what was counted for it, how many violations."""
        rows = [
            (claim, ", ".join(f"{n:,} {unit}" for unit, n in units.items()), self._verdict(claim))
            for claim, units in self.tried.items()
        ]
        wide = max(len(claim) for claim, *_ in rows)
        middle = max(len(counted) for _, counted, _ in rows)
        return [f"{claim:{wide}}  {counted:{middle}}  {said}" for claim, counted, said in rows]

    def _verdict(self, claim: str) -> str:
        number = len(self.violations.get(claim, ()))
        return f"{number} violation{'' if number == 1 else 's'}"


TALLY = Tally()
"""The one of this run."""
