"""A learner's copies are brought up to date, and what they changed is never touched."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from alembic_sim.teaching.lessons.canonical import canonical_text
from alembic_sim.teaching.lessons.copying import MANIFEST, CopyReport, copies_folder, copy_lessons
from tests.teaching.lessons.test_canonical import code, markdown, notebook

NAME = "03_propose_gate_apply.ipynb"
BESIDE = "03_propose_gate_apply.new.ipynb"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "lessons"
    folder.mkdir()
    (folder / "00_start_here.ipynb").write_bytes(b"lesson 00, version 1")
    (folder / NAME).write_bytes(b"lesson 03, version 1")
    return folder


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "alembic-lessons"


def copy(mine: Path, source: Path) -> CopyReport:
    return copy_lessons(mine, source).expect("the folder is writable")


def tree(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_first_copy_makes_the_folder_and_writes_every_lesson(mine: Path, source: Path) -> None:
    report = copy(mine, source)
    assert report == CopyReport(mine, written=("00_start_here.ipynb", NAME))
    assert (mine / NAME).read_bytes() == b"lesson 03, version 1"


def test_copying_again_changes_nothing(mine: Path, source: Path) -> None:
    copy(mine, source)
    before = tree(mine)
    assert copy(mine, source) == CopyReport(mine, unchanged=("00_start_here.ipynb", NAME))
    assert tree(mine) == before


def test_an_unedited_older_copy_is_brought_up_to_date(mine: Path, source: Path) -> None:
    copy(mine, source)
    (source / NAME).write_bytes(b"lesson 03, version 2")
    assert copy(mine, source).written == (NAME,)
    assert (mine / NAME).read_bytes() == b"lesson 03, version 2"


def test_an_edited_lesson_is_kept_and_nothing_is_laid_beside_it_without_news(
    mine: Path, source: Path
) -> None:
    copy(mine, source)
    (mine / NAME).write_bytes(b"my own work")
    report = copy(mine, source)
    assert (report.kept, report.updates) == ((NAME,), ())
    assert (mine / NAME).read_bytes() == b"my own work"
    assert not (mine / BESIDE).exists()


def test_an_update_of_an_edited_lesson_lands_beside_it_once(mine: Path, source: Path) -> None:
    copy(mine, source)
    (mine / NAME).write_bytes(b"my own work")
    (source / NAME).write_bytes(b"lesson 03, version 2")
    report = copy(mine, source)
    assert (report.kept, report.updates) == ((NAME,), (BESIDE,))
    assert (mine / NAME).read_bytes() == b"my own work"
    assert (mine / BESIDE).read_bytes() == b"lesson 03, version 2"
    (mine / BESIDE).unlink()  # read, and thrown away
    assert copy(mine, source).updates == ()
    assert not (mine / BESIDE).exists()


def test_an_unedited_update_beside_is_replaced_by_a_newer_one(mine: Path, source: Path) -> None:
    copy(mine, source)
    (mine / NAME).write_bytes(b"my own work")
    for version in (b"version 2", b"version 3"):
        (source / NAME).write_bytes(version)
        assert copy(mine, source).updates == (BESIDE,)
        assert (mine / BESIDE).read_bytes() == version


def test_an_edited_update_beside_is_never_overwritten_either(mine: Path, source: Path) -> None:
    copy(mine, source)
    (mine / NAME).write_bytes(b"my own work")
    (source / NAME).write_bytes(b"version 2")
    copy(mine, source)
    (mine / BESIDE).write_bytes(b"my work in the update")
    (source / NAME).write_bytes(b"version 3")
    second = "03_propose_gate_apply.new-2.ipynb"
    assert copy(mine, source).updates == (second,)
    assert (mine / BESIDE).read_bytes() == b"my work in the update"
    assert (mine / second).read_bytes() == b"version 3"


@pytest.mark.parametrize(
    "damage", [None, b"", b"{", b"[]", b'{"03_propose_gate_apply.ipynb": 7}', b"\xff\xfe"]
)
def test_without_a_readable_manifest_whatever_differs_counts_as_edited(
    mine: Path, source: Path, damage: bytes | None
) -> None:
    copy(mine, source)
    if damage is None:
        (mine / MANIFEST).unlink()
    else:
        (mine / MANIFEST).write_bytes(damage)
    (source / NAME).write_bytes(b"lesson 03, version 2")
    report = copy(mine, source)
    assert (report.kept, report.updates) == ((NAME,), (BESIDE,))
    assert (mine / NAME).read_bytes() == b"lesson 03, version 1"
    assert report.unchanged == ("00_start_here.ipynb",)


def test_a_copy_replaced_by_the_update_is_up_to_date_again(mine: Path, source: Path) -> None:
    copy(mine, source)
    (mine / NAME).write_bytes(b"my own work")
    (source / NAME).write_bytes(b"version 2")
    copy(mine, source)
    (mine / BESIDE).replace(mine / NAME)
    assert NAME in copy(mine, source).unchanged
    (source / NAME).write_bytes(b"version 3")
    assert copy(mine, source).written == (NAME,)


def test_a_deleted_copy_comes_back(mine: Path, source: Path) -> None:
    copy(mine, source)
    (mine / NAME).unlink()
    assert copy(mine, source).written == (NAME,)


def test_the_lessons_own_folder_is_refused(source: Path) -> None:
    before = tree(source)
    refused = copy_lessons(source / "." / ".." / source.name, source)
    assert not refused.ok
    assert refused.error.code == "own-folder"
    assert tree(source) == before


def test_a_file_in_the_way_is_named(mine: Path, source: Path) -> None:
    mine.parent.mkdir()
    mine.write_bytes(b"a file of that name")
    refused = copy_lessons(mine, source)
    assert not refused.ok
    assert (refused.error.code, mine.read_bytes()) == ("in-the-way", b"a file of that name")
    assert str(mine) in refused.error.message


def test_a_folder_where_a_lesson_should_lie_is_named_and_the_others_are_there(
    mine: Path, source: Path
) -> None:
    (mine / NAME).mkdir(parents=True)
    refused = copy_lessons(mine, source)
    assert not refused.ok
    assert NAME in refused.error.message
    assert (mine / "00_start_here.ipynb").is_file()
    (mine / NAME).rmdir()
    assert copy(mine, source).unchanged == ("00_start_here.ipynb",)


def test_a_folder_that_cannot_be_made_is_an_error_not_an_exception(
    tmp_path: Path, source: Path
) -> None:
    (tmp_path / "blocked").write_bytes(b"")
    refused = copy_lessons(tmp_path / "blocked" / "mine", source)
    assert not refused.ok
    assert str(tmp_path / "blocked") in refused.error.message


def test_a_write_that_is_refused_is_an_error_and_says_where(mine: Path, source: Path) -> None:
    copy(mine, source)
    (source / NAME).write_bytes(b"version 2")
    (mine / f".{NAME}.tmp").mkdir()  # where the new bytes would be prepared
    refused = copy_lessons(mine, source)
    assert not refused.ok
    assert (refused.error.code, NAME in refused.error.message) == ("write-failed", True)
    assert (mine / NAME).read_bytes() == b"lesson 03, version 1"


def test_no_lessons_at_all_is_an_error(tmp_path: Path) -> None:
    refused = copy_lessons(tmp_path / "mine", tmp_path / "nowhere")
    assert not refused.ok
    assert refused.error.code == "no-lessons"


def test_whoever_stands_in_the_folder_of_copies_means_that_folder(
    mine: Path, source: Path, tmp_path: Path
) -> None:
    """A folder within it would hold a second copy of everything."""
    copy(mine, source)
    with chdir(mine):
        assert copies_folder(None) == mine
        assert copies_folder(Path("elsewhere")) == mine / "elsewhere"
    with chdir(tmp_path):
        assert copies_folder(None) == tmp_path / "alembic-lessons"


# ---- what counts as edited


SHOWN = {"output_type": "stream", "name": "stdout", "text": ["idle 30 d\n", "stale\n"]}


def lesson(version: str = "1") -> dict[str, Any]:
    made: dict[str, Any] = json.loads(
        canonical_text(notebook(markdown(f"# A claim, version {version}"), code("f()", SHOWN)))
    )
    return made


def write(path: Path, document: dict[str, Any]) -> None:
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")


def opened(document: dict[str, Any]) -> None:
    """What JupyterLab does to a file that is opened, folded, and saved by itself."""
    document["metadata"]["language_info"]["version"] = "3.11.7"
    document["metadata"]["widgets"] = {"state": {}}
    document["cells"][0]["metadata"]["collapsed"] = True
    document["cells"][1]["execution_count"] = 7
    document["cells"][1]["outputs"][0]["text"] = "idle 30 d\nstale\n"
    document["cells"][0]["source"] = "".join(document["cells"][0]["source"])


def typed(document: dict[str, Any]) -> None:
    document["cells"][1]["source"] = "f()  # mine"


def noted(document: dict[str, Any]) -> None:
    document["cells"][0]["source"] = "# A claim, version 1\n\nMy note."


def ran(document: dict[str, Any]) -> None:
    document["cells"][1]["outputs"][0]["text"] = "idle 31 d\nstale\n"


def ran_a_widget(document: dict[str, Any]) -> None:
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "a" * 32}}
    shown = {"output_type": "display_data", "metadata": {}, "data": view}
    document["cells"][1]["outputs"].append(shown)


def added(document: dict[str, Any]) -> None:
    document["cells"].append(json.loads(json.dumps(document["cells"][0])))


def moved(document: dict[str, Any]) -> None:
    document["cells"].reverse()


def made_a_note_of_it(document: dict[str, Any]) -> None:
    cell = document["cells"][1]
    cell["cell_type"] = "raw"
    del cell["outputs"], cell["execution_count"]


def given_lesson(mine: Path, source: Path, change: Callable[[dict[str, Any]], None]) -> bytes:
    """The learner's copy of a lesson, after this happened to it."""
    write(source / NAME, lesson())
    copy(mine, source)
    document = json.loads((mine / NAME).read_text(encoding="utf-8"))
    change(document)
    write(mine / NAME, document)
    return (mine / NAME).read_bytes()


