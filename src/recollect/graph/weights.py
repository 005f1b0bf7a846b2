"""What an edge is worth to a walk: by its type, by how it is known, and by how many structural ones a node has."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from recollect.types import EDGE_TYPES, PROVENANCES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recollect.ports import Graph

    Floats = NDArray[np.float64]

_STRUCTURE = frozenset({"contains", "member_of"})


@cache
def standard_weights() -> dict[str, Any]:
    """Return the shipped table of walk weights."""
    return tomllib.loads(files("recollect.graph").joinpath("walk_weights.toml").read_text(encoding="utf-8"))


def edge_weights(
    graph: Graph,
    types: Mapping[str, float] | None = None,
    provenances: Mapping[str, float] | None = None,
    fan_out: int = 0,
) -> Floats:
    """Return the weight of every edge: that of its type, attenuated by how it is known, thinned where a node has
    more structural edges than `fan_out` (0 for no cap).
    """
    table = standard_weights()
    by_type = {**table["types"], **(types or {})}
    by_provenance = {**table["provenances"], **(provenances or {})}
    kinds = np.array([float(by_type.get(name, table["unknown"])) for name in EDGE_TYPES])
    origins = np.array([float(by_provenance.get(name, 1.0)) for name in PROVENANCES])
    unknown = np.full(256, float(table["unknown"]))
    unknown[: len(kinds)] = kinds
    known = np.ones(256)
    known[: len(origins)] = origins
    weights: Floats = unknown[np.asarray(graph.types)] * known[np.asarray(graph.provenances)]
    return _capped(graph, weights, fan_out) if fan_out > 0 else weights


def _capped(graph: Graph, weights: Floats, fan_out: int) -> Floats:
    """Share the weight of `fan_out` structural edges among all those of a node that has more of them."""
    structural = np.zeros(256, dtype=bool)
    structural[[EDGE_TYPES.index(name) for name in _STRUCTURE]] = True
    chosen = structural[np.asarray(graph.types)]
    size = len(graph.numbers)
    containers = np.where(
        np.asarray(graph.types) == EDGE_TYPES.index("contains"), graph.sources, graph.targets
    )
    counts = np.bincount(containers[chosen], minlength=size)
    halves = np.ones(size)
    many = counts > 2 * fan_out
    halves[many] = 2.0 * fan_out / counts[many]
    return np.where(chosen, weights * halves[containers], weights)
