"""Follows calls and their like backwards or forwards from a symbol, step by step, with how sure each step is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from recollect.errors import NotFoundError, UsageError
from recollect.graph.keys import last_part
from recollect.graph.near import missing
from recollect.graph.tables import language_of
from recollect.ports import Filters, Graph, Reader
from recollect.types import EDGE_TYPES, PROVENANCES, TYPE_KINDS, Impact, Item, Reached

DIRECTIONS = ("callers", "callees")
_FOLLOWED = ("calls", "references", "decorates", "extends", "implements")
"""Edge types followed at every step."""
_AT_FIRST = ("type_hint_of", "accesses_field", "throws", "handles_route", "tests")
"""Edge types that concern the symbol itself but say nothing about what lies behind them."""
_PROVEN = frozenset({"syntax", "resolved", "manifest", "lsp_resolved", "scip", "runtime", "user"})
_DISPATCH = 0.5
"""How likely a call to a parent's method is one to a given method that overrides it."""
_STARTS = 20
_VISITED = 20_000


class Way(NamedTuple):
    """The surest way found to a node; compared field by field, higher is surer."""

    certain: bool
    confidence: float
    nearness: int
    via: int
    edge: int


class _Step(NamedTuple):
    node: int
    confidence: float
    proven: bool
    edge: int


def impact(
    reader: Reader, symbol: str, direction: str = "callers", depth: int = 3, limit: int = 500
) -> Impact:
    """Return what reaches a symbol (`callers`) or what it reaches (`callees`), proven first, nearest first."""
    if direction not in DIRECTIONS:
        raise UsageError(f"There is no direction {direction!r}. Use one of: {', '.join(DIRECTIONS)}.")
    if depth < 1:
        raise UsageError(f"A depth of {depth} reaches nothing. Use 1 or more.")
    starts = find_symbols(reader, symbol)
    graph = reader.graph()
    walk = Walk(reader, graph, direction)
    nodes = [
        node
        for item in _with_constructors(reader, starts)
        if (node := node_of(graph, item.number)) is not None
    ]
    ways = walk.from_nodes(nodes, depth)
    found, truncated = _reached(reader, graph, ways, limit)
    notes = (f"{symbol!r} names {len(starts)} symbols; all of them are followed.",) if len(starts) > 1 else ()
    return Impact(symbol, direction, depth, tuple(starts), tuple(found), truncated or walk.full, notes)


def find_symbols(reader: Reader, symbol: str) -> list[Item]:
    """Return the items that a text names: an id, a qualified or last name, or either behind `path:`."""
    known = reader.item(symbol) if ":" in symbol or symbol[:1].isalpha() else None
    if known is not None:
        return [known]
    path, _, name = symbol.rpartition(":") if ":" in symbol and "::" not in symbol else ("", "", symbol)
    found = [item for item in reader.find(name, Filters(), 200) if not path or item.path == path]
    wanted = name.replace("::", ".").replace("#", ".")
    exact = [item for item in found if wanted in (item.name, item.path)]
    found = exact or [item for item in found if item.name.endswith(f".{wanted}")] or found[:1]
    if not found:
        raise NotFoundError(missing(reader, symbol))
    return found[:_STARTS]


def _with_constructors(reader: Reader, starts: list[Item]) -> list[Item]:
    """Add the constructors of types, since a call of a type is a call of its constructor."""
    found = list(starts)
    for item in starts:
        if item.kind in TYPE_KINDS:
            names = language_of(item.language).constructors
            wanted = {f"{item.name}.{last_part(item.name) if name == '*' else name}" for name in names}
            found += [row for row in reader.items_of(item.path) if row.name in wanted]
    return found


def node_of(graph: Graph, number: int) -> int | None:
    """Return the position of an item in the graph, None when nothing leads to or from it."""
    position = int(np.searchsorted(graph.numbers, number))
    return position if position < len(graph.numbers) and int(graph.numbers[position]) == number else None


