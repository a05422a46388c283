"""Seeds come from a digest: the same in every process, and another for every key."""

from __future__ import annotations

import os
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.sim.seeds import derive

KEYS = st.lists(st.integers() | st.text(), max_size=4)


def test_three_processes_with_their_own_hash_seeds_derive_one_seed() -> None:
    code = "from alembic_sim.sim.seeds import derive; print(derive(0, 'skill-a|day-3'))"
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "random")
    }
    assert told == {f"{derive(0, 'skill-a|day-3')}\n"}


def test_the_order_and_the_borders_of_keys_matter() -> None:
    seeds = [
        derive(1, "a", "b"),
        derive(1, "b", "a"),
        derive(1, "ab"),
        derive(1, "a,b"),
        derive(2, "a", "b"),
        derive(1, "a", 1),
        derive(1, "a", "1"),
    ]
    assert len(set(seeds)) == len(seeds)


@given(st.integers(), KEYS, KEYS)
def test_equal_keys_give_equal_seeds_and_no_others(
    seed: int, keys: list[str | int], others: list[str | int]
) -> None:
    assert 0 <= derive(seed, *keys) < 2**64
    assert (derive(seed, *keys) == derive(seed, *others)) == (keys == others)
