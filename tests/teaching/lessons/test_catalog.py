"""The curriculum is whole, and a lesson is found by whatever a person calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from alembic_sim.teaching.lessons import catalog
from alembic_sim.teaching.lessons.catalog import (
    CURRICULUM,
    EXERCISE_MINUTES,
    EXERCISES_A_LESSON,
    PATHS,
    find_lesson,
    lessons_folder,
    minutes_on,
    written_lessons,
)


def numbers_on(path: str) -> list[int]:
    return [lesson.number for lesson in CURRICULUM if path in lesson.paths]


def test_the_fourteen_lessons_are_numbered_from_0_and_named_once() -> None:
    assert [lesson.number for lesson in CURRICULUM] == list(range(14))
    assert len({lesson.name for lesson in CURRICULUM}) == 14
    assert CURRICULUM[3].stem == "03_propose_gate_apply"


def test_the_three_paths_are_those_of_the_workshop_plan() -> None:
    assert [numbers_on(path) for path in PATHS] == [
        [2, 3, 6, 7],
        [1, 2, 3, 4, 5, 6, 7, 8],
        list(range(14)),
    ]


def test_the_shortest_path_takes_90_minutes_with_one_exercise_a_lesson() -> None:
    lessons = sum("90 minutes" in lesson.paths for lesson in CURRICULUM)
    left_out = lessons * (EXERCISES_A_LESSON - 1) * EXERCISE_MINUTES
    assert 80 <= minutes_on("90 minutes") - left_out <= 90


def test_the_longer_paths_fit_into_half_a_day_and_a_day() -> None:
    assert minutes_on("half a day") <= 4.5 * 60
    assert minutes_on("a day") <= 8 * 60


def test_every_notebook_in_the_folder_is_in_the_curriculum() -> None:
    stems = {lesson.stem for lesson in CURRICULUM}
    notebooks = {path.stem for path in lessons_folder().glob("*.ipynb")}
    assert notebooks
    assert notebooks <= stems


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("00_start_here", "03_propose_gate_apply"):
        (tmp_path / f"{name}.ipynb").write_text("{}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "asked",
    [
        "3",
        "03",
        "propose_gate_apply",
        "03_propose_gate_apply",
        "03_propose_gate_apply.ipynb",
        " 3 ",
    ],
)
def test_a_lesson_is_found_by_number_name_and_file_name(asked: str, folder: Path) -> None:
    found = find_lesson(asked, folder)
    assert found.ok
    assert found.value.lesson.number == 3
    assert found.value.path == folder / "03_propose_gate_apply.ipynb"


def test_a_lesson_still_to_come_is_said_to_be_so_with_what_there_is(folder: Path) -> None:
    found = find_lesson("13", folder)
    assert not found.ok
    assert found.error.code == "not-written"
    assert "00_start_here, 03_propose_gate_apply" in found.error.message


@pytest.mark.parametrize("asked", ["", "99", "-1", "start", "3.0", "³", "03 06"])
def test_an_unknown_name_is_refused_with_what_there_is(asked: str, folder: Path) -> None:
    found = find_lesson(asked, folder)
    assert not found.ok
    assert found.error.code == "unknown-lesson"
    assert "03_propose_gate_apply" in found.error.message


def test_written_lessons_come_in_order_and_other_files_do_not_count(folder: Path) -> None:
    (folder / "scratch.ipynb").write_text("{}", encoding="utf-8")
    assert [file.lesson.number for file in written_lessons(folder)] == [0, 3]


def test_the_checkout_s_lessons_come_before_the_package_s_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "alembic_sim"
    monkeypatch.setattr(catalog, "_PACKAGE", package)
    monkeypatch.setattr(catalog, "_CHECKOUT", tmp_path)
    (tmp_path / "notebooks").mkdir()  # site-packages may hold a folder of that name
    assert lessons_folder() == package / "_lessons"
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    assert lessons_folder() == tmp_path / "notebooks"
