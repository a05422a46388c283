"""How long it takes from a key on a slider to the picture that answers, measured in the page."""

from __future__ import annotations

from tests.browser.widget_on_page import WidgetOnPage

# The clock starts when the browser got the key, and stops in the frame after the one in which the
# new picture was drawn.
MEASURE = """([widget]) => {
    const pictures = widget.querySelector('.widget-html');
    const timing = window.timing = {samples: [], since: null};
    document.addEventListener('keydown', event => { timing.since = event.timeStamp }, true);
    new MutationObserver(() => {
        if (timing.since === null) return;
        const since = timing.since;
        timing.since = null;
        requestAnimationFrame(() => {
            const drawn = new MessageChannel();
            drawn.port1.onmessage = () => timing.samples.push(performance.now() - since);
            drawn.port2.postMessage(null);
        });
    }).observe(pictures, {childList: true, subtree: true});
}"""


def key_to_picture(widget: WidgetOnPage, label: str, moves: int) -> list[float]:
    """The milliseconds of every move: the slider pushed by an arrow key, there and back."""
    page = widget.page
    handle = widget.handle(label)
    handle.hover()
    handle.focus()
    page.evaluate(MEASURE, [widget.output.element_handle()])
    for move in range(moves):
        page.keyboard.press("ArrowLeft" if move < moves // 2 else "ArrowRight")
        page.wait_for_function("count => window.timing.samples.length > count", arg=move)
        page.wait_for_timeout(20)
    samples: list[float] = page.evaluate("window.timing.samples")
    return samples


def percentile(samples: list[float], part: float) -> float:
    """The sample that this part of all samples does not exceed."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, round(part * (len(ordered) - 1)))]
