"""Calling a learner's function: whatever it does, what comes back is a value."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from types import FrameType
from typing import Any

from alembic_sim.teaching.exercises.exercise import ChangedArgument
from alembic_sim.teaching.exercises.telling import tell_raised

MAX_STEPS = 100_000
"""How many steps (lines and the operations in them) one call may take. Right answers take a few
thousand."""

MAX_SECONDS = 20.0
"""How long all calls of one check may take together, waiting included."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The function came back; `printed` says whether it also printed something."""

    value: object
    printed: bool = False


@dataclass(frozen=True, slots=True)
class Trouble:
    """It did not come back as it should; `what` says how, in one line."""

    what: str
    unwritten: bool = False
    printed: bool = False


class _NoEnd(BaseException):
    """Too many steps. Not an `Exception`: a learner's `except Exception` must not swallow it."""


class Caller:
    """Makes the calls of one check, and keeps count of their time.

    Steps are counted, not seconds: where an endless loop is cut off is the same on every machine.
    What this cannot stop is one endless call into C, and an endless loop that also swallows every
    exception (`except:`); there the notebook's stop button helps.
    """

    def __init__(
        self,
        max_steps: int = MAX_STEPS,
        max_seconds: float = MAX_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_steps = max_steps
        self._seconds_left = max_seconds
        self._too_slow = Trouble(f"no answer in time: its calls took {max_seconds:g} s and more")
        self._monotonic = monotonic

    @property
    def out_of_time(self) -> bool:
        """Whether the time of this check is used up: further calls are not made."""
        return self._seconds_left <= 0

    def call(self, act: Callable[[], object]) -> Answered | Trouble:
        """What `act` gives back. Prints are swallowed, exceptions told, loops cut off."""
        if self.out_of_time:
            return self._too_slow
        printed = StringIO()
        started = self._monotonic()
        with redirect_stdout(printed), redirect_stderr(printed):
            outcome = self._limited(act)
        self._seconds_left -= self._monotonic() - started
        if self.out_of_time:
            return self._too_slow
        if isinstance(outcome, Trouble):
            return replace(outcome, printed=bool(printed.getvalue()))
        if inspect.iscoroutine(outcome.value):
            outcome.value.close()  # else Python complains later, in the middle of another cell
        return Answered(outcome.value, printed=bool(printed.getvalue()))

    def _limited(self, act: Callable[[], object]) -> Answered | Trouble:
        no_end = Trouble(f"no answer after {self._max_steps:,} steps. An endless loop?")
        steps = 0

        def count(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal steps
            steps += 1
            if steps > self._max_steps:
                raise _NoEnd
            # CPython 3.11 runs `while True: pass` without any event for its line.
            frame.f_trace_opcodes = True
            return count

        before = sys.gettrace()  # a debugger's, or the one that measures coverage
        sys.settrace(count)
        try:
            value = act()
        except _NoEnd:
            return no_end
        except ChangedArgument:
            return Trouble("it changed what it was given. Work on a copy")
        except NotImplementedError as error:  # how a stub says that it is one
            return Trouble(tell_raised(error), unwritten=True)
        except KeyboardInterrupt:
            raise  # the stop button: not the function's doing
        except BaseException as error:  # sys.exit() as well: nothing is raised into a notebook
            return Trouble(tell_raised(error))
        finally:
            sys.settrace(before)
        return no_end if steps > self._max_steps else Answered(value)
