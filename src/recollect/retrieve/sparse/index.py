"""Weighted terms of all chunks, turned around: for each term the chunks that have it, with its weight in each."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from recollect.retrieve.sparse.corpus import Corpus
from recollect.retrieve.sparse.terms import terms_of

Keep = Literal["rare", "mid", "frequent"]


class Vocabulary(Struct, frozen=True, forbid_unknown_fields=True):
    """Which terms count."""

    min_df: int = 1
    max_features: int = 10_000
    keep: Keep = "rare"
    """Which terms stay when there are too many: the rarest, those of middling frequency, or the most frequent."""


def term_frequency(count: int, most: int) -> float:
    """Return a count so damped that a term that occurs at all counts at least half."""
    return 0.5 + 0.5 * count / most


def inverse_frequency(documents: int, having: int) -> float:
    """Return how rare a term is; a term of every document still counts."""
    return math.log((documents + 1) / (having + 1)) + 1.0


def chosen_terms(frequency: Mapping[str, int], documents: int, vocabulary: Vocabulary) -> list[str]:
    """Return the terms that are kept, in an order that does not depend on how they were counted."""
    allowed = [term for term, df in frequency.items() if df >= vocabulary.min_df]
    middle = math.log(max(1.0, math.sqrt(documents)))
    orders = {
        "rare": lambda term: (frequency[term], term),
        "frequent": lambda term: (-frequency[term], term),
        "mid": lambda term: (abs(math.log(frequency[term]) - middle), term),
    }
    return sorted(allowed, key=orders[vocabulary.keep])[: vocabulary.max_features]


class SparseIndex:
    """Finds chunks by the terms that they share with a text."""

    def __init__(self, corpus: Corpus, vocabulary: Vocabulary) -> None:
        self.stale = corpus.stale
        documents = [
            (n, size)
            for file in corpus.files.values()
            for n, size in zip(file.numbers, file.sizes, strict=True)
        ]
        ids = _joined(file.ids for file in corpus.files.values())
        counts = _joined(file.counts for file in corpus.files.values())
        sizes = np.array([size for _, size in documents], dtype=np.int64)
        self._numbers = np.array([number for number, _ in documents], dtype=np.int64)
        rows = np.repeat(np.arange(len(documents)), sizes)
        df = np.bincount(ids, minlength=len(corpus.terms))
        frequency = {term: int(df[place]) for place, term in enumerate(corpus.terms) if df[place]}
        terms = chosen_terms(frequency, len(documents), vocabulary)
        self.idf = {term: inverse_frequency(len(documents), frequency[term]) for term in terms}
        self._arrange(corpus.terms, ids, counts, rows)

    def _arrange(self, terms: Sequence[str], ids: np.ndarray, counts: np.ndarray, rows: np.ndarray) -> None:
        weights = np.array([self.idf.get(term, 0.0) for term in terms])
        most = np.ones(len(self._numbers), dtype=np.int64)
        np.maximum.at(most, rows, counts)
        values = (0.5 + 0.5 * counts / most[rows]) * weights[ids]
        self._norms = np.sqrt(np.bincount(rows, values**2, minlength=len(self._numbers)))
        order = np.argsort(ids, kind="stable")
        self._rows, self._values = rows[order], values[order]
        ends = np.concatenate(([0], np.cumsum(np.bincount(ids, minlength=len(terms)))))
        self._places = {term: place for place, term in enumerate(terms) if term in self.idf}
        self._ends = ends

    def vector(self, text: str) -> dict[str, float]:
        """Return the weighted terms of a text, as far as they are in the vocabulary."""
        counts = Counter(terms_of(text))
        most = max(counts.values(), default=1)
        known = ((term, count) for term, count in counts.items() if term in self.idf)
        return {term: term_frequency(count, most) * self.idf[term] for term, count in known}

    def search(self, text: str, limit: int, normalise: bool = True) -> list[tuple[int, float]]:
        """Return the chunks of highest score with it; a stale index finds nothing."""
        if self.stale:
            return []
        scores = np.zeros(len(self._numbers))
        for term, weight in self.vector(text).items():
            place = self._places[term]
            span = slice(int(self._ends[place]), int(self._ends[place + 1]))
            scores[self._rows[span]] += weight * self._values[span]
        if normalise:
            scores = np.divide(scores, self._norms, out=np.zeros_like(scores), where=self._norms > 0)
        found = np.flatnonzero(scores)
        best = found[np.lexsort((self._numbers[found], -scores[found]))][:limit]
        return [(int(self._numbers[row]), float(scores[row])) for row in best]


def cosine(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """Return how alike two vectors are, from 0 to 1."""
    norms = math.sqrt(sum(w * w for w in left.values())) * math.sqrt(sum(w * w for w in right.values()))
    return sum(weight * right.get(term, 0.0) for term, weight in left.items()) / norms if norms else 0.0


def _joined(parts: Iterable[bytes]) -> np.ndarray:
    return np.frombuffer(b"".join(parts), dtype=np.int32).astype(np.int64)
