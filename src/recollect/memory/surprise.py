"""How much new a memory says beside those that are there: what nobody could have expected weighs a little more."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from recollect.memory.similar import content
from recollect.store.memories import MemoryRow
from recollect.store.memory_port import MemoryReader

Cut = Callable[[str], list[str]]

NEIGHBOURS = 5
"""A memory is compared with so many that share most with it; among fewer nothing is a surprise."""
MOST = 0.15
"""How far importance moves, up or down."""
MIDDLE, STEEP = 0.5, 10.0
"""Where half of its words are new, importance stays; how quickly that changes around there."""
_LOOKED_UP = 6
"""So many of the longest words lead to the neighbours; long ones are rare, and rare ones are found quickly."""
_NEWEST = 1000
"""Of a word that more memories hold only the newest are looked at, so that writing never takes longer among many."""
_READ = 400


def nearest(reader: MemoryReader, words: Sequence[str], stem: Cut) -> list[MemoryRow]:
    """Return the memories that share most with some words."""
    longest = sorted(set(content(words[:_READ])), key=lambda word: (-len(word), word))[:_LOOKED_UP]
    known = {one: word for word in longest for one in stem(word)}
    found = [reader.newest_with(word, one, _NEWEST) for one, word in known.items()]
    numbers, shared = np.unique(np.concatenate(found or [np.zeros(0, np.int64)]), return_counts=True)
    return reader.memories(numbers[np.lexsort((-numbers, -shared))][:NEIGHBOURS].tolist())


def surprise(reader: MemoryReader, words: Sequence[str], near: Sequence[MemoryRow], cut: Cut) -> float | None:
    """Return which share of its words those nearest to a memory do not have; None among too few memories."""
    own = set(content(words[:_READ]))
    if not own or reader.last_numbers()[0] <= NEIGHBOURS:
        return None
    shares = [len(own & set(cut(row.text[: 10 * _READ]))) / len(own) for row in near]
    return 1.0 - sum(shares) / NEIGHBOURS


def importance(least: float, new: float) -> float:
    """Return an importance moved by a surprise, between 0 and 1."""
    moved = least + MOST * (2.0 / (1.0 + math.exp(-STEEP * (new - MIDDLE))) - 1.0)
    return min(1.0, max(0.0, moved))
