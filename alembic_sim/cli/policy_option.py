"""The policies on a command line: `--policy 30/90 --policy 14/30`."""

from __future__ import annotations

from collections.abc import Sequence

from alembic_sim.cli.common import bad_usage, warn
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.sim.run import policy_name


def policies_at(texts: Sequence[str], most: int) -> tuple[CuratorPolicy, ...]:
    """The policies that these texts spell, all different; anything else ends with exit 2.

    One that archives no later than it makes stale is taken, with a warning: a swapped pair is soon
    typed.
    """
    if len(texts) > most:
        bad_usage("--policy", f"{len(texts)} policies", f"at most {most}")
    found: list[CuratorPolicy] = []
    for text in texts:
        policy = _policy(text)
        if policy in found:
            bad_usage("--policy", text, "different policies; this one is there twice")
        if policy.archive_after_days <= policy.stale_after_days:
            name = policy_name(policy.stale_after_days, policy.archive_after_days)
            warn(
                f"--policy {name}: a skill is archived before it can be stale; are the two swapped?"
            )
        found.append(policy)
    return tuple(found)


def _policy(text: str) -> CuratorPolicy:
    stale, _slash, archive = text.partition("/")
    try:
        return CuratorPolicy(float(stale), float(archive))
    except ValueError:
        allowed = "two finite numbers of days, 0 or more, such as 30/90"
        bad_usage("--policy", text, allowed)
