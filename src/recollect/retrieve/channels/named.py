"""Memories that name what the question names, and those that name what is often named together with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.chosen import best, how_many, places
from recollect.retrieve.recall.columns import Columns, nothing
from recollect.retrieve.stage import Stage
from recollect.store.memories import SORTS
from recollect.store.shelf import Column
from recollect.store.view import Cut, MemoryView

MOST_WORDS = 6
"""Longer names are not looked for in questions."""


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Which names count, what a step from one to another leaves of the score, and how many are brought."""

    kinds: tuple[str, ...] = ("person", "path", "symbol", "tool", "project", "url")
    step: float = 0.5
    limit: int = 10
    times: int = 0


class Names(NamedTuple):
    """Who names what, as two sorted lists of the same pairs."""

    labels: dict[tuple[str, ...], list[int]]
    """The numbers of every name, by its words."""
    entities: Column
    memories: Column
    by_memory: Column
    """The order of the pairs by memory."""

    def naming(self, entity: int) -> Column:
        """Return the numbers of the memories that name an entity."""
        low, high = np.searchsorted(self.entities, [entity, entity + 1])
        found: Column = self.memories[low:high]
        return found

    def named_by(self, memories: Column) -> Column:
        """Return what some memories name, each as often as they do."""
        sorted_memories = self.memories[self.by_memory]
        at = np.flatnonzero(np.isin(sorted_memories, memories))
        found: Column = self.entities[self.by_memory[at]]
        return found


def run(context: Context, parameters: Parameters) -> Columns:
    """Score memories by the names that they share with the question, one step further included."""
    question = asked(context)
    view = question.view
    names = view.postings.once(("names", parameters.kinds), lambda: _names(view, parameters.kinds))
    found = in_question(view.cut(context.query.text), names)
    scores: dict[int, float] = defaultdict(float)
    for entity in found:
        for memory, score in around(names, entity, parameters.step).items():
            scores[memory] += score
    if not scores:
        return nothing(question.shelf)
    rows, there = places(question.shelf, np.fromiter(scores, np.int64, len(scores)))
    values = np.fromiter(scores.values(), np.float64, len(scores))[there]
    limit = how_many(context, parameters.limit, parameters.times)
    return best(question.shelf, rows, values, limit, view.allowed, "it names what the question names")


def in_question(words: Sequence[str], names: Names) -> list[int]:
    """Return the numbers of the names that stand in a question, the longest first; a word belongs to one of them."""
    found: list[int] = []
    taken = [False] * len(words)
    for size in range(min(MOST_WORDS, len(words)), 0, -1):
        for at in range(len(words) - size + 1):
            labels = names.labels.get(tuple(words[at : at + size]))
            if labels and not any(taken[at : at + size]):
                found += labels
                taken[at : at + size] = [True] * size
    return list(dict.fromkeys(found))


def around(names: Names, entity: int, step: float) -> dict[int, float]:
    """Return 1 for who names an entity, and less for who names another one that is named together with it."""
    own = names.naming(entity)
    others, together = np.unique(names.named_by(own), return_counts=True)
    scores: dict[int, float] = {}
    for other, count in zip(others.tolist(), together.tolist(), strict=True):
        if other == entity:
            continue
        theirs = names.naming(other)
        strength = min(1.0, count / float(np.sqrt(len(own) * len(theirs))))
        for memory in theirs.tolist():
            scores[memory] = max(scores.get(memory, 0.0), step * strength)
    return {**scores, **dict.fromkeys(own.tolist(), 1.0)}


def _names(view: MemoryView, kinds: Iterable[str]) -> Names:
    sorts = {SORTS.index(f"entity:{kind}") for kind in kinds}
    pairs = [(entity, memory) for memory, entity, sort in view.reader.all_mentions() if sort in sorts]
    table = np.array(sorted(pairs), np.int64).reshape(-1, 2)
    labels: dict[tuple[str, ...], list[int]] = {}
    for kind in kinds:
        for name, number in view.reader.labels(f"entity:{kind}").items():
            if words := _words(name, view.cut):
                labels.setdefault(words, []).append(number)
    return Names(labels, table[:, 0], table[:, 1], np.argsort(table[:, 1], kind="stable"))


def _words(name: str, cut: Cut) -> tuple[str, ...]:
    words = tuple(cut(name))
    return words if len(words) <= MOST_WORDS else ()


STAGE = Stage("named", "channel", Parameters, run)
