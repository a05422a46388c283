"""Record and replay: byte for byte, errors too, nothing lost, and damage is said.

`loopback.jsonl` was recorded from the server in loopback.py; a test records it anew.
"""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import (
    Err,
    FakeModel,
    MemoryFs,
    MemoryStore,
    ModelError,
    ModelReply,
    ModelRequest,
    Ok,
    ReviewDeps,
    model_proposer,
    review_and_learn,
    score_threshold_gate,
)
from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.models import (
    MISBEHAVIOURS,
    MisbehavingModel,
    OpenAICompatibleModel,
    RecordingModel,
    ReplayModel,
    RetryingModel,
)
from alembic_sim.models.asking import ask_model
from alembic_sim.models.cassette import MAX_CASSETTE_BYTES
from alembic_sim.models.cassette_format import Turn, nearest_difference, parse_cassette
from alembic_sim.ports.fs import FileStat, FsError
from alembic_sim.ports.model import ModelIdentity
from tests.meddled_fs import (
    OPERATIONS,
    MeddledFs,
    RaisesOnEnter,
    RaisesOnExit,
    answers,
    fails,
    raises,
)
from tests.models.loopback import loopback

CASSETTES = Path(__file__).parents[1] / "data" / "cassettes"
KEY = "sk-test-0123456789abcdef"
ASKED = ModelRequest("rules", "question")
OTHER = ModelRequest("rules", "query")
BUSY = ModelError("throttled", "HTTP 429", retryable=True, retry_after_ms=2_000)
PATH = "cassettes/talk.jsonl"

CONVERSATION = [
    ModelRequest("You review.", "CI runs on Linux only"),
    ModelRequest("You review.", "a busy turn"),
    ModelRequest("You review.", "Größe §\u2028\r\n🙂"),
    ModelRequest("", "CI runs on Linux only"),
]


def recorded(*turns: tuple[ModelRequest, object], fs: MemoryFs | None = None) -> MemoryFs:
    fs = fs or MemoryFs()
    model = RecordingModel(FakeModel([answer for _, answer in turns]), fs, PATH)
    for request, _ in turns:
        model.run(request)
    return fs


# a real conversation


def test_recording_the_conversation_anew_gives_the_bytes_of_the_shipped_cassette() -> None:
    fs = MemoryFs()
    with loopback() as server:
        real = OpenAICompatibleModel(
            server.url,
            "reviewer",
            api_key=lambda: KEY,
            monotonic=time.monotonic,
            adapter_id="loopback",
        )
        model = RecordingModel(real, fs, "loopback.jsonl")
        for request in CONVERSATION:
            model.run(request)
    assert fs.files() == {"loopback.jsonl": (CASSETTES / "loopback.jsonl").read_bytes()}
    assert KEY.encode() not in fs.files()["loopback.jsonl"]


def test_the_shipped_cassette_replays_offline_and_is_learnt_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "socket", None)
    model = ReplayModel(DiskFs(CASSETTES), "loopback.jsonl")
    assert model.identity == ModelIdentity("loopback", "reviewer")
    texts = [model.run(request) for request in CONVERSATION]
    assert [answer.ok for answer in texts] == [True, False, True, True]
    assert texts[1].error == ModelError("throttled", "HTTP 429: 'slow down'", True, 2_000)
    assert json.loads(texts[2].value.text)[0]["op"]["content"] == CONVERSATION[2].prompt
    reviewer = FakeModel([texts[0]])
    store = MemoryStore(MemoryFs())
    deps = ReviewDeps(model_proposer(reviewer), score_threshold_gate(), store)
    assert len(review_and_learn("turn", deps).value.applied) == 1


def test_replaying_a_replay_on_a_new_cassette_gives_the_same_bytes() -> None:
    fs = MemoryFs()
    copy = RecordingModel(ReplayModel(DiskFs(CASSETTES), "loopback.jsonl"), fs, "copy.jsonl")
    for request in CONVERSATION:
        copy.run(request)
    assert fs.files()["copy.jsonl"] == (CASSETTES / "loopback.jsonl").read_bytes()


