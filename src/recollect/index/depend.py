"""Finds which units must be resolved again: those that once asked a key whose answer has changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

_LOW_BITS = 0xFFFF


def changed_keys(before: bytes, after: bytes) -> NDArray[np.uint32]:
    """Return the keys under which a file's exports differ; both are packed (key, digest) uint32 pairs."""
    if before == after:
        return np.empty(0, np.uint32)
    differing = np.setxor1d(np.frombuffer(before, "<u8"), np.frombuffer(after, "<u8"))
    return np.unique((differing & np.uint64(0xFFFFFFFF)).astype(np.uint32))


def merge_keys(parts: Iterable[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    """Return every key once, sorted."""
    arrays = [part for part in parts if len(part)]
    return np.unique(np.concatenate(arrays)) if arrays else np.empty(0, np.uint32)


def dependents(units: Sequence[str], asked: Sequence[bytes], changed: NDArray[np.uint32]) -> set[str]:
    """Return the units that asked at least one of the changed keys."""
    if not len(changed) or not units:
        return set()
    keys = np.frombuffer(b"".join(asked), "<u4")
    ends = np.cumsum(np.fromiter((len(part) // 4 for part in asked), np.int64, len(asked)))
    # Most keys are ruled out by a 64 kB table; only what passes is compared exactly.
    table = np.zeros(_LOW_BITS + 1, bool)
    table[changed & _LOW_BITS] = True
    possible = np.flatnonzero(table[keys & _LOW_BITS])
    matching = possible[np.isin(keys[possible], changed)]
    owners = np.unique(np.searchsorted(ends, matching, side="right"))
    return {units[owner] for owner in owners.tolist()}
