"""The graph as compressed sparse rows, and the memory-mapped file beside the index that keeps it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from recollect.store.sqlite.arrays import Array, keep_arrays, kept_arrays

EDGE = np.dtype(
    [
        ("source", "<u4"),
        ("target", "<u4"),
        ("line", "<u4"),
        ("type", "u1"),
        ("provenance", "u1"),
        ("confidence", "u1"),
        ("count", "u1"),
    ]
)
"""One packed edge, 16 bytes."""


_GONE = np.uint32(0xFFFFFFFF)


@dataclass(frozen=True, slots=True, eq=False)
class CsrGraph:
    """All edges of one generation; a node is a position in numbers."""

    root: bytes
    numbers: Array
    offsets: Array
    targets: Array
    types: Array
    provenances: Array
    confidences: Array
    lines: Array
    reverse_offsets: Array
    reverse_edges: Array
    sources: Array
    counts: Array

    def node(self, number: int) -> int | None:
        """Return the position of an item's number, or None when the item is gone."""
        position = int(np.searchsorted(self.numbers, number))
        return position if position < len(self.numbers) and self.numbers[position] == number else None

    def outgoing(self, node: int) -> Array:
        """Return the positions of the edges out of a node."""
        return np.arange(self.offsets[node], self.offsets[node + 1])

    def incoming(self, node: int) -> Array:
        """Return the positions of the edges into a node."""
        return self.reverse_edges[self.reverse_offsets[node] : self.reverse_offsets[node + 1]]


_ARRAYS = tuple(field.name for field in fields(CsrGraph) if field.name != "root")


def build(root: bytes, numbers: Array, rows: Array) -> CsrGraph:
    """Sort packed edges into compressed sparse rows, without those whose ends are gone."""
    places = _places(numbers)
    beyond = np.uint32(len(places) - 1)
    sources = places[np.minimum(rows["source"], beyond)]
    targets = places[np.minimum(rows["target"], beyond)]
    known = (sources != _GONE) & (targets != _GONE)
    rows, sources, targets = rows[known], sources[known], targets[known]
    order = _in_order(sources, targets, rows)
    rows, sources, targets = rows[order], sources[order], targets[order]
    return CsrGraph(
        root=root,
        numbers=numbers,
        offsets=_offsets(sources, len(numbers)),
        targets=targets,
        types=np.ascontiguousarray(rows["type"]),
        provenances=np.ascontiguousarray(rows["provenance"]),
        confidences=np.ascontiguousarray(rows["confidence"]),
        lines=np.ascontiguousarray(rows["line"]),
        reverse_offsets=_offsets(targets, len(numbers)),
        reverse_edges=_by_number(targets),
        sources=sources,
        counts=np.ascontiguousarray(rows["count"]),
    )


def _places(numbers: Array) -> Array:
    """Return a table from every live number to its place, with one more entry for all that are larger."""
    largest = int(numbers[-1]) if len(numbers) else 0
    places = np.full(largest + 2, _GONE, dtype=np.uint32)
    places[numbers] = np.arange(len(numbers), dtype=np.uint32)
    return places


def _in_order(sources: Array, targets: Array, rows: Array) -> Array:
    """Return the order by source, target, type, provenance, line, confidence and count."""
    ends = (sources.astype(np.uint64) << np.uint64(32)) | targets
    # Segments are sorted already, and a stable sort is fast on long sorted runs; only equal ends need the rest.
    order = np.argsort(ends, kind="stable")
    same = np.concatenate(([False], np.diff(ends[order]) == 0))
    tied = np.flatnonzero(same | np.concatenate((same[1:], [False])))
    among = order[tied]
    columns = ("count", "confidence", "line", "provenance", "type")
    order[tied] = among[np.lexsort((*(rows[among][name] for name in columns), ends[among]))]
    return order


def _by_number(values: Array) -> Array:
    """Return the stable order of 32-bit values: two passes over 16 bits, which numpy sorts in linear time."""
    low = np.argsort(values.astype(np.uint16), kind="stable")
    high = np.argsort((values >> np.uint32(16)).astype(np.uint16)[low], kind="stable")
    return low[high].astype(np.uint32)


def _offsets(nodes: Array, count: int) -> Array:
    offsets = np.zeros(count + 1, dtype=np.uint32)
    np.cumsum(np.bincount(nodes, minlength=count), out=offsets[1:])
    return offsets


def cache_path(database: Path) -> Path:
    """Return where the graph of a database is kept."""
    return database.with_suffix(".graph")


def keep(database: Path, graph: CsrGraph) -> None:
    """Write the graph beside its database."""
    keep_arrays(cache_path(database), graph.root, {name: getattr(graph, name) for name in _ARRAYS})


def cached(database: Path, root: bytes) -> CsrGraph | None:
    """Return the graph that is kept beside a database when it has this root."""
    arrays = kept_arrays(cache_path(database), root)
    return None if arrays is None or set(arrays) != set(_ARRAYS) else CsrGraph(root=root, **arrays)
