"""Full-text scores of single words, kept for a generation: common words are dear to look up, and come again."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from recollect.ports import Filters
from recollect.retrieve.context import Context
from recollect.retrieve.outside import Statistics, share

KEPT_ROWS = 4_000_000
"""How many scores are kept in all; a million take 16 MB."""

Matches = tuple[np.ndarray, np.ndarray]


class Kept:
    """The matches of words that were looked up before."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._rows = 0
        self._matches: dict[object, Matches] = {}

    def get(self, key: object) -> Matches | None:
        """Return what is kept under a key."""
        return self._matches.get(key)

    def put(self, key: object, matches: Matches) -> None:
        """Keep matches; when there are too many, all others are let go."""
        with self._guard:
            if self._rows + len(matches[0]) > KEPT_ROWS:
                self._matches, self._rows = {}, 0
            self._matches[key] = matches
            self._rows += len(matches[0])


def best_of(
    context: Context,
    table: str,
    weights: Sequence[float],
    terms: Sequence[str],
    limit: int,
    outside: Statistics | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the best items for any of the terms and their scores; equal scores go by path, line and id.

    With `outside` its names count in the rarity of each word.
    """
    found = [matches_of(context, table, tuple(weights), term, context.query.filters) for term in terms]
    if outside is not None and outside.names:
        texts = int(context.reader.counts().get("symbols", 0))
        found = [
            (held, values * share(outside, term, texts, _holding(context, table, tuple(weights), term)))
            for term, (held, values) in zip(terms, found, strict=True)
        ]
    size = max((int(held[-1]) + 1 for held, _ in found if len(held)), default=0)
    sums = np.zeros(size)
    for held, values in found:
        # Added in the order of the terms, as full text itself would do it.
        sums[held] += values
    numbers = np.flatnonzero(sums)
    scores = sums[numbers]
    if len(numbers) > limit:
        kept = scores >= np.partition(scores, len(scores) - limit)[len(scores) - limit]
        numbers, scores = numbers[kept], scores[kept]
    catalogue = context.catalogue
    rows, known = catalogue.rows_of(numbers)
    rows, numbers, scores = rows[known], numbers[known], scores[known]
    by = (catalogue.order[rows], catalogue.starts[rows], catalogue.files[rows], -scores)
    best = np.lexsort(by)[:limit]
    return numbers[best], scores[best]


def _holding(context: Context, table: str, weights: tuple[float, ...], term: str) -> int:
    """Return how many texts have a word, whatever the question leaves out."""
    return len(matches_of(context, table, weights, term, Filters())[0])


def matches_of(
    context: Context, table: str, weights: tuple[float, ...], term: str, filters: Filters
) -> Matches:
    """Return the numbers of the items that a term matches, rising, and their scores."""
    kept = context.snapshot.memo("scores", Kept)
    if filters.metadata:
        return context.reader.matches(table, term, weights, filters)
    chosen = (filters.languages, filters.kinds, filters.path_prefixes, filters.include_tests)
    key = (table, weights, term, chosen)
    matches = kept.get(key)
    if matches is None:
        matches = context.reader.matches(table, term, weights, filters)
        kept.put(key, matches)
    return matches
