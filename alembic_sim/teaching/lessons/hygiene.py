"""Hygiene of stored notebooks: what strict nbval cannot see, or sees too late.

Each rule is a function from a notebook to findings. `OWN_RULES` hold for any notebook whose outputs
are to be compared, an instructor's own included; `NOTEBOOK_RULES` for each lesson of ours. Which
parts a lesson has is in `lesson_form.py`.
"""

from __future__ import annotations

import io
import json
import tokenize
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from alembic_sim.teaching.lessons.notebook import (
    Cell,
    Notebook,
    outputs_of,
    shown_texts,
    source_of,
    tags_of,
)
from alembic_sim.teaching.lessons.output_signs import FOREIGN, MOVING, Sign
from alembic_sim.teaching.lessons.widget_state import (
    STILL_PICTURES,
    WIDGET_VIEW,
    models_of,
    needed_by,
    views_in,
)

MAX_FILE_BYTES = 200_000
MAX_CELL_OUTPUT_BYTES = 40_000
MAX_CELL_OUTPUT_LINES = 30


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to mend: the cell (counted from 1; None: the notebook), the rule, what, and how.

    `lines` show it, where it is a difference.
    """

    cell: int | None
    rule: str
    what: str
    remedy: str
    lines: tuple[str, ...] = ()

    def text(self) -> str:
        """For a terminal: one line."""
        place = "notebook" if self.cell is None else f"cell {self.cell}"
        return f"{place}: {self.rule}: {self.what}. {self.remedy}"


Rule = Callable[[Notebook], Iterable[Finding]]


def findings(notebook: Notebook, rules: Iterable[Rule]) -> tuple[Finding, ...]:
    """Everything that the rules find, in the order of the cells."""
    found = [finding for rule in rules for finding in rule(notebook)]
    return tuple(sorted(found, key=lambda finding: finding.cell or 0))


# ---- how the notebook was run


def every_cell_ran(notebook: Notebook) -> Iterator[Finding]:
    """nbval runs a cell without a count, and compares it with nothing."""
    for place, cell in code_cells(notebook):
        if source_of(cell).strip() and not isinstance(cell.get("execution_count"), int):
            what = "this cell was never run"
            yield Finding(place, "not-run", what, "Restart the kernel, run all cells and save.")


def no_empty_cell(notebook: Notebook) -> Iterator[Finding]:
    """An empty code cell teaches nothing."""
    for place, cell in code_cells(notebook):
        if not source_of(cell).strip():
            yield Finding(place, "empty-cell", "a code cell without code", "Remove it.")


def kernel_is_python3(notebook: Notebook) -> Iterator[Finding]:
    """Every machine has a kernel called `python3`; other names exist on one machine."""
    kernelspec = notebook.get("metadata", {}).get("kernelspec", {})
    name = kernelspec.get("name") if isinstance(kernelspec, dict) else None
    if name != "python3":
        what = f"the kernelspec is {name!r}"
        yield Finding(None, "kernelspec", what, "It must be 'python3', which every machine has.")


def errors_are_announced(notebook: Notebook) -> Iterator[Finding]:
    """A cell that must fail is tagged, and a tagged cell fails."""
    for place, cell in code_cells(notebook):
        errors = [output for output in outputs_of(cell) if output["output_type"] == "error"]
        tagged = "raises-exception" in tags_of(cell)
        if errors and not tagged:
            what = f"stores the error {errors[0]['ename']}"
            remedy = "Mend the cell, or tag it raises-exception if it must fail."
            yield Finding(place, "error", what, remedy)
        if tagged and not errors:
            what = "is tagged raises-exception and stores no error"
            yield Finding(place, "no-error", what, "Remove the tag, or make the cell fail.")


# ---- what the code does


def no_final_semicolon(notebook: Notebook) -> Iterator[Finding]:
    """nbval does not honour it: the repr that it hides appears, address and all."""
    for place, cell in code_cells(notebook):
        tokens = _tokens(source_of(cell))
        if tokens and tokens[-1] == ";":
            what = "the last line ends with a semicolon"
            yield Finding(place, "semicolon", what, "Give the value a name instead: _ = …")


def no_output_capture(notebook: Notebook) -> Iterator[Finding]:
    """nbval and nbclient do not play the browser's part in these."""
    for place, cell in code_cells(notebook):
        tokens = _tokens(source_of(cell))
        used = sorted(_CAPTURING.intersection(tokens))
        if _has_run(tokens, ".", "capture", "("):
            used.append(".capture()")
        if used:
            what = f"uses {', '.join(used)}"
            remedy = "Draw into an HTML widget, and print what it shows."
            yield Finding(place, "output-widget", what, remedy)


_CAPTURING = frozenset({"Output", "interact", "interact_manual", "interactive_output"})


# ---- what the outputs hold


def outputs_are_stable(notebook: Notebook) -> Iterator[Finding]:
    """No address, path, timing, random id or printed set: another run would print another."""
    yield from _signs(notebook, MOVING)


