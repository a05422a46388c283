"""A named file is read if it is one; what would hang or never end is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from alembic_sim import Err, Ok
from alembic_sim.sim.input_file import read_input


def test_a_file_s_bytes_come_back_as_far_as_they_are_allowed(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"abc")
    assert read_input(file, 3) == Ok(b"abc")
    assert read_input(str(file), 2) == Err(f"{file}: more than 2 bytes")


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "link").symlink_to("a")
    assert read_input(tmp_path / "link", 3) == Ok(b"abc")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refused = read_input(tmp_path / "pipe", 3)
    assert isinstance(refused, Err)
    assert "cannot be read: a pipe" in refused.error


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no devices as files")
def test_a_device_without_end_is_not_read() -> None:
    refused = read_input("/dev/zero", 3)
    assert isinstance(refused, Err)
    assert "cannot be read: a pipe" in refused.error


def test_what_is_not_there_or_a_folder_or_no_path_says_so(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing", tmp_path / ("a" * 300)):
        refused = read_input(path, 3)
        assert isinstance(refused, Err)
        assert refused.error.startswith(f"{path}: cannot be read: ")
    for odd in (None, 3, "a\0b"):
        refused = read_input(odd, 3)
        assert isinstance(refused, Err)
        assert "not a path" in refused.error
