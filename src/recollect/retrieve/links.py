"""How the graph ties candidates together: how much each is used, and how strong those are that it is tied to."""

from __future__ import annotations

import numpy as np

from recollect.retrieve.context import Context

SCALE = 8.0


def used(context: Context, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many edges lead to each item and how many leave it, on a scale of logarithms."""
    nodes, there = _nodes(context, numbers)
    graph = context.graph
    ends = (graph.reverse_offsets, graph.offsets)
    into, out = (
        np.where(there, np.log1p(offsets[nodes + 1] - offsets[nodes]), 0.0) / SCALE for offsets in ends
    )
    return into, out


def supported(
    context: Context, numbers: np.ndarray, strength: np.ndarray, group: np.ndarray | None = None
) -> np.ndarray:
    """Return the strength of those that each item is tied to outside its group, the greatest being 1."""
    graph = context.graph
    nodes, there = _nodes(context, numbers)
    sources = np.flatnonzero(there)
    gained = np.zeros(len(numbers))
    if not len(sources):
        return gained
    place = np.full(len(graph.numbers), -1, np.int64)
    place[nodes[sources]] = sources
    begin, end = (
        graph.offsets[nodes[sources]].astype(np.int64),
        graph.offsets[nodes[sources] + 1].astype(np.int64),
    )
    lengths = end - begin
    edges = np.repeat(begin - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    source, target = np.repeat(sources, lengths), place[graph.targets[edges]]
    tied = (target >= 0) & (target != source)
    if group is not None:
        tied &= group[source] != group[np.maximum(target, 0)]
    source, target = source[tied], target[tied]
    np.add.at(gained, target, strength[source])
    np.add.at(gained, source, strength[target])
    top = gained.max()
    return gained / top if top > 0 else gained


def _nodes(context: Context, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the node of each item, and whether it has one."""
    known = context.graph.numbers
    if not len(known):
        return np.zeros(len(numbers), np.int64), np.zeros(len(numbers), bool)
    nodes = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    return nodes, known[nodes] == numbers