# recording


def test_recording_changes_neither_the_answers_nor_who_gives_them() -> None:
    inner = FakeModel(["yes", BUSY], adapter_id="local", model_id="small")
    model = RecordingModel(inner, MemoryFs(), PATH)
    assert [model.run(ASKED), model.run(OTHER)] == [Ok(ModelReply("yes")), Err(BUSY)]
    assert (model.identity, inner.calls) == (ModelIdentity("local", "small"), [ASKED, OTHER])


def test_a_cassette_is_a_header_and_a_line_a_turn() -> None:
    lines = recorded((ASKED, "yes"), (OTHER, BUSY)).files()[PATH].decode("utf-8").split("\n")
    assert [json.loads(line) for line in lines[:-1]] == [
        {"cassette": "alembic-sim 1", "adapter_id": "fake", "model_id": "scripted"},
        {"request": {"system": "rules", "prompt": "question"}, "reply": "yes"},
        {
            "request": {"system": "rules", "prompt": "query"},
            "error": {
                "code": "throttled",
                "message": "HTTP 429",
                "retryable": True,
                "retry_after_ms": 2_000,
            },
        },
    ]
    assert lines[-1] == ""


def test_a_second_recorder_continues_the_cassette() -> None:
    fs = recorded((ASKED, "one"))
    before = fs.files()[PATH]
    recorded((OTHER, "two"), fs=fs)
    assert fs.files()[PATH].startswith(before)
    replay = ReplayModel(fs, PATH)
    assert [replay.run(one).value.text for one in (ASKED, OTHER)] == ["one", "two"]


def test_a_last_line_without_its_newline_is_not_glued_to_the_next() -> None:
    fs = recorded((ASKED, "one"))
    fs.write(PATH, fs.files()[PATH].rstrip(b"\n"))
    recorded((OTHER, "two"), fs=fs)
    assert ReplayModel(fs, PATH).run(OTHER).ok


def test_inside_a_retry_every_attempt_is_recorded_and_replayed() -> None:
    fs = MemoryFs()
    recording = RecordingModel(FakeModel([BUSY, "yes"]), fs, PATH)
    RetryingModel(recording, sleep=lambda _ms: None).run(ASKED)
    waits: list[int] = []
    replayed = RetryingModel(ReplayModel(fs, PATH), sleep=waits.append).run(ASKED)
    assert (replayed, waits) == (Ok(ModelReply("yes")), [2_000])


@pytest.mark.parametrize("name", MISBEHAVIOURS)
def test_every_misbehaviour_is_recorded_as_what_a_caller_would_have_seen(name: str) -> None:
    fs = MemoryFs()
    seen = RecordingModel(MisbehavingModel(name), fs, PATH).run(ASKED)
    assert seen == ask_model(MisbehavingModel(name), ASKED)
    assert ReplayModel(fs, PATH).run(ASKED) == seen


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"{}", b"not json\n", b'{"cassette": "alembic-sim 2"}\n']
)
def test_a_damaged_cassette_is_left_alone_and_the_model_is_not_asked(data: bytes) -> None:
    fs, inner = MemoryFs({PATH: data}), FakeModel(["yes"])
    assert RecordingModel(inner, fs, PATH).run(ASKED).error.code == "bad-cassette"
    assert (fs.files(), inner.calls) == ({PATH: data}, [])


def test_another_models_cassette_is_left_alone_and_the_model_is_not_asked() -> None:
    fs, inner = recorded((ASKED, "yes")), FakeModel(["no"], model_id="other")
    before = fs.files()
    error = RecordingModel(inner, fs, PATH).run(OTHER).error
    assert error.code == "other-identity"
    assert "scripted" in error.message
    assert "other" in error.message
    assert (fs.files(), inner.calls) == (before, [])


