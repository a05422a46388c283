"""A bound that is no number is refused as a value, by every adapter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from alembic_sim import DiskFs, MemoryFs, MemoryStore


@pytest.mark.parametrize("bound", [-5, "5", True, float("nan"), [5]])
def test_reading_with_an_impossible_bound_is_an_err(bound: Any, tmp_path: Path) -> None:
    for fs in (MemoryFs(), DiskFs(tmp_path)):
        fs.write_text("a.txt", "hello").expect("a file")
        result = fs.read("a.txt", bound)
        assert not result.ok
        assert result.error.code == "io"


@pytest.mark.parametrize("deadline", ["5", -1, float("nan")])
def test_waiting_for_an_impossible_time_is_an_err(deadline: Any, tmp_path: Path) -> None:
    result = DiskFs(tmp_path).lock("a.txt", deadline)
    assert not result.ok
    assert result.error.code == "io"


def test_a_store_without_a_folder_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="folder: None is not a path"):
        MemoryStore(MemoryFs(), folder=None)  # type: ignore[arg-type]
