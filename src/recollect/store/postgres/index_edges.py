"""Edges on a server: one packed segment for each unit; the graph they make is kept by the client under its root."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from recollect.store.postgres.index_snapshot import Snapshot
from recollect.store.sqlite.evidence import SqliteEvidence
from recollect.store.sqlite.graph import EDGE, CsrGraph, build, cached, keep
from recollect.store.sqlite.segments import edge_at, unpack_rows
from recollect.types import EDGE_TYPES, Edge

_KEYS = ("space", "segments", "high_water", "removed")


class EdgeReading(Snapshot):
    """Reads edges."""

    _graph: CsrGraph | None = None
    evidence: SqliteEvidence | None = None
    """What is laid over the edges when the graph is read."""

    def root(self) -> bytes:
        """Return the key of the graph: it changes whenever an edge or the set of items does, or the evidence may."""
        values = [(key, self.meta(key) or "") for key in _KEYS]
        if self.evidence is not None and (stamp := self.evidence.stamp()):
            # Evidence also depends on what files and signatures say, which only the generation tells.
            values += [("generation", self.meta("generation") or ""), ("evidence", stamp)]
        state = "/".join(f"{key}={value}" for key, value in values)
        return blake2b(state.encode(), digest_size=16).digest()

    def graph(self) -> CsrGraph:
        """Return all edges as compressed sparse rows, from the client's cache when it has this generation's."""
        root = self.root()
        if self._graph is None or self._graph.root != root:
            cache = self._cache()
            self._graph = (cached(cache, root) if cache else None) or self._build(root)
        return self._graph

    def _cache(self) -> Path | None:
        return self.place.cache / "shared" if self.place.cache is not None else None

    def _build(self, root: bytes) -> CsrGraph:
        numbers, rows = self._live_numbers(), self._all_rows()
        found = build(root, numbers, rows)
        cache = self._cache()
        if cache is not None and self.may_cache():
            keep(cache, found)
        return found

    def _live_numbers(self) -> np.ndarray:
        sql = (
            "SELECT number FROM code_item WHERE space = $1 AND tree = $2 UNION ALL "
            "SELECT number FROM code_external WHERE space = $1 AND tree = $2 AND uses > 0"
        )
        return np.sort(np.fromiter((row[0] for row in self.rows(sql)), dtype=np.uint32))

    def _all_rows(self) -> np.ndarray:
        sql = "SELECT edges FROM code_segment WHERE space = $1 AND tree = $2 AND count > 0"
        try:
            blobs = [unpack_rows(row[0]) for row in self.rows(sql)]
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
        sql = "SELECT unit, dependencies FROM code_segment WHERE space = $1 AND tree = $2 ORDER BY unit"
        rows = self.rows(sql)
        return [unit for unit, _ in rows], [bytes(keys) for _, keys in rows]
