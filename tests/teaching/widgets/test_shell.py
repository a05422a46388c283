"""A widget's shell: controls and state agree, whoever moved them; it works without ipywidgets."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import ipywidgets
import pytest

from alembic_sim.teaching import (
    GateDial,
    IdleTimeline,
    LoopStepper,
    NextStateStepper,
    Predict,
    SnapshotView,
)
from alembic_sim.teaching.widgets import optional
from alembic_sim.teaching.widgets.controls import Fraction, kit_of
from tests.teaching.widgets.samples import ALL


def part(widget: Any, kind: type, place: int = 0) -> Any:
    """The widget's control of this kind, by its place on the page."""
    boxes = [widget.live()]
    found = []
    while boxes:
        model = boxes.pop(0)
        if isinstance(model, kind):
            found.append(model)
        boxes = [*getattr(model, "children", ()), *boxes]
    return found[place]


def view(widget: Any) -> str:
    html: str = part(widget, ipywidgets.HTML).value
    return html


def test_a_change_from_code_moves_the_controls_and_the_picture() -> None:
    widget = IdleTimeline()
    before = view(widget)
    widget.change(idle_days=45, never_used=True, order="stale-first")
    assert part(widget, ipywidgets.BoundedIntText).value == 45
    assert part(widget, ipywidgets.IntSlider).value == -45
    assert part(widget, ipywidgets.Checkbox).value is True
    assert part(widget, ipywidgets.Dropdown).index == 1
    assert view(widget) != before


def test_a_change_before_the_first_display_is_there_when_it_is_displayed() -> None:
    widget = IdleTimeline()
    widget.change(idle_days=45)
    assert part(widget, ipywidgets.BoundedIntText).value == 45


def test_a_slider_that_is_moved_changes_the_state_its_box_and_the_picture() -> None:
    widget = IdleTimeline()
    part(widget, ipywidgets.IntSlider).value = -45
    assert widget.state.idle_days == 45
    assert part(widget, ipywidgets.BoundedIntText).value == 45
    assert widget.summary in view(widget)


def test_a_box_that_is_typed_in_moves_its_slider() -> None:
    widget = IdleTimeline()
    part(widget, ipywidgets.BoundedIntText, 2).value = 60
    assert widget.state.archive_after_days == 60
    assert part(widget, ipywidgets.IntSlider, 2).value == -60


def test_the_ruler_and_its_sliders_have_now_at_the_right() -> None:
    slider = part(IdleTimeline(), ipywidgets.IntSlider)
    assert (slider.min, slider.max, slider.value) == (-150, 0, 0)


def test_the_same_label_runs_in_the_same_direction_in_every_widget() -> None:
    sliders = [part(widget(), ipywidgets.IntSlider) for widget in (IdleTimeline, NextStateStepper)]
    assert len({(slider.min, slider.max) for slider in sliders}) == 1


def test_a_slider_and_its_box_fit_beside_each_other_on_a_narrow_page() -> None:
    """1024 px, less JupyterLab's side bar and the prompts, leave 517 px, 13 px to an em."""
    kinds = (ipywidgets.BoundedIntText, ipywidgets.IntSlider)
    ems = [float(part(LoopStepper(), one).layout.width.removesuffix("em")) for one in kinds]
    assert sum(ems) * 13 + 2 * 4 < 517


def test_a_button_that_would_change_nothing_at_the_end_cannot_be_pressed() -> None:
    loop, stepper = LoopStepper(), NextStateStepper(idle_days=120)
    step, following, back, reset = (part(loop, ipywidgets.Button, place) for place in range(4))
    ask = part(stepper, ipywidgets.Button)
    stepper.press("step")
    for _ in range(6):
        assert (step.disabled, following.disabled) == (False, False)
        following.click()
    assert (step.disabled, following.disabled, ask.disabled) == (True, True, True)
    assert (back.disabled, reset.disabled) == (False, False)
    loop.press("back")
    stepper.press("reset")
    assert (step.disabled, following.disabled, ask.disabled) == (False, False, False)


def test_the_words_are_printed_in_lines_that_a_narrow_page_does_not_break() -> None:
    lines = GateDial().text().split("\n")
    assert max(len(line) for line in lines) <= 64
    assert " ".join(" ".join(lines).split()) == GateDial().summary


def test_a_question_stands_above_its_control_and_other_pictures_below_theirs() -> None:
    def order(widget: Any) -> list[str]:
        return [type(child).__name__ for child in widget.live().children]

    assert order(Predict("How many?")) == ["Label", "HTML", "Text"]
    assert order(GateDial()) == ["Label", "HBox", "HTML"]


