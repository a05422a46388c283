"""relative_path and is_temp_name: what a path may be, and what may be removed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Err, Ok
from alembic_sim.adapters.paths import is_temp_name, relative_path


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("", ""),
        (".", ""),
        ("a", "a"),
        ("a/b", "a/b"),
        ("./a//b/.", "a/b"),
        ("a:b", None),
        ("a/b:c", "a/b:c"),
        ("...", "..."),
        ("a/..b", "a/..b"),
        ("~/a", "~/a"),
        ("é/§ x", "é/§ x"),
    ],
)
def test_a_path_is_normalised_or_refused(path: str, normal: str | None) -> None:
    match relative_path(path):
        case Ok(name):
            assert name == normal
        case Err(error):
            assert (error.code, normal) == ("outside-root", None)


@given(st.text(alphabet="a./\\\0:é\ud800", max_size=12) | st.text(max_size=12))
def test_what_is_accepted_never_climbs_and_is_its_own_normal_form(path: str) -> None:
    match relative_path(path):
        case Ok(name):
            assert ".." not in name.split("/")
            assert not name.startswith("/")
            assert relative_path(name) == Ok(name)
        case Err(error):
            assert error.code == "outside-root"


@pytest.mark.parametrize("path", [".a.tmp", "folder/.a.md.tmp", "..usage.json.tmp"])
def test_a_temporary_name_is_recognised(path: str) -> None:
    assert is_temp_name(path)


@pytest.mark.parametrize("path", ["a.tmp", ".a", "..tmp", ".tmp", ".a.tmp/b", "folder.tmp/a", ""])
def test_any_other_name_is_not_temporary(path: str) -> None:
    assert not is_temp_name(path)
