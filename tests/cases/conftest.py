"""The two file systems that every report is tried on."""

from __future__ import annotations

from pathlib import Path

import pytest

from alembic_sim import DiskFs, FsPort, MemoryFs


@pytest.fixture(params=["memory", "disk"])
def fs(request: pytest.FixtureRequest, tmp_path: Path) -> FsPort:
    """An empty file system; the one on disk has its root inside `tmp_path`."""
    if request.param == "memory":
        return MemoryFs()
    (tmp_path / "root").mkdir()
    return DiskFs(tmp_path / "root")
