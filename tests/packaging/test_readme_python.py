"""The README's Python runs as it stands there, and every answer in it is one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def python_of_the_readme() -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text[text.index("### The same in Python") :]
    found = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert found is not None
    return found.group(1)


def test_the_same_in_python_gives_four_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # it names a home of tests/data
    names: dict[str, object] = {}
    exec(python_of_the_readme(), names)
    answers = [names[name].sentence for name in ("run", "swept", "gates", "ahead")]
    assert all(answer.endswith(".") for answer in answers)
    assert names["ahead"].verdict.startswith("Too close to call")
