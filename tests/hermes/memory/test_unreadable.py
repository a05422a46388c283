"""A memory file that is there but cannot be read is never written over."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from alembic_sim import Add, MemoryFs, MemoryStore, Remove, Replace
from tests.meddled_fs import MeddledFs, fails

MIB = 1024 * 1024


def with_bytes(data: bytes) -> MeddledFs:
    return MeddledFs(MemoryFs({"memory/MEMORY.md": data}))


def with_a_folder() -> MeddledFs:
    fs = MemoryFs()
    fs.mkdir("memory/MEMORY.md").expect("a folder in the way")
    return MeddledFs(fs)


def that_says(code: str) -> MeddledFs:
    """A port that says so: tests may run as root, whom no mode keeps out."""
    return MeddledFs(MemoryFs({"memory/MEMORY.md": "secret"}), read=fails(code))


KINDS: dict[str, Callable[[], MeddledFs]] = {
    "not UTF-8": lambda: with_bytes(b"caf\xe9"),
    "UTF-16": lambda: with_bytes("text".encode("utf-16")),
    "a surrogate in UTF-8": lambda: with_bytes(b"\xed\xa0\x80"),
    "one byte above 1 MiB": lambda: with_bytes(b"x" * (MIB + 1)),
    "a folder": with_a_folder,
    "permission denied": lambda: that_says("denied"),
    "an I/O error": lambda: that_says("io"),
    "a link out of the root": lambda: that_says("outside-root"),
}


@pytest.mark.parametrize("op", [Add("new"), Replace("secret", "new"), Remove("secret")])
@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_an_unreadable_file_is_told_and_its_bytes_untouched(
    make: Callable[[], MeddledFs], op: object
) -> None:
    port = make()
    before = port.inner.files()
    for result in (
        MemoryStore(port).apply("memory", op),
        MemoryStore(port).apply_batch("memory", [op]),
    ):
        assert result.error.code == "unreadable"
        assert "memory/MEMORY.md is there but cannot be read" in result.error.message
        assert "left as they are" in result.error.message
    assert port.inner.files() == before
    assert not {"write", "append", "replace", "remove_temp"} & set(port.names())


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_an_unreadable_file_does_not_keep_the_other_target_from_working(
    make: Callable[[], MeddledFs],
) -> None:
    port = make()
    port.instead = {
        name: lambda path, *rest, old=meddler: (
            old() if path == "memory/MEMORY.md" else port.inner.read(path, *rest)
        )
        for name, meddler in port.instead.items()
    }
    store = MemoryStore(port)
    assert store.apply("user", Add("tea")).ok
    assert store.entries("user") == ("tea",)


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_an_unreadable_file_is_in_the_snapshots_warnings(make: Callable[[], MeddledFs]) -> None:
    store = MemoryStore(make())
    warnings = store.load().value.warnings
    assert any("memory/MEMORY.md is there but cannot be read" in warning for warning in warnings)
    assert store.entries("memory") == ()


@pytest.mark.parametrize("data", [b"x" * MIB, b"", b"\0", b"\xef\xbb\xbf", "\U0010ffff".encode()])
def test_a_strange_file_of_valid_text_up_to_1_mib_is_readable(data: bytes) -> None:
    store = MemoryStore(with_bytes(data), memory_char_limit=10)
    result = store.apply("memory", Add("new"))
    assert result.ok or result.error.code == "over-budget"


def test_no_more_than_1_mib_is_asked_of_the_disk() -> None:
    port = with_bytes(b"x")
    MemoryStore(port).load()
    assert ("read", "memory/MEMORY.md", MIB) in port.calls


def test_a_file_that_is_mended_works_again_in_the_same_session() -> None:
    port = with_bytes(b"\xff")
    store = MemoryStore(port)
    assert not store.apply("memory", Add("new")).ok
    port.inner.write("memory/MEMORY.md", b"mended").expect("by hand")
    assert store.apply("memory", Add("new")).ok
    assert store.entries("memory") == ("mended", "new")
