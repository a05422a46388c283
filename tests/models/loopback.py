"""A chat-completions server on this machine: it answers, throttles, stalls and talks nonsense.

The model that is asked for names what the server does; see `DOES`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

PIECE = b"x" * 65_536


@dataclass
class Loopback:
    """A running server: its address, and what it was asked, headers and bodies."""

    url: str
    asked: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def loopback() -> Iterator[Loopback]:
    """The server, until the context ends: then every request it still holds is let go."""
    ended = Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            running.asked.append((self.path, dict(self.headers), body))
            document = json.loads(body)
            self.close_connection = True
            DOES[document["model"]](self, document, ended)

        def log_message(self, *_args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_args: object) -> None:
            pass  # a client that hung up on an endless body is what the test wants

    with Server(("127.0.0.1", 0), Handler) as server:
        running = Loopback(f"http://127.0.0.1:{server.server_port}/v1")
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield running
        finally:
            ended.set()
            server.shutdown()
            thread.join()


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes, **headers: str) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def completion(text: str) -> bytes:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return json.dumps({"object": "chat.completion", "choices": [choice]}).encode("utf-8")


def _echo(handler: BaseHTTPRequestHandler, document: dict, _ended: Event) -> None:
    send(handler, 200, completion(f"You said: {document['messages'][-1]['content']}"))


def _repeat_key(handler: BaseHTTPRequestHandler, _document: dict, _ended: Event) -> None:
    send(handler, 200, completion(f"Your header: {handler.headers['Authorization']}"))


def _repeat_key_escaped(handler: BaseHTTPRequestHandler, _document: dict, _ended: Event) -> None:
    body = completion(f"Your header: {handler.headers['Authorization']}")
    send(handler, 200, body.replace(b"/", b"\\/"))


def _in_escapes(text: str) -> str:
    """Every character as JSON's `\\uXXXX`, in upper or lower case as it comes."""
    return "".join(f"\\u{ord(sign):04{'xX'[at % 2]}}" for at, sign in enumerate(text))


def _repeat_key_in_escapes(handler: BaseHTTPRequestHandler, _document: dict, _ended: Event) -> None:
    key = _in_escapes(handler.headers["Authorization"])
    send(handler, 200, completion("Your header: HERE").replace(b"HERE", key.encode("ascii")))


def _repeat_key_in_a_proposal(
    handler: BaseHTTPRequestHandler, _document: dict, _ended: Event
) -> None:
    key = _in_escapes(handler.headers["Authorization"])
    send(handler, 200, completion(f'[{{"op": {{"content": "{key}"}}}}]'))


def _repeat_key_in_escaped_escapes(
    handler: BaseHTTPRequestHandler, _document: dict, _ended: Event
) -> None:
    key = _in_escapes(handler.headers["Authorization"]).replace("\\", "\\u005c")
    send(handler, 200, completion("HERE").replace(b"HERE", key.encode("ascii")))


def _deny_naming_key_in_escapes(
    handler: BaseHTTPRequestHandler, _document: dict, _ended: Event
) -> None:
    key = _in_escapes(handler.headers["Authorization"])
    send(handler, 401, f'{{"error": {{"message": "{"x" * 180}{key}"}}}}'.encode())


def _nonsense_naming_key_in_escapes(
    handler: BaseHTTPRequestHandler, _document: dict, _ended: Event
) -> None:
    key = _in_escapes(handler.headers["Authorization"])
    send(handler, 200, f'{{"{"x" * 45}{key}": 1, "{"x" * 45}{key}": 2}}'.encode())


def _deny_naming_key(handler: BaseHTTPRequestHandler, _document: dict, _ended: Event) -> None:
    escaped = handler.headers["Authorization"].replace("/", "\\/")
    send(handler, 401, f'{{"error": {{"message": "bad key: {escaped}"}}}}'.encode())


def _stall(_handler: BaseHTTPRequestHandler, _document: dict, ended: Event) -> None:
    ended.wait(10)


