"""`alembic-sim replay EVENTS`: what other policies would have done, on one recorded log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.cli.common import JsonOption, bad_input, bad_usage, fail, print_json, print_line
from alembic_sim.sim.event_log import RecordedRun, read_log
from alembic_sim.sim.input_file import read_input
from alembic_sim.sim.reference import simulate
from alembic_sim.sim.run import Run, policy_name
from alembic_sim.sim.scenario import CuratorPlan, LearningPlan

MAX_LOG_BYTES = 256 * 1024 * 1024


def replay_command(
    events: Annotated[
        Path,
        typer.Argument(
            metavar="EVENTS",
            help="An events.jsonl, as `simulate --out` writes it.",
            show_default=False,
        ),
    ],
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="STALE/ARCHIVE",
            help="Idle days until stale and until archived; may be given several times.",
            show_default="the log's own",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Put policies beside each other on the same uses and the same passes."""
    recorded = _read(events)
    own = recorded.scenario.curator
    plans = [_with_policy(own, text) for text in policy] if policy else [own]
    runs = [_run(events, recorded, plan) for plan in plans]
    if as_json:
        print_json({"events": events.as_posix(), "policies": [_document(run) for run in runs]})
    else:
        for line in _lines(events, runs):
            print_line(line)


def _read(file: Path) -> RecordedRun:
    data = read_input(file, MAX_LOG_BYTES)
    if not data.ok:
        bad_input("EVENTS", data.error)
    read = read_log(data.value)
    if not read.ok:
        bad_input("EVENTS", f"{file}: {read.error.message}")
    missing = _missing(read.value)
    if missing:
        bad_input("EVENTS", f"{file}: {missing}: the log was cut off, or a line was taken out")
    return read.value


def _missing(recorded: RecordedRun) -> str:
    """What a whole log of the scenario would have and this one has not; empty if nothing."""
    scenario, trace = recorded.scenario, recorded.trace
    numbered = {event.sequence for event in trace.events}
    numbered |= {turn.sequence for turn in trace.passes}
    gap = next((number for number in range(len(numbered)) if number not in numbered), None)
    if gap is not None:
        return f"the use or pass with the sequence {gap} is not there"
    due = scenario.days // scenario.curator.interval_days
    if len(trace.passes) < due:
        return f"{len(trace.passes)} of {due} passes are there"
    return ""


def _with_policy(plan: CuratorPlan, text: str) -> CuratorPlan:
    stale, _slash, archive = text.partition("/")
    try:
        return CuratorPlan(
            **{
                **plan.model_dump(),
                "stale_after_days": float(stale),
                "archive_after_days": float(archive),
            }
        )
    except ValueError:
        bad_usage("--policy", text, "two numbers of days from 0 to 36500, such as 30/90")


def _run(file: Path, recorded: RecordedRun, plan: CuratorPlan) -> Run:
    """The log's world under another plan. The sessions are left out: no policy changes them."""
    scenario = recorded.scenario.model_copy(update={"curator": plan, "learning": LearningPlan()})
    done = simulate(scenario, recorded.trace)
    if not done.ok:
        fail(f"{file}: {done.error.message}")
    return done.value


def _document(run: Run) -> dict[str, object]:
    document = run.to_json()
    plan = run.scenario.curator
    return {
        "policy": policy_name(plan.stale_after_days, plan.archive_after_days),
        **{key: document[key] for key in ("library", "transitions", "sentence")},
    }


def _lines(file: Path, runs: list[Run]) -> Iterator[str]:
    scenario, trace = runs[0].scenario, runs[0].trace
    yield (
        f"{file}: {scenario.days} days, {len(trace.skills)} skills, {len(trace.events)} uses, "
        f"{len(trace.passes)} passes"
    )
    yield f"  {'policy':>10}  active  stale  archived  needed again  archived in use"
    for run in runs:
        plan, found, last = run.scenario.curator, run.library, run.counts[-1]
        name = policy_name(plan.stale_after_days, plan.archive_after_days)
        yield (
            f"  {name:>10}  {last.active:6}  {last.stale:5}  {last.archived:8}  "
            f"{found.regretted:12}  {found.archived_in_use:15}"
        )
    for run in runs:
        yield run.sentence
