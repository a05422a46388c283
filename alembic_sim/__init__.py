"""alembic_sim: learn and simulate the closed learning loop of an LLM agent (Alembic, ADR-0018).

The public names load lazily: importing one loads what it needs and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from alembic_sim.lazy import lazy_names

if TYPE_CHECKING:  # the same names as in the table below, for type checkers
    from alembic_sim.adapters.clock import FakeClock as FakeClock
    from alembic_sim.adapters.clock import SystemClock as SystemClock
    from alembic_sim.adapters.disk_fs import DiskFs as DiskFs
    from alembic_sim.adapters.faulty_fs import FaultyFs as FaultyFs
    from alembic_sim.adapters.memory_fs import MemoryFs as MemoryFs
    from alembic_sim.durable import write_atomic as write_atomic
    from alembic_sim.hermes.curator.curator import CuratorDeps as CuratorDeps
    from alembic_sim.hermes.curator.curator import next_state as next_state
    from alembic_sim.hermes.curator.curator import run_curator as run_curator
    from alembic_sim.hermes.curator.guard import guard_pass as guard_pass
    from alembic_sim.hermes.curator.policy import CuratorPolicy as CuratorPolicy
    from alembic_sim.hermes.curator.report import CuratorReport as CuratorReport
    from alembic_sim.hermes.curator.usage_record import SkillState as SkillState
    from alembic_sim.hermes.curator.usage_record import UsageRecord as UsageRecord
    from alembic_sim.hermes.curator.usage_store import UsageStore as UsageStore
    from alembic_sim.hermes.learning.gate import (
        DEFAULT_REVIEW_SCORE_THRESHOLD as DEFAULT_REVIEW_SCORE_THRESHOLD,
    )
    from alembic_sim.hermes.learning.gate import score_threshold_gate as score_threshold_gate
    from alembic_sim.hermes.learning.model_proposer import model_proposer as model_proposer
    from alembic_sim.hermes.learning.review import review_and_learn as review_and_learn
    from alembic_sim.hermes.learning.review_all import (
        review_all_then_learn as review_all_then_learn,
    )
    from alembic_sim.hermes.learning.types import GateVerdict as GateVerdict
    from alembic_sim.hermes.learning.types import LearnError as LearnError
    from alembic_sim.hermes.learning.types import LearnOutcome as LearnOutcome
    from alembic_sim.hermes.learning.types import ReviewDeps as ReviewDeps
    from alembic_sim.hermes.learning.types import ReviewGate as ReviewGate
    from alembic_sim.hermes.learning.types import ReviewProposal as ReviewProposal
    from alembic_sim.hermes.learning.types import ReviewProposer as ReviewProposer
    from alembic_sim.hermes.memory.decide import StoreError as StoreError
    from alembic_sim.hermes.memory.entry_text import ENTRY_DELIMITER as ENTRY_DELIMITER
    from alembic_sim.hermes.memory.memory_store import (
        DEFAULT_MEMORY_CHAR_LIMIT as DEFAULT_MEMORY_CHAR_LIMIT,
    )
    from alembic_sim.hermes.memory.memory_store import (
        DEFAULT_USER_CHAR_LIMIT as DEFAULT_USER_CHAR_LIMIT,
    )
    from alembic_sim.hermes.memory.memory_store import MemoryStore as MemoryStore
    from alembic_sim.hermes.memory.memory_store import WriteReceipt as WriteReceipt
    from alembic_sim.hermes.memory.operations import Add as Add
    from alembic_sim.hermes.memory.operations import Remove as Remove
    from alembic_sim.hermes.memory.operations import Replace as Replace
    from alembic_sim.hermes.memory.snapshot import MemorySnapshot as MemorySnapshot
    from alembic_sim.hermes.skills.skill_store import SkillStore as SkillStore
    from alembic_sim.models.fake_model import FakeModel as FakeModel
    from alembic_sim.models.tiers import pick_cheapest_for_tier as pick_cheapest_for_tier
    from alembic_sim.ports.clock import DAY_MS as DAY_MS
    from alembic_sim.ports.clock import Clock as Clock
    from alembic_sim.ports.fs import FsPort as FsPort
    from alembic_sim.ports.model import ModelAdapter as ModelAdapter
    from alembic_sim.ports.model import ModelError as ModelError
    from alembic_sim.ports.model import ModelReply as ModelReply
    from alembic_sim.ports.model import ModelRequest as ModelRequest
    from alembic_sim.result import Err as Err
    from alembic_sim.result import Ok as Ok
    from alembic_sim.result import Result as Result
    from alembic_sim.sim.forecast.forecast import forecast as forecast
    from alembic_sim.sim.forecast.library_file import read_library as read_library
    from alembic_sim.sim.gates.sweep_gates import sweep_gates as sweep_gates
    from alembic_sim.sim.reference import simulate as simulate
    from alembic_sim.sim.scenario import Scenario as Scenario
    from alembic_sim.sim.scenario_file import load_scenario as load_scenario
    from alembic_sim.sim.scenario_file import read_scenario as read_scenario
    from alembic_sim.sim.sweep.sweep import sweep as sweep

__version__ = "0.1.0"

_WHERE = {
    "result": "Ok Err Result",
    "ports.clock": "Clock DAY_MS",
    "ports.fs": "FsPort",
    "ports.model": "ModelAdapter ModelRequest ModelReply ModelError",
    "adapters.clock": "FakeClock SystemClock",
    "adapters.memory_fs": "MemoryFs",
    "adapters.disk_fs": "DiskFs",
    "adapters.faulty_fs": "FaultyFs",
    "durable": "write_atomic",
    "models.fake_model": "FakeModel",
    "models.tiers": "pick_cheapest_for_tier",
    "hermes.memory.memory_store": (
        "MemoryStore WriteReceipt DEFAULT_MEMORY_CHAR_LIMIT DEFAULT_USER_CHAR_LIMIT"
    ),
    "hermes.memory.snapshot": "MemorySnapshot",
    "hermes.memory.operations": "Add Replace Remove",
    "hermes.memory.decide": "StoreError",
    "hermes.memory.entry_text": "ENTRY_DELIMITER",
    "hermes.learning.types": (
        "ReviewProposal ReviewProposer ReviewGate GateVerdict ReviewDeps LearnOutcome LearnError"
    ),
    "hermes.learning.review": "review_and_learn",
    "hermes.learning.review_all": "review_all_then_learn",
    "hermes.learning.gate": "score_threshold_gate DEFAULT_REVIEW_SCORE_THRESHOLD",
    "hermes.learning.model_proposer": "model_proposer",
    "hermes.skills.skill_store": "SkillStore",
    "hermes.curator.usage_store": "UsageStore",
    "hermes.curator.usage_record": "UsageRecord SkillState",
    "hermes.curator.policy": "CuratorPolicy",
    "hermes.curator.report": "CuratorReport",
    "hermes.curator.curator": "CuratorDeps next_state run_curator",
    "hermes.curator.guard": "guard_pass",
    "sim.scenario": "Scenario",
    "sim.reference": "simulate",
    "sim.sweep.sweep": "sweep",
    "sim.gates.sweep_gates": "sweep_gates",
    "sim.forecast.forecast": "forecast",
    "sim.forecast.library_file": "read_library",
    "sim.scenario_file": "load_scenario read_scenario",
}

__all__, __getattr__, __dir__ = lazy_names(__name__, _WHERE)
