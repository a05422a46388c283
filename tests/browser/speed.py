"""How long it takes from a slider's move to the picture that answers, measured in the page."""

from __future__ import annotations

from collections.abc import Callable

import psutil  # it comes with ipykernel

from tests.browser.widget_on_page import WidgetOnPage

# The clock starts when the browser got the key or the pointer's move, and stops when the frame
# with the new picture is done.
MEASURE = """widget => {
    const timing = window.timing = {samples: [], since: null};
    const start = event => { timing.since = event.timeStamp };
    document.addEventListener('keydown', start, true);
    document.addEventListener('pointermove', event => event.buttons && start(event), true);
    new MutationObserver(() => {
        if (timing.since === null) return;
        const since = timing.since;
        timing.since = null;
        requestAnimationFrame(() => {
            const drawn = new MessageChannel();
            drawn.port1.onmessage = () => timing.samples.push(performance.now() - since);
            drawn.port2.postMessage(null);
        });
    }).observe(widget.querySelector('.widget-html'), {childList: true, subtree: true});
}"""
FETCHED = "count => window.timing.samples.length > count"


def key_to_picture(widget: WidgetOnPage, label: str, moves: int) -> list[float]:
    """The milliseconds of every move by an arrow key: half of them one way, then back."""
    handle = widget.handle(label)
    handle.hover()
    handle.focus()

    def push(move: int) -> None:
        widget.page.keyboard.press("ArrowLeft" if move < moves // 2 else "ArrowRight")

    return _timed(widget, push, moves)


def drag_to_picture(widget: WidgetOnPage, label: str, moves: int) -> list[float]:
    """The milliseconds of every move of one long drag, a few pixels each."""
    x, y = widget.grab(label)

    def pull(move: int) -> None:
        widget.page.mouse.move(x + 4 * (move + 1), y)

    samples = _timed(widget, pull, moves)
    widget.page.mouse.up()
    return samples


def _timed(widget: WidgetOnPage, act: Callable[[int], None], moves: int) -> list[float]:
    widget.output.evaluate(MEASURE)
    for move in range(moves):
        act(move)
        widget.page.wait_for_function(FETCHED, arg=move)
        widget.page.wait_for_timeout(20)
    samples: list[float] = widget.page.evaluate("window.timing.samples")
    return samples


def told(samples: list[float], target_ms: int) -> str:
    """The figures, and how busy the machine was with other things."""
    load = f"load {psutil.getloadavg()[0]:.1f} on {psutil.cpu_count()} cores"
    figures = f"p50 {percentile(samples, 0.5):.0f} ms, p95 {percentile(samples, 0.95):.0f} ms"
    return f"{len(samples)} moves, {figures} (target: p95 {target_ms} ms on two idle cores; {load})"


def percentile(samples: list[float], part: float) -> float:
    """The sample that this part of all samples does not exceed."""
    return sorted(samples)[round(part * (len(samples) - 1))]
