"""SidecarMemo: the same answers as parsing and serialising, without doing it all again.

A library's sidecar is read and written as a whole for every event, and between two events it
mostly stays as it was. So the last bytes are kept with what they say, compared byte by byte with
what is on disk now (replaced files reuse inodes, and clocks are coarse: neither tells a change).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from alembic_sim.hermes.curator.sidecar import UsageSidecar, parse_sidecar, serialise_sidecar
from alembic_sim.hermes.curator.usage_record import UsageRecord


class SidecarMemo:
    """The last sidecar of one store: its bytes, and the records in them."""

    def __init__(self) -> None:
        self._parsed = (b"", parse_sidecar(b""))
        self._written = b""  # bytes that are known to be as serialise_sidecar makes them

    def parse(self, data: bytes) -> UsageSidecar:
        """What `parse_sidecar` says of the bytes."""
        if data != self._parsed[0]:
            sidecar = parse_sidecar(data)
            if not sidecar.is_plain():  # whoever holds a list of an unknown field may change it
                return sidecar
            self._parsed = (data, sidecar)
        return self._parsed[1]

    def serialise(
        self, old_data: bytes, old: UsageSidecar, name: str, record: UsageRecord
    ) -> bytes:
        """What `serialise_sidecar` makes of the sidecar `old` (read from `old_data`) with `record`.

        Raises as it does for a record that JSON cannot hold.
        """
        new = _with(old, name, record)
        data = None
        if old_data == self._written and name in old.records:
            data = _spliced(old_data, name, old.records[name], record)
        if data is None:
            data = serialise_sidecar(new)
        self._written = data
        if old_data == self._parsed[0] and not record.model_extra:
            self._parsed = (data, new)  # the others are plain, and it is the caller's to check
        return data


def _with(sidecar: UsageSidecar, name: str, record: UsageRecord) -> UsageSidecar:
    records: Mapping[str, UsageRecord] = {**sidecar.records, name: record}
    if name not in sidecar.records:
        records = dict(sorted(records.items()))
    return replace(sidecar, records=MappingProxyType(records), problem=None)


def _spliced(data: bytes, name: str, old: UsageRecord, new: UsageRecord) -> bytes | None:
    """The bytes with one record's lines put in place of its old ones, None if those are not there.

    Only the names of skills stand two spaces from the margin, so the lines are found once or never.
    """
    before, after = _lines(name, old), _lines(name, new)
    return data.replace(before, after, 1) if before in data else None


def _lines(name: str, record: UsageRecord) -> bytes:
    alone = serialise_sidecar(UsageSidecar({name: record}))
    return alone.removeprefix(b"{").removesuffix(b"\n}\n")