class Walk:
    """One walk over the graph; it lives for one question."""

    def __init__(self, reader: Reader, graph: Graph, direction: str) -> None:
        self._reader = reader
        self._graph = graph
        self._backwards = direction == "callers"
        self._follow = {EDGE_TYPES.index(name) for name in _FOLLOWED}
        self._first = self._follow | {EDGE_TYPES.index(name) for name in _AT_FIRST}
        self._overrides = EDGE_TYPES.index("overrides")
        self._proven = {PROVENANCES.index(name) for name in _PROVEN}
        self._gathering: dict[str, int] | None = None
        self._names: dict[int, str] = {}
        self.full = False

    def from_nodes(self, starts: list[int], depth: int) -> dict[int, Way]:
        """Return the surest way to every node within the depth."""
        ways: dict[int, Way] = {}
        frontier = {node: Way(True, 1.0, 0, node, -1) for node in sorted(starts)}
        begun = set(frontier)
        for distance in range(1, depth + 1):
            reached: dict[int, Way] = {}
            for node, way in sorted(frontier.items()):
                for step in self._steps(node, self._first if distance == 1 else self._follow):
                    if step.node in begun:
                        continue
                    sure = way.certain and step.proven
                    made = Way(sure, way.confidence * step.confidence, -distance, node, step.edge)
                    known = ways.get(step.node)
                    if known is None or made[:3] > known[:3]:
                        ways[step.node] = reached[step.node] = made
            frontier = reached
            if len(ways) > _VISITED:
                self.full = True
                break
        return ways

    def _steps(self, node: int, types: set[int]) -> Iterator[_Step]:
        yield from self._direct(node, types)
        for other, share in self._same_call(node):
            for step in self._direct(other, types):
                yield step._replace(confidence=step.confidence * share, proven=False)

    def _direct(self, node: int, types: set[int]) -> Iterator[_Step]:
        graph = self._graph
        for edge in self._edges(node, self._backwards):
            if int(graph.types[edge]) in types:
                other = int(graph.sources[edge] if self._backwards else graph.targets[edge])
                sure = int(graph.provenances[edge]) in self._proven
                confidence = int(graph.confidences[edge]) / 100
                if self._backwards or other not in self._gathered_names():
                    yield _Step(other, confidence, sure, edge)
                else:
                    candidates = self._candidates(self._names[other])
                    yield from (_Step(row, confidence, False, edge) for row in candidates)

    def _edges(self, node: int, backwards: bool) -> Iterator[int]:
        graph = self._graph
        if backwards:
            for position in range(int(graph.reverse_offsets[node]), int(graph.reverse_offsets[node + 1])):
                yield int(graph.reverse_edges[position])
        else:
            yield from range(int(graph.offsets[node]), int(graph.offsets[node + 1]))

    def _same_call(self, node: int) -> Iterator[tuple[int, float]]:
        """Yield the nodes whose callers (or callees) may be the node's too: dispatch, and gathered names."""
        graph = self._graph
        for edge in self._edges(node, not self._backwards):
            if int(graph.types[edge]) == self._overrides:
                yield int(graph.targets[edge] if self._backwards else graph.sources[edge]), _DISPATCH
        if self._backwards:
            number = int(graph.numbers[node])
            for item in self._reader.items([number]):
                key = f"{language_of(item.language).family}:{last_part(item.name)}"
                gathered = self._gathered().get(key)
                if gathered is not None:
                    yield gathered, 1.0

    def _gathered(self) -> dict[str, int]:
        """Return the nodes that stand for all candidates of a name, by that name."""
        if self._gathering is None:
            graph = self._graph
            ambiguous = np.asarray(graph.provenances) == PROVENANCES.index("ambiguous")
            nodes = np.unique(np.asarray(graph.targets)[ambiguous])
            offsets = np.asarray(graph.offsets)
            leaves = nodes[offsets[nodes] == offsets[nodes + 1]]
            items = self._reader.items([int(number) for number in np.asarray(graph.numbers)[leaves]])
            by_number = {int(graph.numbers[node]): int(node) for node in leaves}
            self._gathering = {item.name: by_number[item.number] for item in items if item.kind == "name"}
            self._names = {node: name for name, node in self._gathering.items()}
        return self._gathering

    def _gathered_names(self) -> dict[int, str]:
        self._gathered()
        return self._names

    def _candidates(self, gathered: str) -> list[int]:
        family, _, name = gathered.partition(":")
        rows = [row for row in self._reader.definitions(name) if language_of(row.language).family == family]
        nodes = [node_of(self._graph, row.number) for row in rows]
        return sorted(node for node in nodes if node is not None)


def _reached(reader: Reader, graph: Graph, ways: dict[int, Way], limit: int) -> tuple[list[Reached], bool]:
    order = sorted(
        ways.items(), key=lambda row: (not row[1].certain, -row[1].nearness, -row[1].confidence, row[0])
    )
    numbers = {node: int(graph.numbers[node]) for node, _ in order}
    wanted = {numbers[node] for node, _ in order} | {int(graph.numbers[way.via]) for _, way in order}
    items = {item.number: item for item in reader.items(sorted(wanted))}
    found = []
    for node, way in order:
        item = items.get(numbers[node])
        if item is None or item.kind == "name":
            continue
        via = items.get(int(graph.numbers[way.via]))
        found.append(
            Reached(
                item.id, item.kind, item.name, item.path, item.start_line, item.end_line, -way.nearness,
                EDGE_TYPES[int(graph.types[way.edge])], _weakest(graph, ways, node), round(way.confidence, 4),
                way.certain, via.id if via else "", int(graph.lines[way.edge]), test=item.test,
            )
        )  # fmt: skip
    found.sort(
        key=lambda row: (not row.certain, row.distance, -row.confidence, row.path, row.start_line, row.id)
    )
    return found[:limit], len(found) > limit


def _weakest(graph: Graph, ways: dict[int, Way], node: int) -> str:
    """Return the provenance of the least sure edge on the way to a node."""
    lowest, provenance = 101, 0
    seen: set[int] = set()
    while node in ways and node not in seen:
        seen.add(node)
        edge = ways[node].edge
        if int(graph.confidences[edge]) < lowest:
            lowest, provenance = int(graph.confidences[edge]), int(graph.provenances[edge])
        node = ways[node].via
    return PROVENANCES[provenance]