def test_an_impossible_number_typed_into_a_box_is_cut_to_what_is_possible() -> None:
    widget = IdleTimeline()
    part(widget, ipywidgets.BoundedIntText).value = 4000
    assert widget.state.idle_days == 150


def test_a_dragged_threshold_is_the_number_of_the_code() -> None:
    live = Fraction("threshold", "Threshold").build(kit_of(ipywidgets))
    heard: list[float] = []
    live.on_change(heard.append)
    live.faces[1].widget.value = 0.1 * 7  # 0.7 to the eye, a little more to the gate
    assert heard[-1] == 0.7


def test_a_value_that_the_state_refuses_is_put_back_and_nothing_is_raised() -> None:
    widget = SnapshotView()
    widget._moved("events", ("explode",))
    assert widget.state.events == ()


def test_a_button_on_the_page_does_what_press_does() -> None:
    clicked, called = LoopStepper(), LoopStepper()
    part(clicked, ipywidgets.Button).click()
    called.press("step")
    assert clicked.state == called.state != LoopStepper().state
    assert view(clicked) == view(called)


def test_a_choice_of_true_is_not_a_choice_of_1() -> None:
    widget = Predict("Is it?", [1, True])
    widget.answer(True)
    assert part(widget, ipywidgets.Dropdown).index == 2
    part(widget, ipywidgets.Dropdown).index = 1
    assert type(widget.state.prediction) is int


def test_displaying_it_twice_shows_the_same_models() -> None:
    widget = IdleTimeline()
    assert widget._repr_mimebundle_() == widget._repr_mimebundle_()


def test_nothing_is_made_before_it_is_displayed() -> None:
    registry = ipywidgets.widgets.widget._instances
    before = len(registry)
    widget = IdleTimeline()
    widget.change(idle_days=3)
    assert repr(widget)
    assert len(registry) == before


def test_widgets_share_layouts_and_styles_so_that_a_lesson_stays_small() -> None:
    one, other = (part(IdleTimeline(), ipywidgets.BoundedIntText) for _ in range(2))
    assert one.layout is other.layout
    assert one.style is other.style


def test_a_shared_layout_that_was_closed_is_made_anew() -> None:
    closed = part(IdleTimeline(), ipywidgets.BoundedIntText).layout
    closed.close()
    fresh = part(IdleTimeline(), ipywidgets.BoundedIntText).layout
    assert fresh is not closed
    assert fresh.comm is not None


@pytest.mark.parametrize("name", ALL)
def test_without_ipywidgets_it_is_a_still_picture_with_words(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_it = ALL[name]()._repr_mimebundle_()
    monkeypatch.setattr(optional, "ipywidgets", None)
    widget = ALL[name]()
    assert widget.live() is None
    bundle = widget._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle.items() <= with_it.items()


def test_the_widgets_load_and_work_where_no_heavy_package_is_installed() -> None:
    code = """
import sys
missing = ("ipywidgets", "numpy", "matplotlib", "IPython", "hypothesis")
sys.modules |= dict.fromkeys(missing)  # None there makes an import fail
from alembic_sim.teaching import *
from alembic_sim.teaching import IdleTimeline, LoopStepper, GateDial, SnapshotView
from alembic_sim.teaching import Compare, Flashcards, NextStateStepper, Predict
from alembic_sim import CuratorPolicy
from alembic_sim.teaching.probing import idle_skill
idle, loop, view = IdleTimeline(), LoopStepper(), SnapshotView()
idle.change(idle_days=45)
loop.press("next")
view.press("add")
cards = Flashcards([("a", "b")])
cards.press("flip")
guess = Predict("Which?", ["x", "y"])
guess.answer("x")
guess.reveal("y")
compared = Compare.policies({"old": idle_skill(45)}, CuratorPolicy(), CuratorPolicy(50, 90))
for widget in (idle, loop, view, cards, compared, GateDial(), NextStateStepper()):
    assert set(widget._repr_mimebundle_()) == {"text/html", "text/plain"}
    print(widget.summary)
""".replace("from alembic_sim.teaching import *\n", "")
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[0] == "The engine says y; you predicted x."
    assert said[1] == "idle 45 d: active → stale, test 2 says yes: 45 ≥ 30 days."


def test_the_stepper_keeps_its_prediction_while_it_steps_and_drops_it_for_another_case() -> None:
    widget = NextStateStepper()
    widget.change(prediction="stale")
    part(widget, ipywidgets.Button).click()
    assert widget.state.prediction == "stale"
    part(widget, ipywidgets.BoundedIntText).value = 45
    assert widget.state.prediction is None
    assert widget.state.steps == 0
    assert part(widget, ipywidgets.Dropdown, 2).index == 0
