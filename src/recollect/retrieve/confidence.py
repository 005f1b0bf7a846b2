"""How sure it is that anything leads to an item: the best of its incoming edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from recollect.decay import runtime_confidence
from recollect.ports import Graph
from recollect.retrieve.context import Context
from recollect.types import PROVENANCES

BY_PROVENANCE = {"lsp_resolved": 0.9, "scip": 0.9, "syntax": 0.7, "resolved": 0.7, "inferred": 0.7}
"""What is known of how sure a provenance is; edges of any other say it themselves."""


def confidences(context: Context, numbers: Sequence[int]) -> Mapping[int, float]:
    """Return the surest incoming edge of each item; items without any are absent."""
    surest = context.snapshot.memo("confidence", lambda: _surest(context.graph))
    places = {number: context.place(number) for number in numbers}
    found = {number: float(surest[place]) for number, place in places.items() if place is not None}
    return {number: value for number, value in found.items() if value > 0.0}


def _surest(graph: Graph) -> np.ndarray:
    """Return for every node of the graph the best of its incoming edges, 0 where there is none."""
    known = _table()[graph.provenances]
    own = np.asarray(graph.confidences, dtype=np.float64) / 100.0
    sure = np.where(np.isnan(known), own, known)[graph.reverse_edges]
    surest = np.zeros(len(graph.numbers))
    filled = np.flatnonzero(np.diff(np.asarray(graph.reverse_offsets, dtype=np.int64)) > 0)
    if len(filled):
        surest[filled] = np.maximum.reduceat(sure, np.asarray(graph.reverse_offsets, dtype=np.int64)[filled])
    return surest


def _table() -> np.ndarray:
    table = np.full(256, np.nan)
    for name, value in BY_PROVENANCE.items():
        table[PROVENANCES.index(name)] = value
    return table


__all__ = ["BY_PROVENANCE", "confidences", "runtime_confidence"]
