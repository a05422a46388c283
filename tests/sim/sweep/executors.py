"""Executors that go wrong in the ways that real ones do, at once and in this process."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any


class InOrder(Executor):
    """Runs each task when it is handed over; `fails` says what becomes of the n-th one."""

    def __init__(self, fails: Callable[[int], BaseException | None] = lambda _n: None) -> None:
        self.taken = 0
        self._fails = fails

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        error = self._fails(self.taken)
        self.taken += 1
        if error is None:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(error)
        return future


class Refusing(InOrder):
    """Takes this many tasks and then none: broken, as a pool is whose process died."""

    def __init__(self, takes: int) -> None:
        super().__init__()
        self._takes = takes

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.taken == self._takes:
            raise BrokenProcessPool("a child process terminated abruptly")
        return super().submit(fn, *args, **kwargs)
