"""What holds for every picture: told in words, nothing overlaps or leaves the sheet."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from alembic_sim import (
    CuratorPolicy,
    LearnError,
    LearnOutcome,
    MemoryFs,
    MemoryStore,
    Ok,
    ReviewDeps,
    UsageRecord,
    review_and_learn,
    score_threshold_gate,
)
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.teaching.pictures.closed_loop import draw_closed_loop
from alembic_sim.teaching.pictures.curriculum_map import draw_curriculum_map
from alembic_sim.teaching.pictures.gate_pipeline import draw_gate_pipeline
from alembic_sim.teaching.pictures.idle_bands import draw_idle_bands
from alembic_sim.teaching.pictures.next_state_flow import STALE_FIRST, draw_next_state_flow
from alembic_sim.teaching.pictures.parts_map import draw_parts_map
from alembic_sim.teaching.pictures.read_write_asymmetry import draw_read_write_asymmetry
from alembic_sim.teaching.pictures.state_machine import draw_state_machine
from alembic_sim.teaching.probing import idle_skill, never_used_skill
from alembic_sim.teaching.svg import Svg
from tests.teaching.svg_reading import NAMESPACE, all_words, outside, overlapping, parse

HOSTILE = "<script>alert(1)</script> \x00 " + "long " * 40


def stale_first(record: UsageRecord, stale_cutoff: float, archive_cutoff: float) -> SkillState:
    """The tempting order, as lesson 07 writes it."""
    anchor = record.last_activity_at or math.inf
    if anchor <= stale_cutoff and record.state == "active":
        return "stale"
    if anchor <= archive_cutoff and record.state != "archived":
        return "archived"
    return "active" if anchor > stale_cutoff and record.state == "stale" else record.state


def zero_anchor(record: UsageRecord, stale_cutoff: float, archive_cutoff: float) -> SkillState:
    """The absurd anchor of lesson 06: never used is older than anything."""
    if record.last_activity_at <= archive_cutoff:
        return "archived"
    return "stale" if record.last_activity_at <= stale_cutoff else "active"


def proposal(text: str, score: float) -> dict[str, object]:
    op = {"action": "add", "content": text}
    return {"target": "memory", "op": op, "rationale": "seen today", "score": score}


def learn(*proposals: dict[str, object], limit: int = 500) -> LearnOutcome | LearnError:
    memory = MemoryStore(MemoryFs(), memory_char_limit=limit)
    deps = ReviewDeps(lambda summary: Ok(list(proposals)), score_threshold_gate(), memory)
    result = review_and_learn("A day's work.", deps)
    return result.value if result.ok else result.error


FULL = learn(
    *(proposal(f"note {number}", 0.9) for number in range(12)),
    proposal(HOSTILE.replace("\x00", ""), 0.1),
    *(proposal(f"weak {number}", 0.2) for number in range(3)),
    proposal("x" * 600, 0.8),
)
LIBRARY = {
    "fix-ci": idle_skill(10),
    "on the edge": idle_skill(30),
    "older": idle_skill(45, state="stale"),
    "oldest": idle_skill(4000),
    "brand-new": never_used_skill(),
    HOSTILE: idle_skill(89.99),
}

PICTURES: dict[str, Callable[[], Svg]] = {
    "closed loop": draw_closed_loop,
    "closed loop, another threshold": lambda: draw_closed_loop(0.85),
    "parts": draw_parts_map,
    "curriculum": draw_curriculum_map,
    "curriculum, nothing written": lambda: draw_curriculum_map(()),
    "curriculum, all written": lambda: draw_curriculum_map(range(14)),
    "pipeline, the plan": draw_gate_pipeline,
    "pipeline, an empty step": lambda: draw_gate_pipeline(LearnOutcome()),
    "pipeline, full buckets": lambda: draw_gate_pipeline(FULL),
    "pipeline, long texts": lambda: draw_gate_pipeline(
        learn(*(proposal(HOSTILE.replace("\x00", "") * 2, score) for score in (0.1, 0.2, 0.9)))
    ),
    "pipeline, stopped": lambda: draw_gate_pipeline(learn(proposal("a", 0.9), proposal("b", 9))),
    "bands": draw_idle_bands,
    "bands with skills": lambda: draw_idle_bands(LIBRARY),
    "bands, close cut-offs": lambda: draw_idle_bands(LIBRARY, policy=CuratorPolicy(29, 30)),
    "bands, fractions": lambda: draw_idle_bands(policy=CuratorPolicy(0.5, 1.25)),
    "bands, wide": lambda: draw_idle_bands(LIBRARY, policy=CuratorPolicy(365, 3650)),
    "bands, for ever": lambda: draw_idle_bands(LIBRARY, policy=CuratorPolicy(30, 10**9)),
    "machine, for ever": lambda: draw_state_machine(policy=CuratorPolicy(30, 10**9)),
    "bands, archive before stale": lambda: draw_idle_bands(LIBRARY, policy=CuratorPolicy(90, 30)),
    "bands, all at once": lambda: draw_idle_bands(LIBRARY, policy=CuratorPolicy(0, 0)),
    "bands, zero anchor": lambda: draw_idle_bands(LIBRARY, decide=zero_anchor),
    "machine": draw_state_machine,
    "machine, another policy": lambda: draw_state_machine(policy=CuratorPolicy(14, 60)),
    "machine, stale first": lambda: draw_state_machine(decide=stale_first),
    "flow, 120 days": lambda: draw_next_state_flow(idle_skill(120)),
    "flow, stale first": lambda: draw_next_state_flow(
        idle_skill(120), decide=stale_first, order=STALE_FIRST
    ),
    "flow, never used": lambda: draw_next_state_flow(never_used_skill()),
    "flow, zero anchor": lambda: draw_next_state_flow(never_used_skill(), decide=zero_anchor),
    "flow, one step": lambda: draw_next_state_flow(idle_skill(5, state="stale"), steps=1),
    "reading and writing": draw_read_write_asymmetry,
    "flow, archived": lambda: draw_next_state_flow(idle_skill(5, state="archived")),
}


@pytest.fixture(params=PICTURES, ids=str)
def draw(request: pytest.FixtureRequest) -> Callable[[], Svg]:
    found: Callable[[], Svg] = PICTURES[request.param]
    return found


def test_no_text_is_written_over_another(draw: Callable[[], Svg]) -> None:
    assert overlapping(draw()) == []


def test_no_text_leaves_the_sheet(draw: Callable[[], Svg]) -> None:
    assert outside(draw()) == []


def test_it_is_labelled_and_told_in_words(draw: Callable[[], Svg]) -> None:
    svg, root = draw(), parse(draw())
    assert root.get("role") == "img"
    assert root.get("aria-label", "").startswith(root[0].text or "?")
    assert root[1].text == svg.summary
    assert len(svg.summary) > 20
    assert svg.summary.endswith(".")


def test_drawing_it_twice_gives_the_same_bytes(draw: Callable[[], Svg]) -> None:
    assert draw().markup == draw().markup


def test_it_fetches_nothing_and_runs_nothing(draw: Callable[[], Svg]) -> None:
    shapes = {"rect", "text", "polyline", "polygon", "circle", "path"}
    for element in parse(draw()).iter():
        assert element.tag.removeprefix(NAMESPACE) in {"svg", "title", "desc", *shapes}
        assert not [name for name in element.attrib if name.startswith("on") or "href" in name]


def test_the_text_is_large_enough_to_read(draw: Callable[[], Svg]) -> None:
    sizes = [float(element.get("font-size", "14")) for element in parse(draw()).iter()]
    assert min(sizes) >= 11


def test_it_shows_no_backticks(draw: Callable[[], Svg]) -> None:
    """They mean something in a docstring; in a picture they are dirt."""
    assert "`" not in all_words(draw())
