"""A forecast as rows, as a frame, and in a notebook."""

from __future__ import annotations

import sys
from html.parser import HTMLParser

import pytest

from alembic_sim import CuratorPolicy, UsageRecord
from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar
from alembic_sim.iso import iso_from_ms
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.forecast.forecast import Forecast, forecast
from alembic_sim.sim.forecast.tables import HTML_ROWS
from tests.sim.forecast.homes import NOW_MS, home

NOW = 20_000 * DAY_MS


def made() -> Forecast:
    return forecast(home(), NOW_MS).expect("a forecast")


def test_there_is_a_row_for_each_skill_and_policy_with_what_the_forecast_says() -> None:
    told = made()
    rows = told.records()
    assert len(rows) == 40 * 2
    assert [row["name"] for row in rows[:4:2]] == [skill.name for skill in told.skills[:2]]
    pairs = ((skill, both) for skill in told.skills for both in skill.by_policy)
    for row, (skill, both) in zip(rows, pairs, strict=True):
        ours, theirs = both.alembic, both.ancestor
        assert (row["name"], row["state"]) == (skill.name, skill.state)
        assert row["archive_after_days"] == both.policy.archive_after_days
        assert row["stale_after_days"] == both.policy.stale_after_days
        assert (row["out_of_play"], row["cause"]) == (ours.out_of_play, both.cause)
        assert row["next_at"] == (iso_from_ms(ours.moves[0].at_ms) if ours.moves else None)
        assert row["next_state"] == (ours.moves[0].to_state if ours.moves else None)
        last = [move.at_ms for move in theirs.moves if move.to_state == "archived"]
        assert row["ancestor_archived_at"] == (iso_from_ms(last[0]) if last else None)
        if ours.archived is None or ours.stale is None:
            assert row["p_archived"] is row["p_stale"] is row["p_regret"] is None
        else:
            archived = (row["p_archived"], row["p_archived_low"], row["p_archived_high"])
            assert archived == (ours.archived.p, ours.archived.low, ours.archived.high)
            assert (row["p_stale"], row["p_regret"]) == (ours.stale.p, ours.regret)


def test_a_skill_that_goes_stale_first_has_both_dates() -> None:
    [row] = [
        row
        for row in made().records()
        if (row["name"], row["stale_after_days"]) == ("lint-ci-cache", 30)
    ]
    assert row["next_state"] == "stale"
    assert row["next_at"] == "2026-06-24T09:00:00.000Z"
    assert row["archived_at"] == "2026-08-23T09:00:00.000Z"
    assert row["idle_days"] == pytest.approx(22, abs=1)


def test_the_frame_has_the_same_rows_and_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("pandas")
    told = made()
    frame = told.to_frame()
    assert len(frame) == 80
    assert list(frame.columns) == list(told.records()[0])
    assert frame["p_archived"].notna().sum() == 24
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="to_frame needs pandas: pip install pandas"):
        told.to_frame()


class Page(HTMLParser):
    """The tags that a browser would see, and the text of every table cell."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def test_a_notebook_shows_both_rules_the_answer_and_who_goes_first() -> None:
    told = made()
    html = told._repr_html_()
    cells = Page(html).cells
    assert cells[:9] == [
        *("policy", "rules", "archives now", "within 180 d", "needed again"),
        *("30/90", "Alembic", "1 of 12", "10.2 (9 to 11)"),
    ]
    assert cells[10:13] == ["30/90", "ancestor", "2 of 12"]
    assert told.verdict.partition(":")[0] in html
    first = cells.index("skill") + 4  # after the heads of the second table
    assert cells[first : first + 3] == [
        *("migrate-ci-cache", "stale"),
        "2026-06-16 if unused, 100% (100% to 100%)",
    ]
    never = cells.index("review-docker-layers")
    # By the ancestor's rules, which are in force here; by ours it would never be.
    assert cells[never + 2] == "2026-06-16 if unused, 100% (100% to 100%)"


def test_the_names_of_a_file_are_text_in_a_notebook_and_never_tags() -> None:
    evil = "<script>alert(1)</script>&"
    records = {
        evil: UsageRecord(created_by="agent", created_at=NOW - DAY_MS, use_count=1),
        "plain": UsageRecord(created_by="agent", created_at=NOW - DAY_MS, last_activity_at=NOW),
    }
    told = forecast(UsageSidecar(records), NOW).expect("a forecast")
    page = Page(told._repr_html_())
    assert page.tags == {"table", "tr", "th", "td", "p"}
    assert evil in page.cells


def test_of_many_skills_a_notebook_shows_the_first_and_how_many_more_there_are() -> None:
    records = {
        f"s{number:02d}": UsageRecord(
            created_by="agent",
            created_at=NOW - 100 * DAY_MS,
            last_activity_at=NOW - number * DAY_MS,
            use_count=1,
        )
        for number in range(HTML_ROWS + 3)
    }
    html = forecast(UsageSidecar(records), NOW).expect("a forecast")._repr_html_()
    names = [cell for cell in Page(html).cells if cell.startswith("s") and cell[1:].isdigit()]
    assert len(names) == HTML_ROWS
    assert names[:2] == ["s22", "s21"], "the longest idle go first"
    assert "… and 3 more: <code>.records()</code>" in html


def test_an_empty_library_and_its_notes_are_shown_too() -> None:
    empty = forecast(UsageSidecar(), NOW, [CuratorPolicy()]).expect("a forecast")
    assert empty.records() == ()
    assert "<td>0 of 0</td>" in empty._repr_html_()
    assert "notes" not in empty._repr_html_()
    odd = forecast(home("hermes_home_mixed"), NOW_MS).expect("a forecast")
    assert "<p>3 notes: see <code>.notes</code></p>" in odd._repr_html_()
