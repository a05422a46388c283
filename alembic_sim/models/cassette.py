"""Record and replay: a real conversation on a cassette, replayed byte for byte without a network.

What is recorded is requests and answers, errors among them; a key is no part of either. Recording
inside a retry keeps every attempt, recording around it only what came of them.
"""

from __future__ import annotations

from alembic_sim.durable import sweep_temp, write_atomic
from alembic_sim.guarded import GuardedFs
from alembic_sim.models.asking import ask_model
from alembic_sim.models.cassette_format import (
    Turn,
    header_line,
    nearest_difference,
    parse_cassette,
    turn_line,
)
from alembic_sim.models.checks import check_request, identity_of
from alembic_sim.ports.fs import FsError, FsPort
from alembic_sim.ports.model import (
    ModelAdapter,
    ModelError,
    ModelIdentity,
    ModelReply,
    ModelRequest,
)
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import not_utf8, shorten

MAX_CASSETTE_BYTES = 16 * 1024 * 1024
LOCK_DEADLINE_MS = 5_000


class RecordingModel:
    """The model `inner`; each request with its answer is durably on the cassette before it returns.

    An existing cassette of the same model is continued. Errors of its own: `bad-cassette` and
    `other-identity` before the model is asked, since a call may cost money; `not-recorded` and
    `write-uncertain` after it, since an answer that will not be replayed is no answer here.
    """

    def __init__(self, inner: ModelAdapter, fs: FsPort, path: str) -> None:
        self.identity = identity_of(inner)
        self._inner = inner
        self._fs = GuardedFs(fs)
        self._path = path

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]:
        """The model's own answer, once it is recorded."""
        checked = check_request(request)
        usable = self._recorded() if checked.ok else checked
        if not usable.ok:
            return usable
        answer = ask_model(self._inner, request)
        kept = self._record(Turn(request, answer))
        return answer if kept.ok else kept

    def _record(self, turn: Turn) -> Result[None, ModelError]:
        """Written anew as a whole under the lock: a power cut leaves no torn line."""
        try:
            line = turn_line(turn).encode("utf-8")
        except UnicodeError as error:
            return _not_recorded(f"the conversation is not text: {not_utf8(error)}")
        locked = self._fs.lock(self._path, LOCK_DEADLINE_MS)
        if not locked.ok:
            return _not_recorded(locked.error.message)
        with locked.value:
            before = self._recorded()  # again: another may have recorded meanwhile
            if not before.ok:
                return before
            data = before.value + line
            if len(data) > MAX_CASSETTE_BYTES:
                return _not_recorded(f"it would hold more than {MAX_CASSETTE_BYTES} bytes")
            sweep_temp(self._fs, self._path)
            written = write_atomic(self._fs, self._path, data)
        if written.ok:
            return Ok(None)
        if written.error.code == "write-uncertain":
            return Err(ModelError(written.error.code, written.error.message))
        return _not_recorded(written.error.message)

    def _recorded(self) -> Result[bytes, ModelError]:
        """The cassette's bytes, ready for one more line; a fresh header if there is none yet."""
        read = self._fs.read(self._path, MAX_CASSETTE_BYTES)
        if not read.ok:
            fresh = read.error.code == "missing"
            return _encoded(header_line(self.identity)) if fresh else _unread(self._path, read)
        cassette = parse_cassette(read.value)
        if not cassette.ok:
            return cassette
        if cassette.value.identity != self.identity:
            why = f"{self._path} holds {cassette.value.identity}, not {self.identity}"
            return Err(ModelError("other-identity", why))
        return Ok(read.value.removesuffix(b"\n") + b"\n")


class ReplayModel:
    """The recorded model, answering from the cassette alone, under its recorded identity.

    The cassette is read once, when the model is built. A request that was recorded several times
    gets its answers in the recorded order. Errors of its own: `not-on-cassette`, which names the
    nearest difference; `no-cassette`, `bad-cassette` (its identity is then the path's).
    """

    def __init__(self, fs: FsPort, path: str) -> None:
        read = GuardedFs(fs).read(path, MAX_CASSETTE_BYTES)
        self._cassette = parse_cassette(read.value) if read.ok else _unread(path, read)
        unread = ModelIdentity("cassette", shorten(path))
        self.identity = self._cassette.value.identity if self._cassette.ok else unread
        self._replayed: dict[ModelRequest, int] = {}

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]:
        """The recorded answer, a reply or an error."""
        checked = check_request(request)
        if not checked.ok:
            return checked
        if not self._cassette.ok:
            return self._cassette
        turns = self._cassette.value.turns
        answers = [turn.answer for turn in turns if turn.request == request]
        if not answers:
            return Err(ModelError("not-on-cassette", nearest_difference(turns, request)))
        count = self._replayed.get(request, 0)
        if count == len(answers):
            why = f"the cassette holds this request {count} times, all of them replayed"
            return Err(ModelError("not-on-cassette", why))
        self._replayed[request] = count + 1
        return answers[count]


def _unread(path: str, read: Err[FsError]) -> Err[ModelError]:
    code = "no-cassette" if read.error.code == "missing" else "bad-cassette"
    return Err(ModelError(code, f"{shorten(path)}: {read.error.message}"))


def _encoded(line: str) -> Result[bytes, ModelError]:
    try:
        return Ok(line.encode("utf-8"))
    except UnicodeError as error:
        return _not_recorded(f"the model's identity is not text: {not_utf8(error)}")


def _not_recorded(why: str) -> Err[ModelError]:
    return Err(ModelError("not-recorded", f"the answer was not recorded: {why}"))
