"""What `alembic-sim simulate` prints: a run in about twenty lines, the answer last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alembic_sim.cli.sparkline import sparkline
from alembic_sim.cli.visible import visible_line
from alembic_sim.iso import iso_from_ms
from alembic_sim.sim.learning_figures import ArmFigures
from alembic_sim.sim.run import Run
from alembic_sim.sim.session_plots import trailing_mean

_HEADINGS = (
    "           lessons kept   wrongly   wrongly           MEMORY.md  characters sent anew",
    "            true  false  rejected  approved  no room  filled    frozen      live    hybrid",
)


def run_lines(run: Run) -> Iterator[str]:
    """The run line by line: states, moves, sessions, what the memory cost, digest, sentence."""
    scenario = run.scenario
    first, last = (iso_from_ms(ms)[:10] for ms in (scenario.start_ms, scenario.end_ms - 1))
    yield f"{scenario.name}, seed {scenario.seed}: {scenario.days} days, {first} to {last}"
    if scenario.shows:
        yield f"  {visible_line(scenario.shows)}"
    states = ["active", "stale", "archived", *(["unknown"] if run.counts[-1].unknown else [])]
    for state in states:
        counts = [getattr(count, state) for count in run.counts]
        bars = sparkline(counts, highest=len(run.trace.skills))
        yield f"  {state:8} {bars} {counts[0]} → {counts[-1]}"
    yield _moves(run)
    for figures in run.arms:
        bars = sparkline(trailing_mean(run.success[figures.arm], 10), highest=1)
        yield f"  {figures.arm:8} {bars} {figures.success_at_end:.0%} of tasks at the end"
    if run.arms:
        yield from _learning_table(run.arms[:2], scenario.learning.memory_char_limit)
    yield f"  digest   {run.digest}"
    yield run.sentence


def _moves(run: Run) -> str:
    to_stale, to_archived, to_active = (
        [getattr(week, f"to_{state}") for week in run.weeks]
        for state in ("stale", "archived", "active")
    )
    most = max(map(sum, zip(to_stale, to_archived, to_active, strict=True)))
    return (
        f"  moves    {sum(to_stale)} to stale, {sum(to_archived)} to archived, "
        f"{sum(to_active)} back to active; at most {most} in a week"
    )


def _learning_table(arms: Sequence[ArmFigures], limit_chars: int) -> Iterator[str]:
    """The gate's errors, and what the memory holds and costs, for each arm that learns."""
    yield from _HEADINGS
    for one in arms:
        filled = one.memory_chars / limit_chars if limit_chars else 1
        sent = (one.resent.frozen, one.resent.live, one.resent.hybrid)
        yield (
            f"  {one.arm:8} {one.true_kept:5}  {one.false_settled:5}  {one.true_rejected:8}  "
            f"{one.false_approved:8}  {one.refused_for_budget:7}  {filled:6.0%}"
            f"{''.join(f'{chars:10,}' for chars in sent)}"
        )