@pytest.mark.parametrize("request_", [None, ModelRequest(5, "x")])
def test_what_is_no_request_is_neither_asked_nor_recorded(request_: object) -> None:
    fs, inner = MemoryFs(), FakeModel(["yes"])
    assert RecordingModel(inner, fs, PATH).run(request_).error.code == "bad-request"
    assert (fs.files(), inner.calls) == ({}, [])


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (ModelRequest("\ud800", ""), "yes"),
        (ASKED, "half \udc00"),
        (ASKED, ModelError("a", "\ud800")),
    ],
)
def test_what_is_no_text_cannot_be_recorded_and_spoils_nothing(
    request_: ModelRequest, answer: object
) -> None:
    fs = recorded((ASKED, "before"))
    before = fs.files()
    error = RecordingModel(FakeModel([answer]), fs, PATH).run(request_).error
    assert error.code == "not-recorded"
    assert "lone surrogate" in error.message
    assert fs.files() == before


def test_a_model_whose_name_is_no_text_cannot_be_recorded() -> None:
    inner = FakeModel(["yes"], model_id="\ud800")
    assert RecordingModel(inner, MemoryFs(), PATH).run(ASKED).error.code == "not-recorded"
    assert inner.calls == []


def test_a_cassette_is_never_made_larger_than_it_can_be_read() -> None:
    fs = MemoryFs()
    model = RecordingModel(FakeModel(["x" * MAX_CASSETTE_BYTES]), fs, PATH)
    assert model.run(ASKED).error.code == "not-recorded"
    assert fs.files() == {}


@pytest.mark.parametrize("operation", ["write", "sync", "replace", "lock", "mkdir"])
@pytest.mark.parametrize("meddler", [fails("no-space"), raises(OSError("oh")), answers(None)])
def test_an_answer_that_cannot_be_written_is_an_error_and_the_old_bytes_stay(
    operation: str, meddler: object
) -> None:
    fs = recorded((ASKED, "before"))
    before = fs.files()
    path = "new/folder/talk.jsonl" if operation == "mkdir" else PATH
    meddled = MeddledFs(fs, **{operation: meddler})
    error = RecordingModel(FakeModel(["yes"]), meddled, path).run(OTHER).error
    assert (error.code, error.retryable) == ("not-recorded", False)
    assert fs.files()[PATH] == before[PATH]


def test_a_folder_that_cannot_be_synced_leaves_it_uncertain() -> None:
    fs = MeddledFs(recorded((OTHER, "before")), sync_dir=fails("io"))
    error = RecordingModel(FakeModel(["yes"]), fs, PATH).run(ASKED).error
    assert error.code == "write-uncertain"
    assert ReplayModel(fs, PATH).run(ASKED).ok, "old or new, never neither"


def test_a_cassette_that_changes_while_the_model_answers_keeps_both() -> None:
    """The file is read again under the lock: what another recorded meanwhile is not lost."""
    fs = MemoryFs()

    def slow(_request: ModelRequest) -> str:
        recorded((OTHER, "meanwhile"), fs=fs)
        return "yes"

    RecordingModel(FakeModel(slow), fs, PATH).run(ASKED)
    replay = ReplayModel(fs, PATH)
    assert [replay.run(one).value.text for one in (OTHER, ASKED)] == ["meanwhile", "yes"]


def test_one_that_was_damaged_while_the_model_answered_is_left_alone() -> None:
    fs = MemoryFs({"cassettes/x": b""})
    inner = FakeModel(lambda _request: "yes" if fs.write(PATH, b"damaged").ok else "")
    assert RecordingModel(inner, fs, PATH).run(ASKED).error.code == "bad-cassette"
    assert fs.files()[PATH] == b"damaged"


