"""Gathers the edges of one unit, folding equal ones and naming their type and provenance by position."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.graph.scope import Scope
from recollect.graph.things import MAX_CANDIDATES, without_companions
from recollect.ports import Definition, EdgeRow
from recollect.types import EDGE_TYPES, PROVENANCES

TYPE = {name: position for position, name in enumerate(EDGE_TYPES)}
PROVENANCE = {name: position for position, name in enumerate(PROVENANCES)}
_RESOLVED = PROVENANCE["resolved"]
_INFERRED = PROVENANCE["inferred"]
_AMBIGUOUS = PROVENANCE["ambiguous"]
MOST_COUNTED = 255
SURE = 80
"""From this percentage on a single target counts as resolved."""


class Edges:
    """The edges of a unit while it is being resolved."""

    __slots__ = ("_rows", "_scope")

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._rows: dict[tuple[int, int, int], list[int]] = {}

    def add(
        self, source: int, target: int, kind: str, known: tuple[str, int], line: int = 0, count: int = 1
    ) -> None:
        """Add an edge known by (provenance, percent); the surer of two equal ones wins and their counts add up."""
        self._put(source, target, TYPE[kind], (PROVENANCE[known[0]], known[1]), (line, count))

    def _put(
        self, source: int, target: int, kind: int, known: tuple[int, int], seen: tuple[int, int]
    ) -> None:
        if source == target and kind != _CALLS:
            return
        key = (source, target, kind)
        row = self._rows.get(key)
        if row is None:
            self._rows[key] = [seen[0], known[0], known[1], seen[1]]
            return
        row[3] += seen[1]
        if seen[0] and (not row[0] or seen[0] < row[0]):
            row[0] = seen[0]
        if known[1] > row[2] or (known[1] == row[2] and known[0] < row[1]):
            row[1], row[2] = known

    def point(
        self, source: int, found: Sequence[Definition], kind: str, confidence: int, seen: tuple[int, int, str]
    ) -> None:
        """Add edges to all that a name may be; `seen` is the line, how often, and the name with its family."""
        line, count, name = seen
        if len(found) > 1:
            found = without_companions(found)
        total = len(found)
        if total == 1:
            known = (_RESOLVED if confidence >= SURE else _INFERRED, confidence)
            self._put(source, found[0].number, TYPE[kind], known, (line, count))
        elif total <= MAX_CANDIDATES:
            known = (_AMBIGUOUS, max(1, confidence // total) if total else 0)
            for target in found:
                self._put(source, target.number, TYPE[kind], known, (line, count))
        else:
            gathered = self._scope.external("name", name)
            self._put(source, gathered, TYPE[kind], (_AMBIGUOUS, max(1, confidence // total)), (line, count))

    def rows(self) -> list[EdgeRow]:
        """Return the edges in a fixed order."""
        make = tuple.__new__
        rows = []
        for (source, target, kind), (line, provenance, percent, count) in self._rows.items():
            counted = count if count < MOST_COUNTED else MOST_COUNTED
            rows.append(make(EdgeRow, (source, target, line, kind, provenance, percent, counted)))
        rows.sort()
        return rows


_CALLS = TYPE["calls"]
