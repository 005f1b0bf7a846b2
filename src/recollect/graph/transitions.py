"""A graph without directions, laid out so that values move one step along all of its edges at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recollect.ports import Graph

    Floats = NDArray[np.float64]
    Positions = NDArray[np.int64]

_COLUMNS = 24
"""How many entries of a node stand in columns, which add up faster than runs do."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The entries of all nodes side by side: the first of each node, the second of each, and so on, then the rest.

    Here nodes are numbered anew, those with the most entries first, so that each column is a run from the start.
    """

    nodes: Positions
    """The position in the graph of each node in the new order."""
    parts: tuple[tuple[Positions, Floats], ...]
    """Of each column the neighbours and weights."""
    rest: tuple[Positions, Floats]
    starts: Positions
    """Where the rest of each node with more entries begins."""

    def spread(self, values: Floats, room: Floats) -> Floats:
        """Return for every node, in the new order, the weighted sum of its neighbours' values."""
        came = np.zeros(len(values))
        for neighbours, weights in self.parts:
            height = len(neighbours)
            # A column at a time stays in the processor's cache.
            part = room[:height]
            np.take(values, neighbours, out=part, mode="clip")
            np.multiply(part, weights, out=part)
            came[:height] += part
        if len(self.starts):
            neighbours, weights = self.rest
            part = room[: len(neighbours)]
            np.take(values, neighbours, out=part, mode="clip")
            np.multiply(part, weights, out=part)
            came[: len(self.starts)] += np.add.reduceat(part, self.starts)
        return came

    @property
    def longest(self) -> int:
        """How much room `spread` needs."""
        return max((len(neighbours) for neighbours, _ in (*self.parts, self.rest)), default=0)


@dataclass(frozen=True, slots=True)
class Transitions:
    """The graph without directions: for every node its neighbours, each once, with the weight of all edges between."""

    offsets: Positions
    neighbours: Positions
    rows: Positions
    """The node that each entry of `neighbours` belongs to."""
    weights: Floats
    totals: Floats
    """Weight of all edges at a node."""
    columns: Columns

    def entries(self, nodes: Positions) -> Positions:
        """Return where the entries of some nodes stand, node by node."""
        begins, counts = self.offsets[nodes], self.offsets[nodes + 1] - self.offsets[nodes]
        total = int(counts.sum())
        shifts = np.repeat(begins - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
        entries: Positions = shifts + np.arange(total)
        return entries


def transitions(graph: Graph, weights: Floats) -> Transitions:
    """Prepare a graph for any number of walks: edges that carry nothing are left out, parallel ones merged."""
    size = len(graph.numbers)
    keys = np.asarray(graph.sources).astype(np.int64) * size + np.asarray(graph.targets)
    first = np.concatenate(([True], keys[1:] != keys[:-1])) if len(keys) else np.zeros(0, dtype=bool)
    groups = np.cumsum(first) - 1
    merged: Floats = np.bincount(groups, weights=weights).astype(np.float64) if len(keys) else np.zeros(0)
    kept = merged > 0
    sources, targets = np.divmod(keys[first], max(1, size))
    backwards = np.asarray(graph.reverse_edges)
    backwards = groups[backwards[first[backwards]]]
    backwards = backwards[kept[backwards]]
    return _both_ways(sources, targets, merged, np.flatnonzero(kept), backwards, size)


def _both_ways(
    sources: Positions,
    targets: Positions,
    weights: Floats,
    forward: Positions,
    backward: Positions,
    size: int,
) -> Transitions:
    """Put the edges out of each node, then those into it, side by side; `backward` stands in the order of targets."""
    begins, ends = sources[forward], targets[backward]
    leaving, coming = np.bincount(begins, minlength=size), np.bincount(ends, minlength=size)
    offsets = np.concatenate(([0], np.cumsum(leaving + coming)))
    neighbours = np.empty(int(offsets[-1]), dtype=np.int64)
    values = np.empty(int(offsets[-1]))
    out = np.arange(len(forward)) - _starts(leaving)[begins] + offsets[begins]
    into = np.arange(len(backward)) - _starts(coming)[ends] + offsets[ends] + leaving[ends]
    neighbours[out], neighbours[into] = targets[forward], sources[backward]
    values[out] = weights[forward]
    values[into] = np.where(sources[backward] == ends, 0.0, weights[backward])
    rows = np.repeat(np.arange(size), leaving + coming)
    totals: Floats = np.bincount(rows, weights=values, minlength=size).astype(np.float64)
    return Transitions(offsets, neighbours, rows, values, totals, _columns(offsets, neighbours, values))


def _starts(counts: Positions) -> Positions:
    return np.concatenate(([0], np.cumsum(counts)))[:-1]


def _columns(offsets: Positions, neighbours: Positions, weights: Floats) -> Columns:
    counts = np.diff(offsets)
    nodes: Positions = np.argsort(-counts, kind="stable")
    anew = np.empty(len(nodes), dtype=np.int64)
    anew[nodes] = np.arange(len(nodes))
    begins, counts = offsets[nodes], counts[nodes]
    parts = []
    for column in range(_COLUMNS):
        height = int((counts > column).sum())
        if height:
            chosen = begins[:height] + column
            parts.append((anew[neighbours[chosen]], weights[chosen]))
    more = counts[: int((counts > _COLUMNS).sum())] - _COLUMNS
    starts = np.concatenate(([0], np.cumsum(more)[:-1])) if len(more) else np.zeros(0, dtype=np.int64)
    chosen = np.repeat(begins[: len(more)] + _COLUMNS - starts, more) + np.arange(int(more.sum()))
    return Columns(nodes, tuple(parts), (anew[neighbours[chosen]], weights[chosen]), starts)
