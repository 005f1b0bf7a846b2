"""Turns answers about one file into the record that is kept of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from recollect.evidence.places import Places, outside_name
from recollect.evidence.questions import Question
from recollect.facts import FileFacts
from recollect.store.ids import uid_of
from recollect.store.resolved import ANSWER, EDGE, Resolved, name_key, shape_of
from recollect.types import EDGE_TYPES, PROVENANCES, TYPE_KINDS, Item

_FIELDS = frozenset({"field", "property", "constant", "variable", "enum_member"})
_MOST_TARGETS = 8


class Target(NamedTuple):
    """Where a question led: a place, and the name that stands there when it is known."""

    place: Path
    line: int
    """1-based."""
    name: str
    outside: str = ""
    """The name of a symbol outside the repository, where a tool gives it."""


class Record(NamedTuple):
    """What is kept of a file, with how much of it was answered."""

    resolved: Resolved
    answered: int


def record(
    path: str,
    facts: FileFacts,
    places: Places,
    replies: Sequence[tuple[Question, Sequence[Target] | None]],
    provenance: str,
) -> Record:
    """Return what the answers about a file say."""
    making = _Making(path, facts, places)
    whole: dict[tuple[int, str], bool] = {}
    answered = 0
    for question, targets in replies:
        source = making.source(question.symbol)
        if source is None:
            continue
        told = bool(targets) and not making.leads_nowhere(question, targets or ())
        answered += told
        if question.method == "definition":
            key = (uid_of(source.id), question.name)
            whole[key] = whole.get(key, True) and told
        if told:
            making.add(question, source, targets or ())
    answers = np.array([(uid, name_key(name)) for (uid, name), all_ in whole.items() if all_], ANSWER)
    return Record(Resolved(making.edges(provenance), answers, making.outside()), answered)


class _Making:
    """The edges of one file while they are gathered."""

    def __init__(self, path: str, facts: FileFacts, places: Places) -> None:
        self._path = path
        self._places = places
        self._file = places.file(path)
        self._by_span = {(item.start_byte, item.end_byte, item.name): item for item in places.items(path)}
        self._facts = facts
        self._rows: dict[tuple[int, int, str], tuple[Item, Item | None, int, int]] = {}
        self._outside: dict[int, str] = {}

    def source(self, symbol: int) -> Item | None:
        """Return the item of a symbol of the file, or the file's own."""
        if symbol < 0:
            return self._file
        known = self._facts.symbols[symbol]
        return self._by_span.get((known.start_byte, known.end_byte, known.qualified))

    def leads_nowhere(self, question: Question, targets: Sequence[Target]) -> bool:
        """Say whether a name was only found where it stands."""
        return all(
            target.line == question.line
            and self._places.inside(target.place) == self._path
            and self._places.defined(self._path, target.line, target.name) is None
            for target in targets
        )

    def add(self, question: Question, source: Item, targets: Sequence[Target]) -> None:
        """Add an edge to everything that a question led to."""
        for target in targets[:_MOST_TARGETS]:
            inner = None if target.outside else self._places.inside(target.place)
            if inner is None:
                self._add_outside(question, source, target)
                continue
            item = self._places.defined(inner, target.line, target.name)
            if item is None:
                continue
            if question.method == "implementation":
                self._put(item, source, "implements", question)
            else:
                self._put(source, self._called(question, item), _edge(question.edge, item), question)

    def edges(self, provenance: str) -> np.ndarray:
        """Return the edges in a fixed order."""
        how = PROVENANCES.index(provenance)
        rows = [
            (
                begin, end, shape_of(source.kind, source.signature) if source.path != self._path else 0,
                shape_of(target.kind, target.signature) if target is not None else 0,
                line, EDGE_TYPES.index(edge), min(255, count), target is None, how,
            )
            for (begin, end, edge), (source, target, line, count) in sorted(self._rows.items(), key=lambda row: row[0])
        ]  # fmt: skip
        return np.array(rows, EDGE)

    def outside(self) -> tuple[tuple[int, str], ...]:
        """Return what is used of the world outside."""
        return tuple(sorted(self._outside.items()))

    def _add_outside(self, question: Question, source: Item, target: Target) -> None:
        named = (target.outside and outside_name(Path(), target.outside)) or outside_name(
            target.place, target.name or question.name
        )
        self._outside[named[0]] = named[1]
        self._put(source, None, question.edge, question, named[0])

    def _called(self, question: Question, item: Item) -> Item:
        if question.edge != "calls":
            return item
        return self._places.constructor(item) or item

    def _put(
        self, source: Item, target: Item | None, edge: str, question: Question, outside: int = 0
    ) -> None:
        end = outside if target is None else uid_of(target.id)
        begin = uid_of(source.id)
        if begin == end and edge != "calls":
            return
        _, _, line, count = self._rows.get((begin, end, edge), (None, None, question.line, 0))
        self._rows[begin, end, edge] = (source, target, min(line, question.line), count + question.times)


def _edge(asked: str, target: Item) -> str:
    """Return the type of an edge by what was asked and what was found."""
    if asked == "accesses_field" and target.kind not in _FIELDS:
        return "references"
    if asked == "type_hint_of" and target.kind not in TYPE_KINDS:
        return "references"
    return asked


def totals(provenances: Iterable[int]) -> Mapping[str, int]:
    """Return how many edges there are of each provenance."""
    counts = np.bincount(np.asarray(list(provenances), np.int64), minlength=len(PROVENANCES))
    return {name: int(count) for name, count in zip(PROVENANCES, counts.tolist(), strict=True) if count}
