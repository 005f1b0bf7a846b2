"""Says which tests exercise which symbols: by what they call, and by the names of tests and test files."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import combinations

from recollect.graph.edges import SURE, Edges
from recollect.graph.keys import folder_of
from recollect.graph.names import FileNames
from recollect.graph.shape import HOLDER_KINDS
from recollect.graph.things import visible
from recollect.ports import Definition, FileRecord
from recollect.types import CALLABLE_KINDS

_TOGETHER = 6
"""How many symbols of one test are paired with each other."""
_PAIRS = 150
_NAMED = re.compile(
    r"^(?:tests?_+|Test_?|it_|should_)(?P<name>\w+)$|^(?P<base>\w+?)_?(?:Tests?|Spec|_test|_spec)$"
)
_FILE = re.compile(
    r"^(?:test_(?P<a>.+)|(?P<b>.+?)(?:[._-](?:test|spec|tests|e2e)|Tests?|Spec|IT|_unittest))$"
)


def add_tests(names: FileNames, edges: Edges) -> None:
    """Add tests, tested_by and co_tested_with."""
    facts = names.view.facts
    if not facts.test and not any(symbol.test for symbol in facts.symbols):
        return
    exercised: dict[int, dict[int, Definition]] = {}
    for symbol, line, found, confidence in names.called:
        if symbol < 0 or not (facts.test or facts.symbols[symbol].test) or len(found) != 1:
            continue
        target = found[0]
        if not target.test:
            known = ("resolved" if confidence >= SURE else "inferred", confidence)
            _add(edges, names.number(symbol), target.number, known, line)
            if confidence >= SURE:
                exercised.setdefault(_outermost_test(names, symbol), {}).setdefault(target.number, target)
    _add_pairs(edges, exercised)
    _add_by_name(names, edges)
    if facts.test:
        for record in _tested_file(names):
            _add(edges, names.view.number, record.number, ("convention", 70), 0)


def _add(edges: Edges, test: int, subject: int, known: tuple[str, int], line: int) -> None:
    edges.add(test, subject, "tests", known, line)
    edges.add(subject, test, "tested_by", known)


def _outermost_test(names: FileNames, symbol: int) -> int:
    symbols = names.view.facts.symbols
    while symbols[symbol].parent >= 0 and symbols[symbols[symbol].parent].kind in CALLABLE_KINDS:
        symbol = symbols[symbol].parent
    return symbol


def _add_pairs(edges: Edges, exercised: dict[int, dict[int, Definition]]) -> None:
    added = 0
    for _, subjects in sorted(exercised.items()):
        chosen = list(subjects.values())[:_TOGETHER]
        for one, other in combinations(
            sorted(chosen, key=lambda row: (row.path, row.qualified, row.number)), 2
        ):
            if added >= _PAIRS:
                return
            edges.add(one.number, other.number, "co_tested_with", ("inferred", 70))
            added += 1


def _add_by_name(names: FileNames, edges: Edges) -> None:
    for index, symbol in enumerate(names.view.facts.symbols):
        if not symbol.test or symbol.kind == "field":
            continue
        found = next(
            (rows for name in _subjects(symbol.name) if (rows := _reachable(names, name, index))), ()
        )
        if len(found) == 1 and not found[0].test:
            _add(edges, names.number(index), found[0].number, ("convention", 80), symbol.start_line)


def _subjects(test: str) -> Iterator[str]:
    match = _NAMED.match(test)
    name = match and (match["name"] or match["base"])
    if name:
        yield name
        yield name[0].lower() + name[1:]


def _reachable(names: FileNames, name: str, index: int) -> list[Definition]:
    """Return what a test's subject is among the names that its file can see."""
    things = names.outside(name, index).things
    if not things:
        entry = names.scope.named(name, names.rules.family)
        things = visible(entry, names.rules, names.view.path, names.view.facts.package)
    wanted = CALLABLE_KINDS | HOLDER_KINDS
    return [row for row in things if isinstance(row, Definition) and row.kind in wanted]


def _tested_file(names: FileNames) -> list[FileRecord]:
    """Return the file whose name the test file's name is made from, when exactly one is nearest."""
    stem, suffix = posixpath.splitext(posixpath.basename(names.view.path))
    match = _FILE.match(stem)
    if match is None:
        return []
    subject = match["a"] or match["b"]
    records = [row for row in names.scope.files_named(subject) if not row.test and row.path.endswith(suffix)]
    beside = [row for row in records if folder_of(row.path) == folder_of(names.view.path)]
    chosen = beside or records
    return chosen if len(chosen) == 1 else []
