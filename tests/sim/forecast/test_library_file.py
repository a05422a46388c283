"""read_library: from a path on disk to what is forecast, and from every other path to an error."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from alembic_sim import forecast, read_library
from tests.sim.forecast.homes import NOW_MS, home

DATA = Path(__file__).parents[2] / "data"


@pytest.mark.parametrize("below", ["", "skills", "skills/.usage.json"])
def test_a_home_its_skills_folder_and_its_file_are_the_same_library(below: str) -> None:
    read = read_library(DATA / "hermes_home" / below).expect("a library")
    assert read.rules == "ancestor"
    assert forecast(read, NOW_MS) == forecast(home(), NOW_MS)


def test_a_library_of_ours_goes_by_our_rules() -> None:
    read = read_library(str(DATA / "native_home")).expect("a library")
    assert read.rules == "alembic"
    assert "thirty-days" in read.names
    assert "damaged" in read.names


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not-a-library"),
        (b"[]", "not-a-library"),
        (b'{"a": 1}', "not-a-library"),
        (b"\xff\xfe", "not-a-library"),
        (b'{"a": NaN}', "not-a-library"),
        (b"\xef\xbb\xbf{}", None),
        (b"{}", None),
    ],
)
def test_what_is_in_the_file_decides(tmp_path: Path, data: bytes, code: str | None) -> None:
    (tmp_path / ".usage.json").write_bytes(data)
    read = read_library(tmp_path)
    assert (None if read.ok else read.error.code) == code
    assert read.ok or str(tmp_path) in read.error.message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read_library(tmp_path / "pipe").error.code == "unreadable"


@pytest.mark.parametrize("path", [None, 7, "a\0b", "no-such-home", ".", ["x"]])
def test_what_is_no_library_is_an_error_and_never_raises(path: object) -> None:
    assert read_library(path).error.code == "unreadable"  # type: ignore[arg-type]
