"""`alembic-sim memory STORE list | add`: the append-only sub-stores beside the two notebooks."""

from __future__ import annotations

from typing import Annotated, NoReturn

import typer

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import (
    DirOption,
    JsonOption,
    NowOption,
    bad_input,
    bad_usage,
    clock_at,
    fail,
    home_folder,
    must_be_folder,
    print_json,
    print_line,
    warn,
)
from alembic_sim.cli.library import looks_like_hermes
from alembic_sim.cli.visible import visible
from alembic_sim.hermes.memory.decide import StoreError
from alembic_sim.hermes.memory.sub_record import SubRecord
from alembic_sim.hermes.memory.sub_store import SUB_STORES, SubStore
from alembic_sim.strict_json import parse_strict_json

app = typer.Typer(rich_markup_mode=None)

_RECORD = 'a JSON object such as {"content": "prefer early returns"}'


@app.callback()
def memory(
    context: typer.Context,
    store: Annotated[
        str, typer.Argument(metavar="STORE", help=", ".join(SUB_STORES), show_default=False)
    ],
) -> None:
    """List a sub-store, newest record first, or add a record to it. Nothing is ever removed."""
    if store not in SUB_STORES:
        bad_usage("STORE", store, ", ".join(SUB_STORES))
    context.obj = store


@app.command("list")
def list_records(
    context: typer.Context, folder: DirOption = None, as_json: JsonOption = False
) -> None:
    """List the records, newest first. Writes nothing."""
    home, name = home_folder(folder), context.obj
    must_be_folder(home / "memory")
    store = SubStore(DiskFs(home), clock_at(None), name)
    file = (home / store.path).as_posix()
    listed = store.list()
    if not listed.ok:
        _end_with(name, listed.error)
    records, warnings = listed.value.records, listed.value.warnings
    if as_json:
        documents = [_document(record) for record in records]
        print_json({"store": name, "file": file, "records": documents, "warnings": [*warnings]})
        return
    print_line(f"memory {name}: {len(records)} record(s) under {file}")
    for record in records:
        line = f"  {record.id} [agent {record.agent}] at {record.at}"
        print_line(visible(line).replace("\n", " ⏎ "))  # the file's texts may hold anything
    for warning in warnings:
        warn(f"warning: {file}: {warning}")


@app.command("add")
def add_record(
    context: typer.Context,
    record: Annotated[
        str,
        typer.Option("--record", metavar="JSON", help="A JSON object.", show_default=False),
    ],
    agent: Annotated[str, typer.Option("--agent", metavar="NAME", help="Who records.")] = "cli",
    folder: DirOption = None,
    now: NowOption = None,
    as_json: JsonOption = False,
) -> None:
    """Append a record, stamped with an id, the agent and the time."""
    home, name, clock = home_folder(folder), context.obj, clock_at(now)
    content = _parse_record(record)
    if looks_like_hermes(home):
        fail(f"{home} is a Hermes home, which is never written; name another --dir")
    must_be_folder(home / "memory")
    try:
        store = SubStore(DiskFs(home), clock, name, agent=agent)
    except ValueError:
        bad_usage("--agent", agent, "a name on one line")
    appended = store.append(content)
    if not appended.ok and appended.error.code == "bad-record":
        bad_usage("--record", record, f"{_RECORD}; {appended.error.message}")
    if not appended.ok:
        _end_with(name, appended.error)
    stored = appended.value
    if as_json:
        file = (home / store.path).as_posix()
        print_json({"store": name, "file": file, "appended": _document(stored)})
    else:
        print_line(f"memory {name}: appended {stored.id} (agent {stored.agent})")


def _end_with(name: str, error: StoreError) -> NoReturn:
    if error.code == "unreadable":  # a folder, say: not what it should be
        bad_input(f"memory {name}", error.message)
    fail(f"memory {name}: {error.message}")


def _parse_record(text: str) -> dict[str, object]:
    parsed = parse_strict_json(text)
    if not parsed.ok:
        bad_usage("--record", text, f"{_RECORD}; this is {parsed.error.message}")
    if not isinstance(parsed.value, dict):
        bad_usage("--record", text, _RECORD)
    return parsed.value


def _document(record: SubRecord) -> dict[str, object]:
    return {"id": record.id, "agent": record.agent, "at": record.at, "record": record.record}
