"""Small learning scenarios for tests: written by hand, and chosen by hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from alembic_sim.sim.gates.gate_choice import NO_GATE, GateChoice, gate_choice
from alembic_sim.sim.scenario import Archetype, LearningPlan, Scenario

BOARD = GateChoice("board")


def threshold(lowest: float) -> GateChoice:
    """The gate with this threshold."""
    return gate_choice(lowest).expect("a threshold")


def learning(days: int = 30, **plan: object) -> Scenario:
    """Sessions and no library: a day, a session."""
    return Scenario(
        days=days,
        population=(Archetype(count=0),),
        learning=LearningPlan(**{"sessions_per_day": 1.0, **plan}),  # type: ignore[arg-type]
    )


def limits() -> st.SearchStrategy[int]:
    """No room at all, room for one lesson or two, for some, for all."""
    return st.integers(0, 20) | st.integers(50, 250) | st.integers(250, 3000) | st.just(100_000)


@st.composite
def learning_scenarios(draw: st.DrawFn) -> Scenario:
    """Any plan with something to learn, short enough for the reference engine."""
    days = draw(st.integers(1, 12))
    return learning(
        days,
        sessions_per_day=draw(
            st.sampled_from([1.0, 1.5, 2.0, 0.3]).filter(lambda n: n * days >= 1)
        ),
        proposals_per_session=draw(st.integers(1, 12)),
        true_share=draw(st.sampled_from([0.0, 0.3, 0.6, 1.0])),
        reviewer_noise=draw(st.integers(0, 100)),
        memory_char_limit=draw(limits()),
        user_char_limit=draw(limits()),
    ).model_copy(update={"seed": draw(st.integers(0, 2**53 - 1))})


def gates() -> st.SearchStrategy[GateChoice]:
    """Any gate, thresholds that a score may meet exactly among them."""
    hundredths = st.integers(0, 100).map(lambda n: threshold(n / 100))
    return hundredths | st.floats(0, 1).map(threshold) | st.sampled_from([BOARD, NO_GATE])
