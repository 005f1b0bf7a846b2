"""What of a question is said where: how rare each of its words is, and which items say it how strongly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from recollect.retrieve import fts
from recollect.retrieve.context import Context
from recollect.retrieve.scores import matches_of
from recollect.retrieve.terms import names_in, terms_of
from recollect.retrieve.values import Query
from recollect.retrieve.words import split_identifier

SHORTEST_STEM = 3


class Table(NamedTuple):
    """A full-text table and what its columns count."""

    name: str
    weights: tuple[float, ...]
    counted: str
    """How the store counts what is in it."""


CHUNKS = Table("text_chunk", (2.0, 1.0), "chunks")
SYMBOLS = Table("text_symbol", (10.0, 5.0, 3.0, 1.0, 4.0, 3.0), "symbols")


class Said(NamedTuple):
    """How strongly each item (a row) says each term of the question (a column), and how telling each term is."""

    scores: np.ndarray
    rarity: np.ndarray
    """Shares that add up to 1, or zeros when no term is known."""

    def coverage(self) -> np.ndarray:
        """Return for every row what share of the question it says, rare terms counting more."""
        shares: np.ndarray = (self.scores > 0) @ self.rarity
        return shares


def said(context: Context, table: Table, numbers: np.ndarray) -> Said:
    """Look up the terms of the question in one table for the items of these numbers."""
    terms = fts.word_terms(terms_of(context.query))
    scores = np.zeros((len(numbers), len(terms)))
    rarity = np.zeros(len(terms))
    total = _total(context, table.counted)
    for column, term in enumerate(terms):
        held, values = matches_of(context, table.name, table.weights, term, context.query.filters)
        if not len(held):
            continue
        rarity[column] = math.log1p(total / len(held))
        at = np.minimum(np.searchsorted(held, numbers), len(held) - 1)
        scores[:, column] = np.where(held[at] == numbers, values[at], 0.0)
    all_of_it = rarity.sum()
    return Said(scores, rarity / all_of_it if all_of_it else rarity)


def _total(context: Context, counted: str) -> int:
    return max(1, context.snapshot.memo("counts", context.reader.counts).get(counted, 1))


class Asked:
    """The words of a question, how rare each is, and which of them another word means."""

    def __init__(self, context: Context) -> None:
        self.words = asked_words(context.query)
        self._known: dict[str, int] = {}
        self._beginning: dict[str, list[tuple[str, int]]] = {}
        for place, forms in enumerate(self.words):
            for form in forms:
                self._beginning.setdefault(form[:SHORTEST_STEM], []).append((form, 1 << place))
        rare = np.array([_rarity(context, words) for words in self.words])
        total = float(rare.sum())
        self._shares = (rare / total).tolist()

    def meant_by(self, word: str) -> int:
        """Return which words of the question a word is, begins or is begun by, as bits."""
        bits = self._known.get(word)
        if bits is None:
            bits = 0
            for form, bit in self._beginning.get(word[:SHORTEST_STEM], ()):
                short, long = (word, form) if len(word) <= len(form) else (form, word)
                if short == long or (len(short) >= SHORTEST_STEM and long.startswith(short)):
                    bits |= bit
            self._known[word] = bits
        return bits

    def meant(self, words: Iterable[str]) -> tuple[int, float]:
        """Return which words of the question some words mean together, and what share of those words means any."""
        bits = count = hits = 0
        for word in words:
            found = self.meant_by(word)
            bits |= found
            count += 1
            hits += found > 0
        return bits, (hits / count if count else 0.0)

    def share(self, bits: int) -> float:
        """Return what share of the question some of its words are, each counting the same."""
        return bits.bit_count() / (len(self.words) or 1)

    def weight(self, bits: int) -> float:
        """Return what share of the question some of its words are, rare ones counting more."""
        total = 0.0
        while bits:
            low = bits & -bits
            total += self._shares[low.bit_length() - 1]
            bits ^= low
        return total


def asked_words(query: Query) -> list[tuple[str, ...]]:
    """Return every word of the question in lower case, each with its parts."""
    return [
        tuple(dict.fromkeys((name.lower(), *(part.lower() for part in split_identifier(name)))))
        for name in names_in(query)
    ]


def _rarity(context: Context, words: Sequence[str]) -> float:
    counts = [
        len(matches_of(context, CHUNKS.name, CHUNKS.weights, term, context.query.filters)[0])
        for term in fts.word_terms(words)
    ]
    found = [count for count in counts if count]
    return math.log1p(_total(context, CHUNKS.counted) / min(found)) if found else 1.0
