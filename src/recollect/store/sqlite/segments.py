"""Edges: one packed segment for each unit, and what is read from all of them together."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np

from recollect.errors import UsageError
from recollect.ports import EdgeRow
from recollect.store.sqlite.evidence import SqliteEvidence
from recollect.store.sqlite.graph import EDGE, CsrGraph, build, cached, keep
from recollect.store.sqlite.snapshot import Snapshot
from recollect.types import EDGE_TYPES, PROVENANCES, Edge

_pack = struct.Struct("<IIIBBBB").pack
_LEVEL = 3


def pack_rows(unit: str, rows: Sequence[EdgeRow]) -> bytes:
    """Return the edges of a unit in a fixed order as one blob."""
    if not rows:
        return b""
    try:
        packed = b"".join([_pack(*row) for row in sorted(rows)])
    except struct.error as error:
        raise UsageError(f"An edge of {unit} has a number that does not fit its field ({error}).") from error
    # Byte by byte across the rows, equal bytes lie together: 4.6 bytes an edge instead of 6.3 (tests/store/rates.py).
    turned = np.frombuffer(packed, dtype=np.uint8).reshape(-1, EDGE.itemsize).T
    return zlib.compress(turned.tobytes(), _LEVEL)


def unpack_rows(blob: bytes) -> np.ndarray:
    """Return the edges of a blob as a structured array."""
    if not blob:
        return np.zeros(0, dtype=EDGE)
    turned = np.frombuffer(zlib.decompress(blob), dtype=np.uint8).reshape(EDGE.itemsize, -1).T
    return np.frombuffer(turned.tobytes(), dtype=EDGE)


def digest_of(unit: str, blob: bytes) -> int:
    """Return the 63-bit digest of a unit's edges; the graph's root is the sum of them all."""
    return (
        int.from_bytes(
            blake2b(blob, digest_size=8, key=unit.encode("utf-8", "surrogatepass")[-64:]).digest(), "big"
        )
        >> 1
    )


class EdgeReading(Snapshot):
    """Reads edges."""

    _graph: CsrGraph | None = None
    evidence: SqliteEvidence | None = None
    """What is laid over the edges when the graph is read."""

    def root(self) -> bytes:
        """Return the key of the graph: it changes whenever an edge or the set of items does, or the evidence may."""
        rows: dict[str, str] = dict(
            self.rows(
                "SELECT key, value FROM meta WHERE key IN ('space', 'segments', 'high_water', 'removed', 'generation')"
            )
        )
        keys = ["space", "segments", "high_water", "removed"]
        if self.evidence is not None and (stamp := self.evidence.stamp()):
            # Evidence also depends on what files and signatures say, which only the generation tells.
            rows["evidence"] = stamp
            keys += ["generation", "evidence"]
        state = "/".join(f"{key}={rows.get(key, '')}" for key in keys)
        return blake2b(state.encode(), digest_size=16).digest()

    def graph(self) -> CsrGraph:
        """Return all edges as compressed sparse rows, from the cache when it has this generation's."""
        root = self.root()
        if self._graph is None or self._graph.root != root:
            self._graph = cached(self.database.path, root) or self._build(root)
        return self._graph

    def _build(self, root: bytes) -> CsrGraph:
        numbers, rows = self._live_numbers(), self._all_rows()
        if self.evidence is not None and self.evidence.stamp():
            from recollect.store.sqlite.weave import weave

            woven = weave(self, self.evidence, rows)
            numbers, rows = np.concatenate([numbers, woven.phantoms]), woven.rows
        found = build(root, numbers, rows)
        if self.may_cache():
            keep(self.database.path, found)
        return found

    def _live_numbers(self) -> np.ndarray:
        sql = "SELECT number FROM item UNION ALL SELECT number FROM external WHERE uses > 0"
        return np.sort(np.fromiter((row[0] for row in self.each(sql)), dtype=np.uint32))

    def _all_rows(self) -> np.ndarray:
        try:
            blobs = [unpack_rows(row[0]) for row in self.each("SELECT edges FROM segment WHERE count > 0")]
        except (zlib.error, ValueError) as error:
            raise self.damaged(f"edges cannot be unpacked: {error}") from error
        return np.concatenate([np.zeros(0, dtype=EDGE), *blobs])

    def edges(self, number: int, incoming: bool, types: Iterable[str] = ()) -> Sequence[Edge]:
        """Return the edges out of, or into, an item, optionally of some types only."""
        graph = self.graph()
        node = graph.node(number)
        if node is None:
            return []
        positions = graph.incoming(node) if incoming else graph.outgoing(node)
        wanted = {EDGE_TYPES.index(name) for name in types}
        return [
            edge_at(graph, position)
            for position in positions.tolist()
            if not wanted or int(graph.types[position]) in wanted
        ]

    def dependencies(self) -> tuple[Sequence[str], Sequence[bytes]]:
        """Return every unit and, beside it, the packed keys that it asked when it was resolved."""
        rows = self.rows("SELECT unit, dependencies FROM segment ORDER BY unit")
        return [unit for unit, _ in rows], [keys for _, keys in rows]


def edge_at(graph: CsrGraph, position: int) -> Edge:
    """Return the edge at a position of the forward arrays."""
    return Edge(
        source=int(graph.numbers[graph.sources[position]]),
        target=int(graph.numbers[graph.targets[position]]),
        type=EDGE_TYPES[graph.types[position]],
        provenance=PROVENANCES[graph.provenances[position]],
        confidence=int(graph.confidences[position]) / 100,
        line=int(graph.lines[position]),
        count=int(graph.counts[position]),
    )
