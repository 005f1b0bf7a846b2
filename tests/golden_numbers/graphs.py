"""Small graphs for tests, in the arrays of the Graph port."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from recollect.types import EDGE_TYPES, PROVENANCES


def graph(nodes, edges):
    """Build a graph of nodes 0..n-1 from (source, target, type[, provenance])."""
    rows = sorted(
        (a, b, EDGE_TYPES.index(kind), PROVENANCES.index((*rest, "syntax")[0])) for a, b, kind, *rest in edges
    )
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    order = np.argsort(table[:, 1], kind="stable")
    return SimpleNamespace(
        root=b"test",
        numbers=np.arange(nodes),
        sources=table[:, 0],
        targets=table[:, 1],
        types=table[:, 2].astype(np.uint8),
        provenances=table[:, 3].astype(np.uint8),
        confidences=np.full(len(table), 70, np.uint8),
        lines=np.zeros(len(table), np.uint32),
        offsets=_offsets(table[:, 0], nodes),
        reverse_offsets=_offsets(table[:, 1], nodes),
        reverse_edges=order,
    )


def _offsets(column, nodes):
    return np.concatenate(([0], np.cumsum(np.bincount(column, minlength=nodes))))
