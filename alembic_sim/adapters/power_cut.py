"""What a power cut can leave of a file tree: everything synced, and any part of the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from posixpath import dirname
from typing import Literal

CrashKind = Literal["lost", "torn", "reordered", "kept"]
"""What became of the unsynced effects: the last ones lost, one of them torn, a later one kept
although an earlier one is lost, or all kept."""

Tree = dict[str, bytes | None]
"""Bytes by path; a folder has None."""

ALL_SUBSETS_UP_TO = 6
ALL_CUTS_UP_TO = 16
_FOLDER = 0  # what a folder's name stands for; files are numbered from 1


@dataclass(frozen=True, slots=True)
class _Effect:
    """What one operation changes, once it reaches the disk."""

    text: str
    durable: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class _Name(_Effect):
    """`path` stands for a file or folder from now on (None: for nothing), `source` no longer."""

    path: str
    holds: int | None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class _Data(_Effect):
    """Bytes in a file, at an offset; a write cuts the file to nothing first."""

    file: int
    offset: int
    data: bytes
    truncates: bool


@dataclass(frozen=True, slots=True)
class Aftermath:
    """One tree that a power cut can leave, and which of the unsynced effects are in it."""

    kind: CrashKind
    story: str
    tree: Tree


class PowerCut:
    """Told of every change to a tree, it knows what of it would survive a power cut.

    A file has bytes and a name, and they become durable apart: the bytes by a sync of the file, its
    name by a sync of its folder. The tree starts empty.
    """

    def __init__(self) -> None:
        self._names: dict[str, int] = {"": _FOLDER}
        self._sizes: dict[int, int] = {}
        self._effects: list[_Effect] = []
        self._disk = _Disk({"": _FOLDER}, {})

    def knows(self, path: str) -> bool:
        """True if something was told to be at the path, and not to be gone."""
        return path in self._names

    def is_folder(self, path: str) -> bool:
        """True if a folder was told to be at the path."""
        return self._names.get(path) == _FOLDER

    def already_there(self, path: str, data: bytes | None) -> None:
        """A file, or with None a folder, that is durable: nobody told of it so far."""
        file = _FOLDER if data is None else self._new_file()
        self._names[path] = self._disk.names[path] = file
        if data is not None:
            self._sizes[file] = len(data)
            self._disk.contents[file] = data

    def wrote(self, path: str, data: bytes) -> None:
        file = self._file_at(path)
        self._effects.append(_Data(f"write {path}", file, 0, data, True))
        self._sizes[file] = len(data)

    def appended(self, path: str, data: bytes) -> None:
        file = self._file_at(path)
        self._effects.append(_Data(f"append {path}", file, self._sizes[file], data, False))
        self._sizes[file] += len(data)

    def renamed(self, source: str, target: str) -> None:
        if source != target:
            file = self._names.pop(source)
            self._rename(_Name(f"rename {source} to {target}", target, file, source))

    def made_folder(self, path: str) -> None:
        if path not in self._names:
            self.made_folder(dirname(path))
            self._rename(_Name(f"make folder {path}", path, _FOLDER))

    def removed(self, path: str) -> None:
        del self._names[path]
        self._effects.append(_Name(f"remove {path}", path, None))

    def synced(self, path: str) -> None:
        file = self._names[path]
        self._settle(lambda effect: isinstance(effect, _Data) and effect.file == file)

    def synced_folder(self, path: str) -> None:
        self._settle(lambda effect: isinstance(effect, _Name) and dirname(effect.path) == path)

    def aftermaths(self) -> Iterator[Aftermath]:
        """Every different tree that a power cut could leave now, the one with most lost first.

        Up to 6 unsynced effects survive in all combinations, more of them in the telling ones; one
        effect at a time is torn, at every byte if it has few.
        """
        unsynced = [n for n, effect in enumerate(self._effects) if not effect.durable]
        told: set[tuple[tuple[str, bytes | None], ...]] = set()
        combinations = list(_combinations(len(unsynced)))
        whole = [(kept, None, 0) for kept in combinations]
        torn = [
            (kept, n, cut)
            for kept in combinations
            for n in kept
            for cut in _cuts(self._effects[unsynced[n]])
        ]
        for kept, torn_one, cut in (*whole, *torn):
            survivors = {unsynced[n]: cut if n == torn_one else None for n in kept}
            tree = self._tree_with(survivors)
            key = tuple(sorted(tree.items()))
            if key not in told:
                told.add(key)
                kind = "torn" if torn_one is not None else _kind(kept, len(unsynced))
                yield Aftermath(kind, self._story(unsynced, survivors), tree)

    def _tree_with(self, survivors: Mapping[int, int | None]) -> Tree:
        disk = _Disk(dict(self._disk.names), dict(self._disk.contents))
        for number, effect in enumerate(self._effects):
            if effect.durable or number in survivors:
                disk.apply(effect, survivors.get(number))
        return disk.tree()

    def _story(self, unsynced: list[int], survivors: Mapping[int, int | None]) -> str:
        parts: dict[str, list[str]] = {"kept": [], "torn": [], "lost": []}
        for number in unsynced:
            effect, cut = self._effects[number], survivors.get(number)
            if number not in survivors:
                parts["lost"].append(effect.text)
            elif isinstance(effect, _Data) and cut is not None:
                parts["torn"].append(f"{effect.text} ({cut} of {len(effect.data)} bytes)")
            else:
                parts["kept"].append(effect.text)
        told = [f"{name}: {', '.join(texts)}" for name, texts in parts.items() if texts]
        return "; ".join(told) or "everything was synced"

    def _new_file(self) -> int:
        file = len(self._sizes) + 1
        self._sizes[file] = 0
        return file

    def _file_at(self, path: str) -> int:
        if path not in self._names:
            self._rename(_Name(f"create {path}", path, self._new_file()))
        return self._names[path]

    def _rename(self, effect: _Name) -> None:
        assert effect.holds is not None
        self._names[effect.path] = effect.holds
        self._effects.append(effect)

    def _settle(self, reached: Callable[[_Effect], bool]) -> None:
        self._effects = [replace(e, durable=True) if reached(e) else e for e in self._effects]
        while self._effects and self._effects[0].durable:
            self._disk.apply(self._effects.pop(0), None)


@dataclass(frozen=True, slots=True)
class _Disk:
    """Names and the bytes behind them."""

    names: dict[str, int]
    contents: dict[int, bytes]

    def apply(self, effect: _Effect, cut: int | None) -> None:
        match effect:
            case _Name(path=path, holds=holds, source=source):
                if source is not None and self.names.get(source) == holds:
                    del self.names[source]
                self.contents.pop(self.names.pop(path, _FOLDER), None)  # of the file before it
                if holds is not None:
                    self.names[path] = holds
            case _Data(file=file, offset=offset, data=data, truncates=truncates):
                old = b"" if truncates else self.contents.get(file, b"")
                # Where an earlier append is lost, the file system shows zeros.
                self.contents[file] = old[:offset].ljust(offset, b"\0") + data[:cut]

    def tree(self) -> Tree:
        """Only what can be reached: a file whose folder was lost went with it."""
        return {
            path: None if holds == _FOLDER else self.contents.get(holds, b"")
            for path, holds in sorted(self.names.items())
            if path and self._reachable(dirname(path))
        }

    def _reachable(self, folder: str) -> bool:
        there = self.names.get(folder) == _FOLDER
        return there and (not folder or self._reachable(dirname(folder)))


def _combinations(count: int) -> Iterator[tuple[int, ...]]:
    """Which effects survive: the first few of them, then all other choices, or the telling ones."""
    everything = tuple(range(count))
    prefixes = [everything[:length] for length in range(count + 1)]
    if count <= ALL_SUBSETS_UP_TO:
        others = [tuple(n for n in everything if mask >> n & 1) for mask in range(2**count)]
    else:
        all_but_one = [(*everything[:n], *everything[n + 1 :]) for n in everything]
        others = [*((n,) for n in everything), *all_but_one]
    yield from dict.fromkeys([*prefixes, *others])


def _cuts(effect: _Effect) -> tuple[int, ...]:
    """After how many bytes a write can be torn."""
    if not isinstance(effect, _Data):
        return ()
    size = len(effect.data)
    if size <= ALL_CUTS_UP_TO:
        return tuple(range(size))
    return (0, 1, size // 2, size - 1)


def _kind(kept: tuple[int, ...], count: int) -> CrashKind:
    if len(kept) == count:
        return "kept"
    return "lost" if kept == tuple(range(len(kept))) else "reordered"
