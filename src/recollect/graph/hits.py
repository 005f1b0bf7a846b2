"""Hubs and authorities among a few nodes of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recollect.ports import Graph

    Floats = NDArray[np.float64]


def hubs_and_authorities(
    graph: Graph, positions: NDArray[np.int64], rounds: int = 10
) -> tuple[Floats, Floats]:
    """Return hub and authority scores of the nodes at these positions, each of length one as a vector."""
    place = np.full(len(graph.numbers), -1, dtype=np.int64)
    place[positions] = np.arange(len(positions))
    offsets, out = np.asarray(graph.offsets), np.asarray(graph.targets)
    runs = [place[out[int(offsets[node]) : int(offsets[node + 1])]] for node in positions]
    targets = np.concatenate(runs) if runs else np.zeros(0, dtype=np.int64)
    sources = np.repeat(np.arange(len(positions)), [len(run) for run in runs])
    kept = targets >= 0
    return iterate(sources[kept], targets[kept], len(positions), rounds)


def iterate(
    sources: NDArray[np.int64], targets: NDArray[np.int64], size: int, rounds: int = 10
) -> tuple[Floats, Floats]:
    """Let authorities be the sum of the hubs that point to them, and hubs the sum of the authorities they point to."""
    hubs, authorities = np.ones(size), np.ones(size)
    for _ in range(rounds):
        authorities = _unit(np.bincount(targets, weights=hubs[sources], minlength=size))
        hubs = _unit(np.bincount(sources, weights=authorities[targets], minlength=size))
    return hubs, authorities


def _unit(summed: NDArray[Any]) -> Floats:
    vector = np.asarray(summed, dtype=np.float64)
    length = float(np.sqrt((vector * vector).sum()))
    return vector / length if length > 0 else vector
