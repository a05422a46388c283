"""DeadlineBackend: one deadline for the connection, the handshake and every byte together."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

import pytest
from httpcore import ConnectTimeout, NetworkStream, ReadTimeout, WriteTimeout

from alembic_sim.models.deadline import PIECE_BYTES, Deadline, DeadlineBackend, DeadlineStream


class Told(NetworkStream):
    """A stream on which each step takes a second; it keeps what it was told."""

    def __init__(self, told: list[tuple[str, float | None]]) -> None:
        self.now_s = 0.0
        self.told = told

    def _step(self, name: str, timeout: float | None) -> None:
        self.told.append((name, timeout))
        self.now_s += 1

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._step("read", timeout)
        return b"x" * max_bytes

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._step(f"write {len(buffer)}", timeout)

    def close(self) -> None:
        self.told.append(("close", None))

    def start_tls(
        self, ssl_context: object, server_hostname: str | None = None, timeout: float | None = None
    ) -> NetworkStream:
        self._step(f"tls {server_hostname}", timeout)
        return self

    def get_extra_info(self, info: str) -> str:
        return f"the {info}"


@pytest.fixture
def inner() -> Told:
    return Told([])


def stream_with(inner: Told, seconds: float) -> DeadlineStream:
    return DeadlineStream(inner, Deadline(lambda: inner.now_s, seconds))


def test_each_step_gets_what_is_left_whatever_it_asks_for(inner: Told) -> None:
    stream = stream_with(inner, 5)
    safe = stream.start_tls(ssl.create_default_context(), "host", timeout=9)
    safe.write(b"x" * (PIECE_BYTES + 1), timeout=None)
    assert safe.read(3, timeout=9) == b"xxx"
    assert inner.told == [
        ("tls host", 5),
        (f"write {PIECE_BYTES}", 4),
        ("write 1", 3),
        ("read", 2),
    ]


def test_when_the_time_is_up_no_step_is_begun(inner: Told) -> None:
    stream = stream_with(inner, 1)
    stream.read(1)
    with pytest.raises(ReadTimeout):
        stream.read(1)
    with pytest.raises(WriteTimeout):
        stream.write(b"x")
    with pytest.raises(ConnectTimeout):
        stream.start_tls(ssl.create_default_context())
    assert len(inner.told) == 1


def test_the_rest_of_a_stream_is_the_inner_one_s(inner: Told) -> None:
    stream = stream_with(inner, 1)
    assert stream.get_extra_info("socket") == "the socket"
    stream.close()
    assert inner.told == [("close", None)]


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_connection_is_bound_by_the_same_deadline(port: int) -> None:
    now_s = [0.0]
    backend = DeadlineBackend(Deadline(lambda: now_s[0], 1))
    stream = backend.connect_tcp("127.0.0.1", port)
    now_s[0] = 1
    with pytest.raises(ReadTimeout):
        stream.read(1)
    stream.close()
    with pytest.raises(ConnectTimeout):
        backend.connect_tcp("127.0.0.1", port)
