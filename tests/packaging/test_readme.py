"""The README is true: its two lines, its commands, its outputs, its links."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from alembic_sim.cli import COMMANDS
from tests.packaging.readme_console import ROOT, commands, with_real_output

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/glossary.md")


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def code_blocks(text: str) -> list[str]:
    return re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_the_first_code_block_is_two_lines_that_do_all_their_own_set_up() -> None:
    lines = code_blocks(README)[0].splitlines()
    assert len(lines) == 2
    for line in lines:
        make, install, run = line.split(" && ")
        assert make == "python3 -m venv .venv"
        assert install.startswith(".venv/bin/pip install -c constraints.txt -e ")
        assert run.startswith(".venv/bin/")
    assert lines[0].endswith("-e . && .venv/bin/alembic-sim lab")
    assert lines[1].endswith("-e '.[test]' && .venv/bin/pytest")


def test_windows_users_get_the_same_two_lines() -> None:
    posix, windows = code_blocks(README)[:2]
    translated = (
        posix.replace("python3", "py")
        .replace(" && ", "; ")
        .replace("'", '"')
        .replace(".venv/bin/", ".venv\\Scripts\\")
    )
    assert windows == translated


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_a_page_names_exists(page: str) -> None:
    named = re.findall(r"alembic-sim ([a-z]+)", text_of(page))
    assert set(named) <= {entry.name for entry in COMMANDS}


def test_the_readme_names_every_command() -> None:
    named = set(re.findall(r"`alembic-sim ([a-z]+)", README))
    assert named == {entry.name for entry in COMMANDS}


def test_the_shown_output_is_what_the_commands_print() -> None:
    """If this is red: python tests/packaging/readme_console.py --write, and read the difference."""
    assert commands(README)
    assert with_real_output(README) == README


def test_the_python_examples_run() -> None:
    parser = doctest.DocTestParser()
    example = parser.get_doctest(code_blocks_of_python(README), {}, "README.md", "README.md", 0)
    assert example.examples
    result = doctest.DocTestRunner().run(example)
    assert result.failed == 0


def code_blocks_of_python(text: str) -> str:
    return "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_somewhere(page: str) -> None:
    for target in re.findall(r"\]\((?!https://|#)([^)#]+)", text_of(page)):
        assert (ROOT / page).parent.joinpath(target).exists(), target


@pytest.mark.parametrize("page", PAGES)
def test_every_heading_that_a_page_links_to_is_there(page: str) -> None:
    text = text_of(page)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_folder_and_file_that_a_page_shows_is_there(page: str) -> None:
    named = re.findall(
        r"(?<![\w./-])((?:tests|notebooks|docs|binder|alembic_sim|\.ci)/[\w./-]*)", text_of(page)
    )
    missing = [name for name in named if not Path(ROOT, name.rstrip(".")).exists()]
    assert [name for name in missing if "NN_" not in name] == []
