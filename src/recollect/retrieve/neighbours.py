"""The edges at a few nodes of the graph, in one go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from recollect.retrieve.context import Context
from recollect.types import EDGE_TYPES


class Neighbour(NamedTuple):
    """An edge as seen from one of its ends."""

    of: int
    number: int
    type: str


def neighbours(
    context: Context, numbers: Iterable[int], types: Iterable[str], incoming: bool, cap: int = 0
) -> Sequence[Neighbour]:
    """Return the edges of some types into, or out of, these items; at most `cap` for each of them."""
    graph = context.graph
    wanted = np.zeros(256, dtype=bool)
    wanted[[EDGE_TYPES.index(name) for name in types]] = True
    known = [(number, place) for number in numbers if (place := context.place(number)) is not None]
    if not known:
        return []
    offsets = graph.reverse_offsets if incoming else graph.offsets
    ends = graph.sources if incoming else graph.targets
    places = np.array([place for _, place in known], dtype=np.int64)
    starts = offsets[places].astype(np.int64)
    sizes = offsets[places + 1].astype(np.int64) - starts
    owners = np.repeat(np.arange(len(known)), sizes)
    firsts = np.cumsum(sizes) - sizes
    edges = np.arange(len(owners)) + np.repeat(starts - firsts, sizes)
    if incoming:
        edges = graph.reverse_edges[edges]
    fits = wanted[graph.types[edges]]
    edges, owners = edges[fits], owners[fits]
    found = zip(
        owners.tolist(), graph.numbers[ends[edges]].tolist(), graph.types[edges].tolist(), strict=True
    )
    rows = [Neighbour(known[owner][0], number, EDGE_TYPES[sort]) for owner, number, sort in found]
    return _capped(rows, cap) if cap else rows


def _capped(rows: Sequence[Neighbour], cap: int) -> list[Neighbour]:
    counts: dict[int, int] = {}
    kept = []
    for row in rows:
        counts[row.of] = counts.get(row.of, 0) + 1
        if counts[row.of] <= cap:
            kept.append(row)
    return kept