def outputs_are_ours(notebook: Notebook) -> Iterator[Finding]:
    """No voice but the lesson's own, and nothing that a page would fetch or run."""
    for place, cell in code_cells(notebook):
        if any(output.get("name") == "stderr" for output in outputs_of(cell)):
            what = "something was written to stderr"
            yield Finding(place, "stderr", what, "Remove its cause: it is compared, too.")
    yield from _signs(notebook, FOREIGN)


def _signs(notebook: Notebook, signs: Iterable[Sign]) -> Iterator[Finding]:
    for place, cell in code_cells(notebook):
        texts = [text for output in outputs_of(cell) for _, text in shown_texts(output)]
        for rule, pattern, remedy in signs:
            found = next((match for text in texts if (match := pattern.search(text))), None)
            if found:
                yield Finding(place, rule, f"the output holds {found[0][:60]!r}", remedy)


def pictures_have_facts(notebook: Notebook) -> Iterator[Finding]:
    """nbval compares no bitmap: a changed plot passes unless its facts are printed beside it."""
    for place, cell in code_cells(notebook):
        outputs = outputs_of(cell)
        bitmap = any(
            mime in ("image/png", "image/jpeg") for out in outputs for mime in out.get("data", {})
        )
        printed = any(output.get("name") == "stdout" for output in outputs)
        if bitmap and not printed:
            what = "shows a bitmap and prints nothing"
            yield Finding(place, "silent-picture", what, "Print its facts in the same cell.")


def outputs_are_small(notebook: Notebook) -> Iterator[Finding]:
    """A lesson stays readable, and its file reviewable."""
    for place, cell in code_cells(notebook):
        size = len(json.dumps(outputs_of(cell), ensure_ascii=False).encode("utf-8"))
        if size > MAX_CELL_OUTPUT_BYTES:
            what = f"{size} bytes of output, allowed are {MAX_CELL_OUTPUT_BYTES}"
            yield Finding(place, "output-size", what, "Show less, or draw it smaller.")
        streams = [out for out in outputs_of(cell) if out["output_type"] == "stream"]
        lines = sum(text.count("\n") for out in streams for _, text in shown_texts(out))
        if lines > MAX_CELL_OUTPUT_LINES:
            what = f"{lines} lines of output, allowed are {MAX_CELL_OUTPUT_LINES}"
            yield Finding(place, "output-length", what, "Ten lines are plenty: show less.")


def file_is_small(notebook: Notebook) -> Iterator[Finding]:
    """The whole file, widgets' state included."""
    size = len(json.dumps(notebook, ensure_ascii=False, indent=1).encode("utf-8"))
    if size > MAX_FILE_BYTES:
        what = f"about {size} bytes, allowed are {MAX_FILE_BYTES}"
        yield Finding(None, "file-size", what, "Store less output.")


# ---- what widgets need


def widgets_have_state(notebook: Notebook) -> Iterator[Finding]:
    """Without the state of every model a view is made of, a page says "model not found"."""
    models = models_of(notebook)
    for place, cell in code_cells(notebook):
        needed = needed_by(list(views_in(outputs_of(cell))), models)
        lost = needed - set(models)
        if lost:
            what = f"shows a widget whose state is not stored ({len(lost)} of {len(needed)} models)"
            yield Finding(place, "widget-state", what, "Build the lesson: it stores the state.")


def widgets_have_fallback(notebook: Notebook) -> Iterator[Finding]:
    """A page without widgets shows the next best kind: it must be a picture, not a repr."""
    for place, cell in code_cells(notebook):
        for output in outputs_of(cell):
            data = output.get("data", {})
            if WIDGET_VIEW in data and not STILL_PICTURES.intersection(data):
                what = "shows a widget and no still picture of it"
                remedy = "Use a widget of alembic_sim.teaching: it brings its picture."
                yield Finding(place, "widget-fallback", what, remedy)


OWN_RULES: tuple[Rule, ...] = (
    every_cell_ran,
    kernel_is_python3,
    errors_are_announced,
    outputs_are_stable,
)
"""What holds for every notebook whose outputs are compared, an instructor's own included."""

NOTEBOOK_RULES: tuple[Rule, ...] = (
    *OWN_RULES,
    no_empty_cell,
    no_final_semicolon,
    no_output_capture,
    outputs_are_ours,
    pictures_have_facts,
    outputs_are_small,
    file_is_small,
    widgets_have_state,
    widgets_have_fallback,
)
"""What holds for our lessons, which nbval compares, and which must show on any page."""


def code_cells(notebook: Notebook) -> Iterator[tuple[int, Cell]]:
    """The code cells, each with its place among all cells, counted from 1."""
    for place, cell in enumerate(notebook["cells"], start=1):
        if cell["cell_type"] == "code":
            yield place, cell


def _tokens(source: str) -> list[str]:
    """The words and signs of the code; a string counts as empty, comments and line ends not at all.

    IPython's own lines (`%`, `!`) may end the reading early; what came before them counts.
    """
    words: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type not in _LAYOUT:
                words.append("" if token.type == tokenize.STRING else token.string)
    except (tokenize.TokenError, SyntaxError):
        pass
    return words


_LAYOUT = frozenset(
    {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
)


def _has_run(tokens: list[str], *wanted: str) -> bool:
    return any(tokens[start : start + len(wanted)] == list(wanted) for start in range(len(tokens)))
