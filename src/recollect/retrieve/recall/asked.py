"""What the stages that rank memories look at: the question as it was read, and the shelf that it is asked of."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from recollect.errors import UsageError
from recollect.retrieve.context import Context
from recollect.retrieve.recall.bm25 import (
    Bm25,
    Find,
    Near,
    Weighted,
    item_scores,
    near_of,
    postings_of,
    session_scores,
)
from recollect.retrieve.recall.question import Question, names_of, read
from recollect.store.shelf import Column, Shelf
from recollect.store.view import MemoryView

SERVICE = "memories"
MET = "met"
"""Under this name a run keeps the numbers of what meets the expression that was asked."""
KNOWN_AUTHORS = 10_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what its parts are looked up in."""

    view: MemoryView
    question: Question
    authors: tuple[int, ...]
    """The labels of the authors that it names."""
    find: Find

    @property
    def shelf(self) -> Shelf:
        """Return all memories as columns."""
        return self.view.shelf

    @property
    def postings(self) -> Weighted:
        """Return where the words of the question stand."""
        return postings_of(self.question.terms, self.find)


def asked(context: Context) -> Asked:
    """Return the question of a run, read once."""
    made: Asked = context.once(SERVICE, lambda: _read(context))
    return made


def said(context: Context, bm25: Bm25) -> tuple[Column, Column]:
    """Return the scores of every memory by its own words and of every session, computed once."""
    own = asked(context)
    return context.once(
        ("said", bm25),
        lambda: (item_scores(own.shelf, own.postings, bm25), session_scores(own.shelf, own.postings, bm25)),
    )


def near(context: Context, bm25: Bm25, most: int) -> Near:
    """Return what stands around the rows that may be the answer, looked up once for all channels."""
    own = asked(context)
    return context.once(
        ("near", bm25, most), lambda: near_of(own.shelf, pool(context, bm25, most), own.postings)
    )


def pool(context: Context, bm25: Bm25, most: int) -> Column:
    """Return the rows that may be the answer, in rising order, found once for all channels."""
    return context.once(("pool", bm25, most), lambda: _pool(context, bm25, most))


def _read(context: Context) -> Asked:
    view: MemoryView | None = context.services.get(SERVICE)
    if view is None:
        raise UsageError(
            "This profile has stages for memories, so it cannot rank code; take the profile code or one like it."
        )
    labels = view.postings.authors
    if labels is None:
        labels = view.postings.authors = view.reader.labels("author")
    known = context.snapshot.memo("authors", lambda: _Names(view))
    question = read(context.query.text, view.stem, view.cut, lambda: known.of(labels))
    authors = tuple(labels[name] for name in question.authors)
    view.postings.gather(question.terms, view.reader.all_occurrences)
    occurrences = view.reader.occurrences
    return Asked(view, question, authors, lambda word: view.postings.of(word, occurrences))


def _pool(context: Context, bm25: Bm25, most: int) -> Column:
    own, sessions = said(context, bm25)
    question = asked(context)
    shelf, allowed = question.shelf, question.view.allowed
    found = _best(shelf, own, sessions, allowed, most)
    if len(found) or not question.authors:
        return found
    # The question asks for nothing but what some authors said.
    by_them = said_by(shelf, question.authors)
    return np.flatnonzero(by_them if allowed is None else by_them & allowed)


def said_by(shelf: Shelf, authors: Sequence[int]) -> Column:
    """Tell which memories are of some authors."""
    author, found = shelf.column("author"), np.zeros(len(shelf), bool)
    for one in authors:
        found |= author == one
    return found


def _best(shelf: Shelf, own: Column, sessions: Column, allowed: Column | None, most: int) -> Column:
    """Return the best by a rough score and their neighbours, as far as they are allowed."""
    rows, rough = _rough(shelf, own, sessions, most)
    if allowed is not None:
        may = allowed[rows]
        rows, rough = rows[may], rough[may]
    if len(rows) > most:
        rows = rows[np.argpartition(-rough, most)[:most]]
        near = shelf.near(rows)
        rows = np.unique(near[near >= 0])
        if allowed is not None:
            rows = rows[allowed[rows]]
    return rows


def _rough(shelf: Shelf, own: Column, sessions: Column, most: int) -> tuple[Column, Column]:
    """Return, in rising order, the memories that may be among the best with a rough score of each."""
    said = np.flatnonzero(own > 0)
    before, _, after = shelf.near(said, 1)
    rough, half = own.copy(), 0.5 * own[said]
    # Half of a neighbour's score lets an answer in that only its neighbours lead to.
    for led in (before, after):
        inside = led >= 0
        rough[led[inside]] += half[inside]
    rough /= own.max(initial=1e-9)
    of, share_of = shelf.column("session_of"), 0.5 / max(sessions.max(initial=0.0), 1e-9)
    rows = np.flatnonzero((rough > 0) | (sessions[of] > 0) if len(said) <= most else rough > 0)
    return rows, rough[rows] + share_of * sessions[of[rows]]


class _Names:
    """The words by which each author that was met may be named."""

    def __init__(self, view: MemoryView) -> None:
        self._cut = view.cut
        self._known: OrderedDict[str, frozenset[str]] = OrderedDict()

    def of(self, authors: Mapping[str, int]) -> Mapping[str, frozenset[str]]:
        for author in authors:
            if author not in self._known:
                self._known[author] = names_of(author, self._cut)
        return {author: self._known[author] for author in authors}
