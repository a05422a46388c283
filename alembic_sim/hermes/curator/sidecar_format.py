"""Whose format a sidecar is in: ours (camelCase) or the ancestor's (snake_case), never written."""

from __future__ import annotations

from collections.abc import Mapping

_HERMES_KEYS = frozenset(
    [
        *("last_used_at", "last_viewed_at", "last_patched_at", "created_at", "archived_at"),
        *("use_count", "view_count", "patch_count", "created_by", "agent_created"),
    ]
)
_NATIVE_KEYS = frozenset(
    ["createdAt", "createdBy", "lastActivityAt", "patchCount", "useCount", "viewCount"]
)
_COMMON_KEYS = frozenset(["state", "pinned"])


def is_native(document: Mapping[str, object]) -> bool:
    """True if the file is certainly ours: any doubt makes it the ancestor's, never written."""
    return bool(_keys(document) & _NATIVE_KEYS) and not holds_hermes_keys(document)


def holds_hermes_keys(document: Mapping[str, object]) -> bool:
    """True if any record has a key that only the ancestor writes."""
    return bool(_keys(document) & _HERMES_KEYS)


def looks_like_sidecar(document: Mapping[str, object]) -> bool:
    """True if the object is empty, or any value in it could be a record of either format."""
    known = _HERMES_KEYS | _NATIVE_KEYS | _COMMON_KEYS
    records = [raw for raw in document.values() if isinstance(raw, Mapping)]
    return not document or any(not raw or known & set(raw) for raw in records)


def _keys(document: Mapping[str, object]) -> set[str]:
    return {key for raw in document.values() if isinstance(raw, Mapping) for key in raw}
