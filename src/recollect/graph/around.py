"""What stands directly around a symbol: everything that an edge leads to or comes from, surest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from recollect.graph.impact import find_symbols
from recollect.ports import Reader
from recollect.types import EDGE_TYPES, Around, Edge, Item, Neighbour

CERTAIN = frozenset({"syntax", "resolved", "manifest", "lsp_resolved", "scip", "runtime", "user"})
_INVERSE = {"member_of": "contains", "tested_by": "tests"}
"""Relations that are stored from both ends; each is told once."""
_EITHER = frozenset({"co_tested_with", "similar_to"})
"""Relations that are the same from both ends."""
_ORDER = {
    name: place
    for place, name in enumerate(
        (
            "calls",
            "extends",
            "implements",
            "overrides",
            "tests",
            "references",
            "type_hint_of",
            "contains",
            "imports",
            *EDGE_TYPES,
        )
    )
}


def around(reader: Reader, symbol: str, limit: int = 60) -> Around:
    """Return the neighbours of a symbol, at most `limit` of each relation and direction."""
    item, *others = find_symbols(reader, symbol)
    edges = [*_edges(reader, item.number, incoming=False), *_edges(reader, item.number, incoming=True)]
    told = _merged(edges)
    kept, counts = _limited(told, limit)
    numbers = list(dict.fromkeys(number for number, *_ in kept))
    items = {one.number: one for one in reader.items(numbers)}
    found = [
        _neighbour(items[number], outgoing, relation, edge)
        for number, outgoing, relation, edge in kept
        if number in items
    ]
    found.sort(key=_rank)
    return Around(symbol, item, tuple(others), tuple(found), counts)


_Told = tuple[int, bool, str, Edge]


def _edges(reader: Reader, number: int, incoming: bool) -> Iterable[_Told]:
    for edge in reader.edges(number, incoming):
        other = edge.source if incoming else edge.target
        if other == number:
            continue
        relation = _INVERSE.get(edge.type, edge.type)
        outgoing = relation in _EITHER or (incoming if edge.type in _INVERSE else not incoming)
        yield other, outgoing, relation, edge


def _merged(told: Iterable[_Told]) -> list[_Told]:
    """Keep the surest edge of each relation to the same item."""
    best: dict[tuple[int, bool, str], _Told] = {}
    for row in told:
        known = best.get(row[:3])
        if known is None or _sure(row[3]) > _sure(known[3]):
            best[row[:3]] = row
    return list(best.values())


def _sure(edge: Edge) -> tuple[bool, float, int]:
    return (edge.provenance in CERTAIN, edge.confidence, edge.line)


def _limited(told: Sequence[_Told], limit: int) -> tuple[list[_Told], dict[str, int]]:
    ordered = sorted(told, key=lambda row: (not _sure(row[3])[0], -row[3].confidence, row[0]))
    counts: Counter[str] = Counter()
    kept = []
    for row in ordered:
        key = f"{'out' if row[1] else 'in'}:{row[2]}"
        counts[key] += 1
        if counts[key] <= limit:
            kept.append(row)
    return kept, dict(counts)


def _neighbour(item: Item, outgoing: bool, relation: str, edge: Edge) -> Neighbour:
    return Neighbour(
        item, outgoing, relation, edge.provenance, edge.confidence, edge.provenance in CERTAIN, edge.line
    )


def _rank(found: Neighbour) -> tuple[int, bool, float, str, str]:
    item = found.item
    return (_ORDER[found.relation], not found.certain, -found.confidence, item.name, item.id)