def test_a_copy_that_was_only_opened_and_saved_is_not_edited(mine: Path, source: Path) -> None:
    saved = given_lesson(mine, source, opened)
    report = copy(mine, source)
    assert (report.opened, report.kept) == ((NAME,), ())
    assert (mine / NAME).read_bytes() == saved, "nothing to bring up to date"
    write(source / NAME, lesson("2"))
    assert copy(mine, source).written == (NAME,)
    assert (mine / NAME).read_bytes() == (source / NAME).read_bytes()
    assert not (mine / BESIDE).exists()


@pytest.mark.parametrize(
    "change", [typed, noted, ran, ran_a_widget, added, moved, made_a_note_of_it]
)
def test_what_was_typed_or_run_is_kept(
    change: Callable[[dict[str, Any]], None], mine: Path, source: Path
) -> None:
    saved = given_lesson(mine, source, change)
    assert copy(mine, source).kept == (NAME,)
    write(source / NAME, lesson("2"))
    report = copy(mine, source)
    assert (report.kept, report.updates) == ((NAME,), (BESIDE,))
    assert (mine / NAME).read_bytes() == saved


def test_an_update_beside_that_was_only_opened_is_not_laid_there_again(
    mine: Path, source: Path
) -> None:
    given_lesson(mine, source, typed)
    write(source / NAME, lesson("2"))
    copy(mine, source)
    document = json.loads((mine / BESIDE).read_text(encoding="utf-8"))
    opened(document)
    write(mine / BESIDE, document)
    (mine / MANIFEST).unlink()
    assert copy(mine, source).opened == (BESIDE,)
    assert sorted(path.suffix for path in mine.iterdir()).count(".ipynb") == 3


STEPS = st.sampled_from(["release", "edit", "edit beside", "forget the manifest", "copy"])


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, max_size=12))
def test_in_any_course_of_events_nothing_that_the_learner_wrote_is_lost(
    steps: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("course")
    source, mine = root / "lessons", root / "mine"
    source.mkdir()
    (source / NAME).write_bytes(b"version 0")
    copy(mine, source)
    written: set[bytes] = set()
    for place, step in enumerate(steps):
        if step == "release":
            (source / NAME).write_bytes(f"version {place + 1}".encode())
        elif step == "edit" or (step == "edit beside" and (mine / BESIDE).exists()):
            path = mine / (NAME if step == "edit" else BESIDE)
            written -= {path.read_bytes()}  # the learner's own doing
            path.write_bytes(f"mine {place}".encode())
            written.add(path.read_bytes())
        elif step == "forget the manifest":
            (mine / MANIFEST).unlink(missing_ok=True)
        copy(mine, source)
        assert written <= set(tree(mine).values())
