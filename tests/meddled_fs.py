"""MeddledFs: a file port that writes down every call, and does something else where told to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from alembic_sim import Err
from alembic_sim.ports.fs import FsError

OPERATIONS = (
    *("stat", "read", "write", "append", "sync", "replace"),
    *("sync_dir", "list", "mkdir", "remove_temp", "lock"),
)


class MeddledFs:
    """The port `inner`, but the operations named in `instead` are answered by those functions.

    >>> from alembic_sim import MemoryFs
    >>> fs = MeddledFs(MemoryFs({"a": "text"}), sync=fails("io"))
    >>> fs.sync("a").error.code, fs.read("a").value, fs.calls
    ('io', b'text', [('sync', 'a'), ('read', 'a')])
    """

    def __init__(self, inner: object, **instead: Callable[..., object]) -> None:
        assert set(instead) <= set(OPERATIONS), "a meddler must name an operation of the port"
        self.inner = inner
        self.instead = instead
        self.calls: list[tuple[object, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., object]:
        def call(*args: object) -> object:
            self.calls.append((name, *(arg for arg in args if arg is not None)))
            return self.instead.get(name, getattr(self.inner, name))(*args)

        if name not in OPERATIONS:
            raise AttributeError(name)
        return call

    def names(self) -> list[object]:
        """The operations called, in order, without their arguments."""
        return [name for name, *_ in self.calls]


def fails(code: str) -> Callable[..., object]:
    """A meddler that refuses: `Err(FsError(code, …))`."""
    return lambda *_args: Err(FsError(code, f"the test says {code}"))


def raises(error: BaseException) -> Callable[..., object]:
    """A meddler that raises `error`."""

    def meddler(*_args: object) -> object:
        raise error

    return meddler


def answers(answer: object) -> Callable[..., object]:
    """A meddler that returns `answer`, whatever was asked."""
    return lambda *_args: answer


class RaisesOnEnter(AbstractContextManager):
    """A lock that breaks when it is taken."""

    def __enter__(self) -> None:
        raise OSError("the lock broke on enter")

    def __exit__(self, *_args: object) -> None:
        raise AssertionError("never entered")


class RaisesOnExit(AbstractContextManager):
    """A lock that breaks when it is given back."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_args: object) -> None:
        raise OSError("the lock broke on exit")


class Unspeakable(Exception):
    """An exception that cannot even be printed."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class Incomparable:
    """A value that can be printed, but neither compared nor hashed."""

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparing")


class Liar(Incomparable):
    """A value that cannot even be printed."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")
