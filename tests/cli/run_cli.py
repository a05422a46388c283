"""Runs a command line in this process and gives back what a shell would see."""

from __future__ import annotations

from click.testing import Result
from typer.testing import CliRunner

from alembic_sim.cli import build_app


def run_cli(*arguments: str, **environment: str) -> Result:
    """The finished run: `.exit_code`, `.stdout`, `.stderr`."""
    return CliRunner().invoke(build_app(arguments), arguments, env=environment)
