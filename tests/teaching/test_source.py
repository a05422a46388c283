"""What a lesson shows of the engine is the engine's own source."""

from __future__ import annotations

import inspect
from html.parser import HTMLParser

from alembic_sim import next_state
from alembic_sim.teaching.source import Source, source_of


class _Shown(HTMLParser):
    """The text that a page would show, and the elements around it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_it_is_the_function_s_own_source_letter_by_letter() -> None:
    source = inspect.getsource(next_state)
    shown = source_of(next_state)
    bundle = shown._repr_mimebundle_()
    assert repr(shown) == bundle["text/plain"] == source.rstrip("\n")
    assert _Shown(bundle["text/html"]).text == source


def test_what_looks_like_html_in_it_stays_text() -> None:
    shown = _Shown(Source("a < b & c  # <script>")._repr_mimebundle_()["text/html"])
    assert shown.tags == ["pre"]
    assert shown.text == "a < b & c  # <script>\n"