def _drip(handler: BaseHTTPRequestHandler, _document: dict, ended: Event) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    while not ended.wait(0.02):
        handler.wfile.write(b" ")


def _drip_headers(handler: BaseHTTPRequestHandler, _document: dict, ended: Event) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while not ended.wait(0.02):
        handler.wfile.write(b"a")


def _endless_processing(handler: BaseHTTPRequestHandler, _document: dict, ended: Event) -> None:
    while not ended.wait(0.02):
        handler.wfile.write(b"HTTP/1.1 102 Processing\r\n\r\n")


def _break_off(handler: BaseHTTPRequestHandler, _document: dict, _ended: Event) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')


def _hang_up(handler: BaseHTTPRequestHandler, _document: dict, _ended: Event) -> None:
    handler.connection.close()


def _no_http(handler: BaseHTTPRequestHandler, _document: dict, _ended: Event) -> None:
    greeting = f"220 mail.example {handler.headers['Authorization']} {'x' * 1_000}\r\n\r\n"
    handler.wfile.write(greeting.encode("ascii"))


def _endless(handler: BaseHTTPRequestHandler, _document: dict, ended: Event) -> None:
    handler.send_response(200)
    handler.end_headers()
    while not ended.is_set():
        handler.wfile.write(PIECE)


def _redirect(handler: BaseHTTPRequestHandler, _document: dict, _ended: Event) -> None:
    send(handler, 307, b"", Location=f"http://{handler.headers['Host']}/elsewhere")


def _review(handler: BaseHTTPRequestHandler, document: dict, _ended: Event) -> None:
    """A reviewer that is busy when the turn is busy, and else repeats the turn as a proposal."""
    turn = document["messages"][-1]["content"]
    if "busy" in turn:
        send(handler, 429, b'{"error": {"message": "slow down"}}', Retry_After="2")
        return
    op = {"action": "add", "content": turn}
    proposal = {"target": "memory", "op": op, "rationale": "the turn showed it", "score": 0.8}
    send(handler, 200, completion(json.dumps([proposal], ensure_ascii=False)))


def _says(status: int, body: bytes = b"", **headers: str) -> Callable[..., None]:
    return lambda handler, _document, _ended: send(handler, status, body, **headers)


DOES: dict[str, Callable[[BaseHTTPRequestHandler, dict, Event], None]] = {
    "echo": _echo,
    "reviewer": _review,
    "repeat-key": _repeat_key,
    "repeat-key-escaped": _repeat_key_escaped,
    "repeat-key-in-escapes": _repeat_key_in_escapes,
    "repeat-key-in-escaped-escapes": _repeat_key_in_escaped_escapes,
    "repeat-key-in-a-proposal": _repeat_key_in_a_proposal,
    "deny-naming-key-in-escapes": _deny_naming_key_in_escapes,
    "nonsense-naming-key-in-escapes": _nonsense_naming_key_in_escapes,
    "deny-naming-key": _deny_naming_key,
    "stall": _stall,
    "drip": _drip,
    "drip-headers": _drip_headers,
    "endless-processing": _endless_processing,
    "break-off": _break_off,
    "hang-up": _hang_up,
    "no-http": _no_http,
    "endless": _endless,
    "redirect": _redirect,
    "throttle": _says(429, b'{"error": {"message": "slow down"}}', Retry_After="2"),
    "unavailable": _says(503, Retry_After="Fri, 31 Dec 2100 23:59:59 GMT"),
    "bad-request": _says(400),
    "denied": _says(401),
    "not-found": _says(404),
    "gzip": _says(200, gzip.compress(completion("yes")), Content_Encoding="gzip"),
    "not-json": _says(200, b"<html>hello</html>"),
    "not-utf8": _says(200, b'{"choices": "\xff"}'),
    "wrong-shape": _says(200, b'{"answer": "yes"}'),
}
