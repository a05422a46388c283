"""A finished sweep, of policies or of gates, as printed lines and as files."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from alembic_sim.cli.out_folder import write_out
from alembic_sim.sim.gates import gate_summary
from alembic_sim.sim.gates.gate_sweep import GateSweep
from alembic_sim.sim.sweep import table
from alembic_sim.sim.sweep.table import Sweep
from alembic_sim.strict_json import dump_strict_json


@dataclass(frozen=True, slots=True)
class SweepView:
    """A sweep with its table, heads first, and what its files are called."""

    swept: Sweep | GateSweep
    table: tuple[tuple[str, ...], ...]
    document_name: str
    picture_name: str
    picture: Callable[[], bytes]

    def lines(self) -> Iterator[str]:
        """What is printed: the question, the table, the digest, the sentence that answers."""
        swept, scenario = self.swept, self.swept.scenario
        replicas = f"{swept.finished} replica{'' if swept.finished == 1 else 's'}"
        yield f"{scenario.name}, seed {scenario.seed}: {scenario.days} days, {replicas}"
        widths = [max(map(len, column)) for column in zip(*self.table, strict=True)]
        for first, *others in self.table:
            cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
            yield "  ".join([f"  {first:<{widths[0]}}", *cells])
        yield f"  digest {swept.digest}"
        yield swept.sentence

    def write(self, folder: Path) -> None:
        """Writes the document, the rows and the picture; a file that cannot be ends with exit 1."""
        files = {
            self.document_name: dump_strict_json(self.swept.to_json()).encode("utf-8"),
            "rows.csv": self.swept.to_csv().encode("utf-8"),
            self.picture_name: self.picture(),
        }
        write_out(folder, files)


def policies_view(swept: Sweep) -> SweepView:
    """The view of a sweep over policies."""
    lines = (table.COLUMNS, *map(table.table_line, swept.summaries))
    return SweepView(swept, lines, "sweep.json", "policies.png", partial(_policies_png, swept))


def gates_view(swept: GateSweep) -> SweepView:
    """The view of a sweep over gates."""
    lines = (gate_summary.COLUMNS, *map(gate_summary.table_line, swept.summaries))
    return SweepView(swept, lines, "gates.json", "gates.png", partial(_gates_png, swept))


def _policies_png(swept: Sweep) -> bytes:
    """The policies beside each other."""
    from matplotlib.figure import Figure  # a second to load, for whoever asks for a picture

    from alembic_sim.sim.sweep.pictures import plot_policies

    figure = Figure(figsize=(8, 5), layout="constrained")
    plot_policies(figure.subplots(), swept)
    return _png(figure.savefig)


def _gates_png(swept: GateSweep) -> bytes:
    """The gate's two errors, and the success gate by gate and session by session."""
    from matplotlib.figure import Figure  # a second to load, for whoever asks for a picture

    from alembic_sim.sim.gates.pictures import (
        plot_gate_errors,
        plot_gate_success,
        plot_success_curves,
    )

    figure = Figure(figsize=(15, 4.6), layout="constrained")
    for ax, plot in zip(
        figure.subplots(1, 3),
        (plot_gate_errors, plot_gate_success, plot_success_curves),
        strict=True,
    ):
        plot(ax, swept)
    return _png(figure.savefig)


def _png(save: Callable[..., None]) -> bytes:
    drawn = io.BytesIO()
    save(drawn, format="png", metadata={"Software": None})
    return drawn.getvalue()
