"""A small closed loop from one seed: what it leaves on disk must depend on nothing else."""

from __future__ import annotations

import random

from alembic_sim import (
    Add,
    CuratorDeps,
    FakeClock,
    FakeModel,
    MemoryFs,
    MemoryStore,
    Remove,
    Replace,
    ReviewDeps,
    UsageStore,
    model_proposer,
    review_and_learn,
    score_threshold_gate,
)
from alembic_sim.hermes.curator.pass_journal import run_journalled_pass, undo_last_pass
from alembic_sim.hermes.curator.run_files import RunFiles
from alembic_sim.hermes.memory.sub_store import SubStore
from alembic_sim.hermes.skills.skill_store import SkillStore
from alembic_sim.invariants import tree_digest
from alembic_sim.strict_json import dump_strict_json

STEPS = 20


def digest_of(seed: int) -> str:
    """The digest of the tree after the seed's steps."""
    rng = random.Random(seed)
    fs, clock = MemoryFs(), FakeClock()
    memory, usage = MemoryStore(fs, 300, 200), UsageStore(fs, clock)
    skills, runs = SkillStore(fs, usage), RunFiles(fs)
    for step in range(STEPS):
        skill, text = f"skill-{rng.randrange(4)}", f"fact {rng.randrange(9)} é"
        match rng.randrange(9):
            case 0:
                memory.apply("memory", rng.choice((Add(text), Remove(text))))
            case 1:
                memory.apply_batch("user", (Add(text), Replace(text, f"{text}, step {step}")))
            case 2:
                skills.create(skill, text, f"Do {text}.", rng.choice(("agent", "Ana")))
            case 3:
                skills.patch(skill, f"Do {text} at step {step}.")
            case 4:
                usage.record(skill, rng.choice(("use", "view", "patch")))
            case 5:
                run_journalled_pass(CuratorDeps(usage), runs)
            case 6:
                undo_last_pass(usage, runs)
                skills.restore(skill)
            case 7:
                SubStore(fs, clock, "episodic").append({"text": text, "step": step})
            case _:
                reply = FakeModel([dump_strict_json([_proposal(text, rng.random())])])
                deps = ReviewDeps(model_proposer(reply), score_threshold_gate(0.5), memory)
                review_and_learn(text, deps)
        clock.advance(days=rng.randrange(40))
    return tree_digest(fs.files())


def _proposal(text: str, score: float) -> dict[str, object]:
    op = {"action": "add", "content": f"learnt: {text}"}
    return {"target": "memory", "op": op, "rationale": "it was seen", "score": score}
