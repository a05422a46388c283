"""A SkillStore over a disk that a test can look at and meddle with."""

from __future__ import annotations

import json
import re

from alembic_sim import FakeClock, MemoryFs, SkillStore, UsageStore
from alembic_sim.hermes.skills.skill_file import parse_skill
from tests.meddled_fs import MeddledFs

START = 1_735_689_600_000  # 2025-01-01
SIDECAR = "skills/.usage.json"


class Desk:
    """One library; `files` is what is on disk at the start."""

    def __init__(self, files: dict[str, bytes | str] | None = None, **instead: object) -> None:
        self.disk = MemoryFs(files)
        self.port = MeddledFs(self.disk, **instead)
        self.clock = FakeClock(START)
        self.usage = UsageStore(self.port, self.clock, SIDECAR)
        self.skills = SkillStore(self.port, self.usage)

    def made(self, name: str, body: str = "v1") -> Desk:
        self.skills.create(name, f"about {name}", body).expect("a skill")
        return self

    def text(self, name: str, file: str = "SKILL.md") -> str:
        return self.disk.read_text(f"skills/{name}/{file}").expect("a text")

    def record(self, name: str) -> dict:
        return json.loads(self.disk.read_text(SIDECAR).expect("a sidecar"))[name]

    def listed(self) -> dict[str, object]:
        return {skill.name: skill for skill in self.skills.list().expect("a listing").skills}


def bodies(fs: MemoryFs, name: str) -> list[str]:
    """Every body of the skill that can still be read, the oldest first, the present one last."""
    found = {
        path: parse_skill(data.decode("utf-8")).body
        for path, data in fs.files().items()
        if re.fullmatch(rf"skills/{re.escape(name)}/SKILL(\.\d+)?\.md", path)
    }
    return [found[path] for path in sorted(found)]


def leftovers(fs: MemoryFs) -> list[str]:
    return [path for path in fs.files() if path.endswith(".tmp")]
