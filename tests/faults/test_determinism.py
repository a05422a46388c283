"""One seed, one digest: in every process, whatever its hash seed and its time zone (I10)."""

from __future__ import annotations

from itertools import product

from alembic_sim.invariants import i10_one_digest_per_seed
from tests.faults.processes import finish, start
from tests.faults.tally import Tally

CLAIM = "determinism"
SEEDS = 100

PRINT_DIGESTS = """
import sys
from tests.faults.small_loop import digest_of
for seed in range(int(sys.argv[1])):
    print(digest_of(seed))
"""


def test_a_hundred_seeds_give_one_digest_each_in_six_processes(tally: Tally) -> None:
    environments = list(product(["0", "1", "random"], ["UTC", "America/New_York"]))
    processes = [
        start(PRINT_DIGESTS, SEEDS, PYTHONHASHSEED=hash_seed, TZ=zone)
        for hash_seed, zone in environments
    ]
    digests = [digest for p in processes for digest in enumerate(finish(p).splitlines())]
    tally.count(CLAIM, "processes", len(processes))
    tally.count(CLAIM, "runs", len(digests))
    tally.count(CLAIM, "digests", len(set(digests)))
    assert len(digests) == SEEDS * len(environments)
    assert i10_one_digest_per_seed(digests) == ()
    assert len({digest for _seed, digest in digests}) == SEEDS, "other seeds give other trees"
