"""A link in a circle: a folder that leads back to one that it lies in."""

from __future__ import annotations

from posixpath import join

from alembic_sim.guarded import GuardedFs

_ROUNDS = 8


def leads_back(fs: GuardedFs, top: str, folder: str) -> bool:
    """True if `folder`, which is below `top`, is a link to `top` or to a folder on the way to it.

    The file port knows no links. But behind such a link everything comes again, and so does the way
    to it: it can be walked eight times over, as in no library, however its categories are named.
    """
    way = folder.removeprefix(top).strip("/").split("/")
    return any(_is_folder(fs, join(folder, *way[at:] * _ROUNDS)) for at in range(len(way)))


def _is_folder(fs: GuardedFs, path: str) -> bool:
    there = fs.stat(path)
    return there.ok and there.value is not None and there.value.kind == "folder"
