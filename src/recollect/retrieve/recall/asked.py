"""What the stages that rank memories look at: the question as it was read, and the shelf that it is asked of."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from recollect.errors import UsageError
from recollect.retrieve.context import Context
from recollect.retrieve.recall.bm25 import (
    Bm25,
    Find,
    Weighted,
    item_scores,
    postings_of,
    session_scores,
    share,
)
from recollect.retrieve.recall.question import Question, names_of, read
from recollect.store.shelf import WINDOWS, Column, Shelf
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
    occurrences = view.reader.occurrences
    return Asked(view, question, authors, lambda word: view.postings.of(word, occurrences))


def _pool(context: Context, bm25: Bm25, most: int) -> Column:
    own, sessions = said(context, bm25)
    question = asked(context)
    shelf, allowed = question.shelf, question.view.allowed
    found = _best(shelf, own, sessions[shelf.session_of], allowed, most)
    if len(found) or not question.authors:
        return found
    # The question asks for nothing but what some authors said.
    by_them = np.isin(shelf.column("author"), question.authors)
    return np.flatnonzero(by_them if allowed is None else by_them & allowed)


def _best(shelf: Shelf, own: Column, sessions: Column, allowed: Column | None, most: int) -> Column:
    """Return the best by a rough score and their neighbours, as far as they are allowed."""
    low, high, _, _ = shelf.windows["wide"]
    rough = share(own) + 0.5 * share(sessions)
    # Half of a neighbour's score lets an answer in that only its neighbours lead to.
    said_so = np.flatnonzero(own)
    half = 0.5 * own[said_so] / own.max(initial=1e-9)
    for step, ends in ((1, shelf.last), (-1, shelf.first)):
        inside = said_so != ends[said_so]
        rough[said_so[inside] + step] += half[inside]
    if allowed is not None:
        rough = np.where(allowed, rough, 0.0)
    found = np.flatnonzero(rough)
    if len(found) > most:
        found = found[np.argpartition(-rough[found], most)[:most]]
        steps = np.arange(-WINDOWS["wide"][0], WINDOWS["wide"][1] + 1)
        near = found[:, None] + steps
        near = near[(near >= low[found][:, None]) & (near < high[found][:, None])]
        found = np.unique(near)
        if allowed is not None:
            found = found[allowed[found]]
    return found


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
