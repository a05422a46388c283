"""derive: one seed out of another and a few keys, the same in every process."""

from __future__ import annotations

import json
from hashlib import blake2b


def derive(seed: int, *keys: str | int) -> int:
    """A 64-bit seed from a digest of the seed and the keys, in their order.

    Python's own `hash` of a text differs from process to process; this differs never. Give every
    stream of chance its own keys, and none of them depends on how much another one drew.

    >>> derive(15, "skill-a", "events")
    12593028207609788258
    >>> derive(15, "skill-a", 3) == derive(15, "skill-a", "3")
    False
    """
    text = json.dumps([seed, *keys], ensure_ascii=True, separators=(",", ":"))
    return int.from_bytes(blake2b(text.encode("ascii"), digest_size=8).digest(), "big")
