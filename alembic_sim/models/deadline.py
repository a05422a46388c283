"""DeadlineBackend: connections on which nothing, taken together, lasts beyond one instant.

A time-out of its own for each read is none for the whole: a server that sends a byte now and then
never lets it run out. Here each step is given what is left of the time.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable

from httpcore import (
    SOCKET_OPTION,
    ConnectTimeout,
    NetworkStream,
    ReadTimeout,
    SyncBackend,
    TimeoutException,
    WriteTimeout,
)

PIECE_BYTES = 64 * 1024
"""What is sent in one step: httpcore gives each of a step's system calls the same time-out."""


class Deadline:
    """An instant of `monotonic`, in seconds."""

    def __init__(self, monotonic: Callable[[], float], seconds: float) -> None:
        self._monotonic = monotonic
        self._at = monotonic() + seconds

    def left_s(self, timed_out: type[TimeoutException]) -> float:
        """The seconds that are left; raises `timed_out` if there are none."""
        left = self._at - self._monotonic()
        if left > 0:
            return left
        raise timed_out("the time is up")


class DeadlineStream(NetworkStream):
    """The stream `inner`, each step of which gets what is left, whatever time-out is asked for."""

    def __init__(self, inner: NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.left_s(ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), PIECE_BYTES):
            piece = buffer[start : start + PIECE_BYTES]
            self._inner.write(piece, self._deadline.left_s(WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> NetworkStream:
        left_s = self._deadline.left_s(ConnectTimeout)
        inner = self._inner.start_tls(ssl_context, server_hostname, left_s)
        return DeadlineStream(inner, self._deadline)

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)


class DeadlineBackend(SyncBackend):
    """Connections of this machine's own, each a `DeadlineStream`."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> NetworkStream:
        left_s = self._deadline.left_s(ConnectTimeout)
        stream = super().connect_tcp(host, port, left_s, local_address, socket_options)
        return DeadlineStream(stream, self._deadline)
