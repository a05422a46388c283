"""Compare: two philosophies, policies or rules side by side on the same data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.teaching.probing import EXAMPLE_NOW, Decide
from alembic_sim.teaching.svg import Svg
from alembic_sim.teaching.widgets.checked import (
    check_list,
    check_switch,
    check_text,
    check_whole,
)
from alembic_sim.teaching.widgets.compare_picture import ROWS_PER_PAGE, Row, draw_comparison
from alembic_sim.teaching.widgets.compared import gate_rows, policy_rows, rule_rows
from alembic_sim.teaching.widgets.controls import Button, Switch
from alembic_sim.teaching.widgets.shell import Shell

_TRIPLES = "(what, left, right) triples of texts"


@dataclass(frozen=True, slots=True)
class CompareState:
    """Two titled columns, and which rows are shown."""

    left: str
    right: str
    rows: tuple[Row, ...]
    only_differences: bool = False
    page: int = 0

    def __post_init__(self) -> None:
        check_text("left", self.left)
        check_text("right", self.right)
        check_list("rows", self.rows, _TRIPLES)
        for place, row in enumerate(self.rows):
            if not (isinstance(row, list | tuple) and [type(one) for one in row] == [str] * 3):
                raise ValueError(f"rows[{place}]: {row!r} is not one of {_TRIPLES}")
        check_switch("only_differences", self.only_differences)
        check_whole("page", self.page, 0, len(self.rows))

    def shown(self) -> tuple[Row, ...]:
        """The rows to page through."""
        if not self.only_differences:
            return self.rows
        return tuple(row for row in self.rows if row[1] != row[2])

    def last_page(self) -> int:
        """The number of the last page, counted from 0."""
        return max(0, len(self.shown()) - 1) // ROWS_PER_PAGE


def render_compare(state: CompareState) -> Svg:
    """The two columns, with a sign in every row where they differ."""
    first = min(state.page, state.last_page()) * ROWS_PER_PAGE
    return draw_comparison(
        (state.left, state.right),
        state.shown(),
        first,
        _summary(state),
        nothing="no row differs" if state.only_differences else "",
    )


def _summary(state: CompareState) -> str:
    differ = [what for what, left, right in state.rows if left != right]
    counted = f"{len(differ)} of {len(state.rows)} rows differ"
    named = f": {', '.join(differ)}" if differ else ""
    return f"{state.left} against {state.right}: {counted}{named}."


def _next(state: CompareState) -> CompareState:
    return replace(state, page=min(state.page + 1, state.last_page()))


def _back(state: CompareState) -> CompareState:
    return replace(state, page=max(0, min(state.page, state.last_page()) - 1))


class Compare(Shell[CompareState]):
    """The widget. `Compare("archive", "delete", [("can it come back?", "yes", "no"), …])`."""

    def __init__(self, left: str, right: str, rows: Sequence[Row]) -> None:
        check_list("rows", rows, _TRIPLES)
        state = CompareState(left, right, tuple(rows))
        controls = [Switch("only_differences", "Only what differs")]
        buttons = [Button("back", "Back"), Button("next", "Next page")]
        many = len(state.rows) > ROWS_PER_PAGE
        super().__init__(
            state,
            render_compare,
            [[*controls, *buttons]] if many else [controls],
            {"next": _next, "back": _back},
        )

    @classmethod
    def policies(
        cls,
        records: Mapping[str, UsageRecord] | UsageSidecar,
        policy_a: CuratorPolicy,
        policy_b: CuratorPolicy,
        now: int = EXAMPLE_NOW,
    ) -> Compare:
        """What one pass of the real curator makes of the records under either policy."""
        rows = policy_rows(records, policy_a, policy_b, now)
        return cls(_policy_title(policy_a), _policy_title(policy_b), rows)

    @classmethod
    def rules(
        cls,
        records: Mapping[str, UsageRecord],
        rules: Mapping[str, Decide],
        policy: CuratorPolicy | None = None,
        now: int = EXAMPLE_NOW,
    ) -> Compare:
        """What two rules answer for the same records: `next_state` and a variant of it, by name."""
        if not isinstance(rules, Mapping) or len(rules) != 2:
            raise ValueError(f"rules: {rules!r} is not a dict of two named functions")
        left, right = rules
        return cls(left, right, rule_rows(records, tuple(rules.values()), policy, now))

    @classmethod
    def gates(
        cls,
        proposals: Sequence[object],
        threshold_a: float = 0.7,
        threshold_b: float = 0.0,
        memory_char_limit: int = 2200,
    ) -> Compare:
        """In which bucket each proposal ends behind either gate; a threshold of 0 is no gate."""
        rows = gate_rows(proposals, threshold_a, threshold_b, memory_char_limit)
        return cls(_gate_title(threshold_a), _gate_title(threshold_b), rows)


def _policy_title(policy: CuratorPolicy) -> str:
    return f"stale {policy.stale_after_days:g} d, archive {policy.archive_after_days:g} d"


def _gate_title(threshold: float) -> str:
    return f"gate at {threshold:g}" if threshold else "at once (no gate)"
