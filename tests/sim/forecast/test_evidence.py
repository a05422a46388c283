"""What a record says of its past, also where it is at odds with itself."""

from __future__ import annotations

import pytest

from alembic_sim import UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.forecast.evidence import evidence_of
from alembic_sim.sim.forecast.usage_model import Evidence

NOW = 20_000 * DAY_MS


def ago(days: float) -> int:
    return NOW - int(days * DAY_MS)


@pytest.mark.parametrize(
    ("fields", "past"),
    [
        pytest.param(
            {"created_at": ago(100), "last_activity_at": ago(20), "use_count": 4, "view_count": 2},
            Evidence(6, 80, 100),
            id="uses and views count alike",
        ),
        pytest.param({"created_at": ago(100)}, Evidence(0, 0, 100), id="never used"),
        pytest.param(
            {"last_activity_at": ago(20), "use_count": 4},
            Evidence(0, 0, 20),
            id="birth unknown: the silence alone",
        ),
        pytest.param({}, Evidence(0, 0, 0), id="nothing known"),
        pytest.param(
            {"created_at": ago(100), "use_count": 4},
            Evidence(4, 100, 100),
            id="times unreadable: how often, not when",
        ),
        pytest.param(
            {"created_at": ago(100), "last_activity_at": ago(20)},
            Evidence(1, 80, 100),
            id="a time without a count is one event",
        ),
        pytest.param(
            {"created_at": ago(10), "last_activity_at": ago(20), "use_count": 1},
            Evidence(1, 0, 20),
            id="used before its birth",
        ),
        pytest.param(
            {"created_at": ago(10), "last_activity_at": ago(-5), "use_count": 1},
            Evidence(1, 10, 10),
            id="used in the future",
        ),
        pytest.param({"created_at": ago(-5)}, Evidence(0, 0, 0), id="born in the future"),
        pytest.param(
            {
                "created_at": ago(300),
                "last_activity_at": ago(200),
                "use_count": 3,
                "state": "archived",
            },
            Evidence(3, 100, 190),
            id="an archived skill's silence ends with its archiving",
        ),
        pytest.param(
            {"last_activity_at": ago(200), "state": "archived"},
            Evidence(0, 0, 90),
            id="archived, birth unknown",
        ),
    ],
)
def test_the_past_of(fields: dict, past: Evidence) -> None:
    assert evidence_of(UsageRecord.model_validate(fields), NOW) == past