def test_every_operation_of_recording_may_fail_and_the_cassette_stays_whole() -> None:
    for operation in OPERATIONS:
        for meddler in (fails("io"), raises(KeyError("x")), answers("nonsense")):
            fs = recorded((ASKED, "before"))
            answer = RecordingModel(
                FakeModel(["yes"]), MeddledFs(fs, **{operation: meddler}), PATH
            ).run(OTHER)
            replay = ReplayModel(fs, PATH)
            assert replay.run(ASKED) == Ok(ModelReply("before"))
            if answer.ok:
                assert replay.run(OTHER) == answer, f"{operation}: Ok means recorded"


@pytest.mark.parametrize("lock", [RaisesOnEnter(), RaisesOnExit()])
def test_a_lock_that_jams_raises_nothing(lock: object) -> None:
    fs = MeddledFs(MemoryFs(), lock=answers(Ok(lock)))
    answer = RecordingModel(FakeModel(["yes"]), fs, PATH).run(ASKED)
    assert answer.ok == isinstance(lock, RaisesOnExit)


# replaying


def test_the_same_request_gets_its_answers_in_order_and_then_no_more() -> None:
    replay = ReplayModel(recorded((ASKED, "one"), (OTHER, "x"), (ASKED, "two")), PATH)
    assert [replay.run(ASKED).value.text for _ in range(2)] == ["one", "two"]
    error = replay.run(ASKED).error
    assert (error.code, error.retryable) == ("not-on-cassette", False)
    assert "2 times" in error.message
    assert replay.run(OTHER).ok


def test_a_request_that_is_not_there_is_told_the_nearest_difference() -> None:
    near = ModelRequest("rules", "What do you think of this turn?")
    replay = ReplayModel(recorded((OTHER, "x"), (near, "yes"), (ASKED, "y")), PATH)
    error = replay.run(ModelRequest("rules", "What do you think of that turn?")).error
    assert error.code == "not-on-cassette"
    assert error.message == (
        "nearest is line 3: its prompt differs from character 23 on: "
        "'is turn?' on the cassette, 'at turn?' asked for"
    )


def test_a_difference_in_the_system_prompt_is_named_first() -> None:
    message = ReplayModel(recorded((ASKED, "yes")), PATH).run(ModelRequest("rule", "q")).error
    assert "its system differs from character 4 on: 's' on the cassette, ''" in message.message


def test_of_equally_near_ones_the_first_is_named() -> None:
    turns = [Turn(ModelRequest("", text), Err(BUSY)) for text in ("ax", "ay", "bz")]
    assert "line 2" in nearest_difference(turns, ModelRequest("", "aw"))
    assert "line 4" in nearest_difference(turns, ModelRequest("", "b"))


def test_what_agrees_at_the_end_counts_as_much_as_at_the_start() -> None:
    turns = [Turn(ModelRequest("", text), Err(BUSY)) for text in ("axyz", "zbcd")]
    assert "line 3" in nearest_difference(turns, ModelRequest("", "abcd"))


def test_a_cassette_without_turns_says_so() -> None:
    fs = recorded((ASKED, "yes"))
    fs.write(PATH, fs.files()[PATH].split(b"\n")[0] + b"\n")
    assert "no request at all" in ReplayModel(fs, PATH).run(ASKED).error.message


def test_an_unreadable_cassette_is_an_error_at_each_call_and_the_model_has_a_name() -> None:
    replay = ReplayModel(MemoryFs(), PATH)
    assert replay.identity == ModelIdentity("cassette", f"'{PATH}'")
    error = replay.run(ASKED).error
    assert error.code == "no-cassette"
    assert PATH in error.message


@pytest.mark.parametrize(
    "fs",
    [
        MemoryFs({f"{PATH}/below": b""}),
        MeddledFs(MemoryFs(), read=raises(OSError("oh"))),
        MeddledFs(MemoryFs(), read=answers(Ok("text"))),
        MeddledFs(MemoryFs(), read=answers(Err(FsError("denied", "no")))),
        MeddledFs(MemoryFs(), read=answers(Ok(FileStat("file", 0, 0)))),
    ],
)
def test_a_file_port_that_fails_is_a_bad_cassette(fs: object) -> None:
    assert ReplayModel(fs, PATH).run(ASKED).error.code == "bad-cassette"


