"""The forecast of a library as a whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import alembic_sim
from alembic_sim import CuratorPolicy
from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.forecast.forecast import DEFAULT_POLICIES, forecast
from tests.sim.forecast.homes import NOW_MS, home

NOW = 20_000 * DAY_MS


def test_it_is_a_public_name() -> None:
    assert alembic_sim.forecast is forecast


def test_the_home_is_answered_in_a_sentence_and_a_verdict() -> None:
    made = forecast(home(), NOW_MS).expect("a forecast")
    assert made.sentence == (
        "Of 12 skills in play, within 180 days by the rules of Hermes Agent: 30/90 archives 11.2 ±"
        " 0.8, 0.4 ± 0.6 of them needed again within 30 days; 14/30 archives 12.0 ± 0.1, 1.8 ± 1.2"
        " of them needed again within 30 days."
    )
    assert made.verdict == (
        "Too close to call over 180 days. Archived and not needed again within 30 days: 30/90 10.8,"
        " 14/30 10.2; the difference is 0.6 ± 1.5. 30/90 is the cautious choice: 0.4 are needed"
        " again, under 14/30 1.8."
    )
    assert made.best == "30/90"


def test_a_single_policy_has_no_verdict_and_of_equal_ones_either_will_do() -> None:
    once = forecast(home(), NOW_MS, [CuratorPolicy()]).expect("a forecast")
    assert once.verdict == ""
    twice = forecast(home(), NOW_MS, [CuratorPolicy(), CuratorPolicy(31, 90)]).expect("a forecast")
    assert twice.verdict.endswith("either will do.")


def test_the_verdict_is_for_what_is_rightly_archived_not_for_the_fewest_regrets() -> None:
    made = forecast(home(), NOW_MS, [CuratorPolicy(300, 900), CuratorPolicy()]).expect("a forecast")
    never, usual = (outlook.alembic for outlook in made.outlooks)
    assert never.regrets.mean < usual.regrets.mean
    assert made.verdict.startswith("Take 30/90: ")


def test_totals_count_what_the_skills_say() -> None:
    made = forecast(home(), NOW_MS).expect("a forecast")
    for index, outlook in enumerate(made.outlooks):
        courses = [skill.by_policy[index].alembic for skill in made.skills]
        in_play = [course for course in courses if course.out_of_play is None]
        now = [c for c in in_play if c.state_at(NOW_MS) == "archived"]
        ever = [c for c in in_play if any(m.to_state == "archived" for m in c.moves)]
        assert outlook.alembic.in_play == len(in_play) == 12
        assert outlook.alembic.at_once == len(now) == (1, 9)[index]
        assert outlook.alembic.if_unused == len(ever) == 11
        mean = sum(course.archived.p for course in in_play if course.archived)
        assert outlook.alembic.archived.mean == pytest.approx(mean)


def test_who_is_out_of_play_has_no_chance_and_a_reason() -> None:
    made = forecast(home("hermes_home_mixed"), NOW_MS).expect("a forecast")
    reasons = {
        skill.name: skill.by_policy[0].alembic.out_of_play
        for skill in made.skills
        if skill.by_policy[0].alembic.archived is None
    }
    assert reasons == {
        "damaged": "invalid-record",
        "legacy-flag-as-text": "not-agent-created",
        "made-by-a-person": "not-agent-created",
        "pinned-and-old": "pinned",
    }


def test_every_chance_is_a_probability_inside_its_interval_and_stale_comes_first() -> None:
    for name in ("hermes_home", "hermes_home_mixed"):
        made = forecast(home(name), NOW_MS).expect("a forecast")
        for skill in made.skills:
            for both in skill.by_policy:
                for course in (both.alembic, both.ancestor):
                    if course.archived is None or course.stale is None:
                        continue
                    assert 0 <= course.archived.low <= course.archived.p <= course.archived.high
                    assert course.archived.high <= 1
                    assert course.stale.p >= course.archived.p - 1e-9
                    assert course.regret is not None
                    assert 0 <= course.regret <= course.archived.p


def test_what_is_odd_is_in_the_notes() -> None:
    assert forecast(home("hermes_home_mixed"), NOW_MS).expect("a forecast").notes == (
        "unreadable-times: last_used_at counts as absent: 'yesterday'",
        "unreadable-times: last_viewed_at counts as absent: 1780000000",
        "damaged: damaged record, Alembic leaves it alone (pinned: 'no' is not true or false)",
    )


def test_an_empty_library_is_forecast_too() -> None:
    made = forecast(UsageSidecar(), NOW).expect("a forecast")
    assert made.skills == ()
    assert made.sentence.startswith(
        "Of 0 skills in play, within 180 days: 30/90 archives 0.0 ± 0.0"
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("skills", NOW), "library: 'skills' is not a SkillLibrary or a UsageSidecar"),
        ((UsageSidecar(), 1.5), "now_ms: 1.5 is not a whole number from 0 to 253402300799999"),
        ((UsageSidecar(), True), "now_ms: True is not a whole number"),
        ((UsageSidecar(), -1), "now_ms: -1 is not a whole number"),
        ((UsageSidecar(), NOW, ()), "policies: () is not 1 to 10 policies"),
        ((UsageSidecar(), NOW, None), "policies: None is not 1 to 10 policies"),
        ((UsageSidecar(), NOW, ["30/90"]), "policies: '30/90' is not a CuratorPolicy(30, 90)"),
        ((UsageSidecar(), NOW, DEFAULT_POLICIES * 6), "is not 1 to 10 policies"),
        (
            (UsageSidecar(), NOW, DEFAULT_POLICIES, 0),
            "horizon_days: 0 is not a whole number from 1",
        ),
        ((UsageSidecar(), NOW, DEFAULT_POLICIES, 3651), "horizon_days: 3651 is not a whole number"),
    ],
)
def test_bad_arguments_are_values_that_name_field_value_and_range(
    arguments: tuple, told: str
) -> None:
    made = forecast(*arguments)
    assert not made.ok
    assert made.error.code == "bad-argument"
    assert told in made.error.message


def test_the_document_is_strict_json_and_the_same_under_every_hash_seed() -> None:
    code = (
        "import json; from tests.sim.forecast.homes import NOW_MS, home;"
        "from alembic_sim import forecast;"
        "print(json.dumps(forecast(home(), NOW_MS).expect('a forecast').to_json(),"
        " allow_nan=False))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(runs) == 1
    document = json.loads(runs.pop())
    assert document["causes"].keys() == {"never-active"}
    assert document["best"] == "30/90"
    assert document["prior"]["rates"] == "gamma"
    assert document["policies"][0]["states_after_one_pass"]["ancestor"]["fix-release-notes"] == (
        "stale"
    )


def test_it_needs_no_numpy() -> None:
    code = (
        "import sys, alembic_sim; alembic_sim.forecast;"
        "print({'numpy', 'matplotlib', 'pandas'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
