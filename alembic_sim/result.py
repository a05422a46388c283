"""Ok | Err: a failure that can be expected is a value, never an exception (ADR-0009)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Generic, Literal, NoReturn, Protocol, TypeVar, runtime_checkable

from alembic_sim.shorten import raised, shorten

T = TypeVar("T", covariant=True)
E = TypeVar("E", covariant=True)
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Ok(Generic[T]):
    """A success: `.value` holds what was asked for."""

    value: T

    @property
    def ok(self) -> Literal[True]:
        return True

    def expect(self, why: str) -> T:
        """The value; `why` only matters on the other side."""
        return self.value


@dataclass(frozen=True, slots=True)
class Err(Generic[E]):
    """A failure that was expected: `.error` has a short stable `code` and a `message`."""

    error: E

    @property
    def ok(self) -> Literal[False]:
        return False

    def expect(self, why: str) -> NoReturn:
        """Raises `UnexpectedErr` with `why`, the code and the message: for set-up cells only."""
        raise UnexpectedErr(f"{why}: {describe(self.error)}")

    def _repr_html_(self) -> str:
        """The error in red, for a notebook; data is escaped."""
        return f'<span style="color:#b00020">Err · {escape(describe(self.error))}</span>'


Result = Ok[T] | Err[E]


class UnexpectedErr(Exception):
    """`.expect(why)` was called on an `Err`."""


@runtime_checkable
class Coded(Protocol):
    """An error value: what every `Err` of this package holds."""

    @property
    def code(self) -> str: ...
    @property
    def message(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Fault:
    """A port that broke its promise: it raised, or returned something else (`bad-port`)."""

    code: str
    message: str


def describe(error: object) -> str:
    """`code: message` of an error value; a short repr of anything else."""
    if isinstance(error, Coded):
        return f"{error.code}: {error.message}"
    return shorten(error)


def ask(port: Callable[..., object], *args: object, returns: type[T]) -> Result[T, Coded]:
    """The port's own `Result`; a port that raises, or answers with anything else, becomes an `Err`.

    Ports are written by users: the engine promises not to raise, so it trusts none of them.
    """
    name = getattr(port, "__qualname__", type(port).__name__).rpartition("<locals>.")[2]
    try:
        answer = port(*args)
    except Exception as error:  # whatever it is: this is the place that turns it into a value
        return Err(Fault("raised", f"{name}: {raised(error)}"))
    match answer:
        case Ok(value) if isinstance(value, returns):
            return Ok(value)
        case Err(error):
            return Err(error if isinstance(error, Coded) else Fault("bad-port", shorten(error)))
        case Ok(value):
            got = f"Ok({_kind(value)})"
        case _:
            got = _kind(answer)
    wanted = f"Ok({returns.__name__}) or Err(...)"
    return Err(Fault("bad-port", f"{name} returned {got}, not {wanted}"))


def _kind(value: object) -> str:
    return "nothing (None)" if value is None else type(value).__name__