@pytest.mark.parametrize("path", ["", "../x", "/x", None, 5, "a\0b"])
def test_a_path_that_names_no_file_is_an_error_value(path: object) -> None:
    assert not ReplayModel(MemoryFs(), path).run(ASKED).ok
    assert not RecordingModel(FakeModel(["yes"]), MemoryFs(), path).run(ASKED).ok


@pytest.mark.parametrize("request_", [None, ModelRequest("x", None)])
def test_what_is_no_request_is_refused(request_: object) -> None:
    assert ReplayModel(recorded((ASKED, "x")), PATH).run(request_).error.code == "bad-request"


HEADER = '{"cassette": "alembic-sim 1", "adapter_id": "a", "model_id": "m"}'
TURN = '{"request": {"system": "s", "prompt": "p"}, "reply": "r"}'
SPOILT = [
    (TURN.replace('"r"}', "5}"), "line 2"),
    (TURN.replace('"r"}', "NaN}"), "line 2"),
    (TURN.replace('"p"', "null"), "line 2"),
    (TURN.replace('"r"}', '"r", "reply": "q"}'), "twice"),
    (TURN.replace('"reply": "r"', '"error": {"code": "x"}'), "line 2"),
]


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("", "line 1"),
        (TURN, "line 1 of the cassette is not its header"),
        (f"{HEADER}\n{HEADER}\n", "line 2 of the cassette is not a request"),
        (f"{HEADER}\n\n{TURN}\n", "line 2"),
        (f"{HEADER}\n{TURN}\n{TURN[:20]}", "line 3"),
        (f"{HEADER}\n{TURN}\n[]\n", "line 3"),
        (f"\ufeff{HEADER}\n", "line 1"),
        *((f"{HEADER}\n{turn}\n", piece) for turn, piece in SPOILT),
    ],
)
def test_damage_is_a_bad_cassette_that_names_the_line(text: str, piece: str) -> None:
    error = ReplayModel(MemoryFs({PATH: text}), PATH).run(ASKED).error
    assert error.code == "bad-cassette"
    assert piece in error.message


def test_a_checkout_that_turned_newlines_into_crlf_still_replays() -> None:
    fs = MemoryFs({PATH: f"{HEADER}\r\n{TURN}\r\n"})
    assert ReplayModel(fs, PATH).run(ModelRequest("s", "p")) == Ok(ModelReply("r"))


@given(st.binary(max_size=80) | st.text(max_size=40).map(lambda t: f"{HEADER}\n{t}".encode()))
def test_any_bytes_are_a_cassette_or_a_bad_one(data: bytes) -> None:
    parsed = parse_cassette(data)
    assert parsed.ok or parsed.error.code == "bad-cassette"
    assert not ReplayModel(MemoryFs({PATH: data}), PATH).run(ASKED).ok


TEXT = st.text(max_size=12) | st.text(alphabet='\r\n\u2028\u0085\0\ufeff"\\§', max_size=12)
ERRORS = st.builds(ModelError, TEXT, TEXT, st.booleans(), st.none() | st.integers(0, 10**9))


@given(st.lists(st.tuples(st.builds(ModelRequest, TEXT, TEXT), TEXT | ERRORS), max_size=6))
def test_whatever_was_said_is_replayed_exactly(talk: list[tuple[ModelRequest, object]]) -> None:
    fs = recorded(*talk)
    replay = ReplayModel(fs, PATH)
    for request, answer in talk:
        said = Ok(ModelReply(answer)) if isinstance(answer, str) else Err(answer)
        assert replay.run(request) == said
