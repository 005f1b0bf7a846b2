"""Chooses the tests that a change concerns, each with why, and says for which symbols there is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from recollect.graph.impact import Walk, Way, node_of
from recollect.ports import Graph, Reader
from recollect.types import CALLABLE_KINDS, EDGE_TYPES, PLACE_KINDS, PROVENANCES, TYPE_KINDS, Item

DEPTH = 6
"""How many steps lie between a test and what it concerns, at most."""
LEAST_PERCENT = 30
"""Of a hundred changes of a file, in how many a test must have been changed too; docs/evidence.md has what it gains."""
_MOST_SYMBOLS = 300
_TESTS = EDGE_TYPES.index("tests")
_RUNTIME = PROVENANCES.index("runtime")
_CONVENTION = PROVENANCES.index("convention")
_ORDER = ("changed", "covers", "calls", "named", "imports", "changes with")
_IMPORTS = 0.5
"""How sure it is that a test is concerned which imports a file of which lines outside of symbols were changed."""
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ChosenTest:
    """A test that a change concerns."""

    id: str
    kind: str
    name: str
    path: str
    start_line: int
    language: str
    reason: str
    """changed, covers (a run showed it), calls, named (by the names of both), imports or changes with (by history)."""
    why: str
    certain: bool
    """Whether it is proven rather than possible that the change reaches it."""
    confidence: float
    through: tuple[str, ...] = ()
    """What lies between: from the changed symbol to the test, by name."""

    def to_dict(self) -> dict[str, Any]:
        """Return the test as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The tests of a change, surest first, and what is not known."""

    changed: tuple[str, ...]
    """The symbols that were changed, as `path:name`, or the path where no symbol is concerned."""
    tests: tuple[ChosenTest, ...]
    unreached: tuple[str, ...]
    """Changed symbols that no test is known to reach."""
    notes: tuple[str, ...] = ()


class Partner(NamedTuple):
    """A file that history has changing with another one."""

    path: str
    times: int
    percent: int


@dataclass(slots=True)
class _Found:
    """The surest reason for each test, by number."""

    tests: dict[int, ChosenTest] = field(default_factory=dict)

    def add(self, item: Item, test: ChosenTest) -> None:
        known = self.tests.get(item.number)
        if known is None or _rank(test) < _rank(known):
            self.tests[item.number] = test


def choose_tests(
    reader: Reader,
    changed: Mapping[str, Sequence[Span] | None],
    partners: Mapping[str, Sequence[Partner]],
    depth: int = DEPTH,
) -> Chosen:
    """Choose the tests for changed lines by path; None stands for all lines of a file."""
    found, notes = _Found(), []
    missing: list[str] = []
    starts: list[Item] = []
    for path, spans in sorted(changed.items()):
        items = reader.items_of(path)
        if not items:
            missing.append(path)
            continue
        mine = touched(items, spans)
        starts += mine
        _add_of_file(reader, items, mine, found)
    if missing:
        shown = ", ".join(missing[:3]) + (" …" if len(missing) > 3 else "")
        notes.append(f"Not indexed, so that what depends on it is not known: {shown}.")
    if len(starts) > _MOST_SYMBOLS:
        notes.append(f"{len(starts)} symbols were changed; only the first {_MOST_SYMBOLS} were followed.")
    unreached = _follow(reader, starts[:_MOST_SYMBOLS], depth, found)
    _add_partners(reader, partners, found)
    return Chosen(
        tuple(dict.fromkeys(map(_place, starts))),
        _without_doubles(found.tests.values()),
        tuple(unreached),
        tuple(notes),
    )


def touched(items: Sequence[Item], spans: Sequence[Span] | None) -> list[Item]:
    """Return the innermost symbols that the lines lie in, and the file itself for lines outside of all."""
    symbols = [item for item in items if item.kind not in PLACE_KINDS]
    file = [item for item in items if item.kind == "file"]
    if spans is None:
        return [*file, *symbols]
    chosen: dict[int, Item] = {}
    outside = not symbols
    for first, last in spans:
        inside = [item for item in symbols if item.start_line <= last and item.end_line >= first]
        holders = {other.number for other in inside for item in inside if _holds(other, item, first, last)}
        chosen.update({item.number: item for item in inside if item.number not in holders})
        outside = outside or not any(item.start_line <= first and item.end_line >= last for item in inside)
    return [*(file if outside else ()), *sorted(chosen.values(), key=lambda item: item.start_byte)]


def _holds(outer: Item, inner: Item, first: int, last: int) -> bool:
    """Tell whether the lines of a symbol that were changed all lie in one that it holds."""
    if outer.number == inner.number or not (
        outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte
    ):
        return False
    if (outer.start_byte, outer.end_byte) == (inner.start_byte, inner.end_byte):
        return outer.number < inner.number
    return inner.start_line <= max(first, outer.start_line) and min(last, outer.end_line) <= inner.end_line


def _follow(reader: Reader, starts: Sequence[Item], depth: int, found: _Found) -> list[str]:
    graph = reader.graph()
    walk = Walk(reader, graph, "callers")
    unreached = []
    for item in starts:
        if item.test:
            found.add(item, _chosen(item, ("changed", "it was changed itself"), True, 1.0))
            continue
        node = node_of(graph, item.number)
        ways = walk.from_nodes([node], depth) if node is not None else {}
        numbers = {other: int(graph.numbers[other]) for other in ways}
        items = {one.number: one for one in reader.items(sorted({*numbers.values()}))}
        reached = [items[number] for number in numbers.values() if number in items and items[number].test]
        for other in reached:
            at = node_of(graph, other.number)
            if at is not None:
                found.add(other, _reached(graph, (item, other), ways, at, items))
        if not reached and item.kind in CALLABLE_KINDS | TYPE_KINDS:
            unreached.append(_place(item))
    return unreached


def _reached(
    graph: Graph, ends: tuple[Item, Item], ways: Mapping[int, Way], node: int, items: Mapping[int, Item]
) -> ChosenTest:
    """Say how a test comes to what was changed."""
    item, test = ends
    way = ways[node]
    chain: list[str] = []
    at = way.via
    while at in ways and len(chain) < DEPTH:
        number = int(graph.numbers[at])
        chain.append(items[number].name if number in items else "")
        at = ways[at].via
    first = ways[node].edge
    by_run = int(graph.types[first]) == _TESTS and int(graph.provenances[first]) == _RUNTIME
    convention = any(int(graph.provenances[one.edge]) == _CONVENTION for one in _steps(ways, node))
    reason = "covers" if by_run else "named" if convention else "calls"
    verb = {"covers": "a run of it reached", "named": "it is named after", "calls": "it reaches"}[reason]
    through = tuple(filter(None, reversed(chain)))
    said = f"{verb} {item.name}" + (f" through {', '.join(reversed(through))}" if through else "")
    return _chosen(test, (reason, said), way.certain and reason != "named", round(way.confidence, 4), through)


def _steps(ways: Mapping[int, Way], node: int) -> Iterable[Way]:
    seen: set[int] = set()
    while node in ways and node not in seen:
        seen.add(node)
        yield ways[node]
        node = ways[node].via


def _add_of_file(reader: Reader, items: Sequence[Item], starts: Sequence[Item], found: _Found) -> None:
    """Add the tests that are named after the file, and those that import it when its own lines were changed."""
    whole = [item for item in items if item.kind == "file"]
    types = ("tests", "imports") if any(item.kind == "file" for item in starts) else ("tests",)
    for file in whole:
        edges = reader.edges(file.number, incoming=True, types=types)
        others = {one.number: one for one in reader.items([edge.source for edge in edges])}
        for edge in edges:
            other = others.get(edge.source)
            if other is None or not other.test:
                continue
            if edge.type == "tests":
                known = (
                    ("covers", "a run of it reached")
                    if edge.provenance == "runtime"
                    else ("named", "it is named after")
                )
            else:
                known = ("imports", "it imports")
            sure = edge.confidence if edge.type == "tests" else _IMPORTS
            found.add(
                other, _chosen(other, (known[0], f"{known[1]} {file.path}"), known[0] == "covers", sure)
            )


def _add_partners(reader: Reader, partners: Mapping[str, Sequence[Partner]], found: _Found) -> None:
    for path, rows in sorted(partners.items()):
        itself = next((item for item in reader.items_of(path) if item.kind == "file"), None)
        if itself is not None and itself.test:
            continue
        for partner in rows:
            if partner.percent < LEAST_PERCENT:
                continue
            file = next((item for item in reader.items_of(partner.path) if item.kind == "file"), None)
            if file is not None and file.test:
                said = f"{partner.percent} of 100 commits that changed {path} changed it too ({partner.times} times)"
                found.add(file, _chosen(file, ("changes with", said), False, partner.percent / 100))


def _chosen(
    item: Item, known: tuple[str, str], certain: bool, confidence: float, through: tuple[str, ...] = ()
) -> ChosenTest:
    return ChosenTest(
        item.id,
        item.kind,
        item.name,
        item.path,
        item.start_line,
        item.language,
        *known,
        certain,
        confidence,
        through,
    )


def _without_doubles(tests: Iterable[ChosenTest]) -> tuple[ChosenTest, ...]:
    return tuple(sorted(tests, key=lambda test: (*_rank(test), test.path, test.start_line, test.id)))


def _rank(test: ChosenTest) -> tuple[bool, int, float]:
    return (not test.certain, _ORDER.index(test.reason), -test.confidence)


def _place(item: Item) -> str:
    return item.path if item.kind in PLACE_KINDS else f"{item.path}:{item.name}"
