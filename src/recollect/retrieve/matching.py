"""What of a question is said where: how rare each of its words is, and which items say it how strongly."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from recollect.retrieve import fts
from recollect.retrieve.catalogue import Catalogue
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
    found = [matches_of(context, table.name, table.weights, term, context.query.filters) for term in terms]
    # All matches of a term are laid out by number, read where they are asked for, and taken away again.
    last = max((int(held[-1]) for held, _ in found if len(held)), default=0)
    laid = np.zeros(max(last, int(numbers.max(initial=0))) + 1)
    scores = np.zeros((len(terms), len(numbers)))
    rarity = np.zeros(len(terms))
    total = _total(context, table.counted)
    for column, (held, values) in enumerate(found):
        if not len(held):
            continue
        rarity[column] = math.log1p(total / len(held))
        laid[held] = values
        scores[column] = laid[numbers]
        laid[held] = 0.0
    all_of_it = rarity.sum()
    return Said(scores.T, rarity / all_of_it if all_of_it else rarity)


def _total(context: Context, counted: str) -> int:
    return max(1, context.snapshot.memo("counts", context.reader.counts).get(counted, 1))


class Meant(NamedTuple):
    """What the names of a catalogue mean of a question."""

    catalogue: Catalogue
    words: np.ndarray
    """For every word of a name, which words of the question it means, as bits."""

    def of(self, names: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return for names which words of the question they mean, and what share of theirs means any."""
        starts = self.catalogue.name_starts[names].astype(np.int64)
        counts = self.catalogue.name_starts[names + 1] - starts
        bits, hits = np.zeros(len(names), np.uint64), np.zeros(len(names))
        filled = np.flatnonzero(counts)
        if len(filled):
            before = np.cumsum(counts) - counts
            flat = np.repeat(starts - before, counts) + np.arange(counts.sum())
            words = self.words[self.catalogue.name_words[flat]]
            bits[filled] = np.bitwise_or.reduceat(words, before[filled])
            hits[filled] = np.add.reduceat(words > 0, before[filled], dtype=np.float64)
        return bits, hits / np.maximum(counts, 1)


def asked_of(context: Context) -> tuple[Asked, Meant]:
    """Return the words of the question and what the names of the catalogue mean of them, once for a run."""

    def made() -> tuple[Asked, Meant]:
        asked = Asked(context)
        return asked, asked.of_names(context.catalogue)

    return context.once("asked", made)


class Asked:
    """The words of a question, how rare each is, and which of them other words mean."""

    def __init__(self, context: Context) -> None:
        self.words = asked_words(context.query)
        rare = np.array([_rarity(context, words) for words in self.words])
        total = float(rare.sum())
        self._shares = (rare / total).tolist()

    def of_names(self, catalogue: Catalogue) -> Meant:
        """Return what the names of the catalogue mean of the question."""
        return Meant(catalogue, self._of_words(catalogue.words))

    def _of_words(self, words: Sequence[str]) -> np.ndarray:
        """Return as bits which words of the question each of these is, begins or is begun by; they are sorted."""
        bits = np.zeros(len(words), np.uint64)
        for place, forms in enumerate(self.words):
            bit = np.uint64(1 << place)
            for form in forms:
                if len(form) >= SHORTEST_STEM:
                    first, after = bisect_left(words, form), bisect_left(words, f"{form}\U0010ffff")
                    bits[first:after] |= bit
                for short in [form, *(form[:size] for size in range(SHORTEST_STEM, len(form)))]:
                    at = bisect_left(words, short)
                    if at < len(words) and words[at] == short:
                        bits[at] |= bit
        return bits

    def shares(self, bits: np.ndarray) -> np.ndarray:
        """Return what share of the question each of some sets of its words is, each counting the same."""
        found: np.ndarray = np.bitwise_count(bits) / (len(self.words) or 1)
        return found

    def weights(self, bits: np.ndarray) -> np.ndarray:
        """Return what share of the question each of some sets of its words is, rare ones counting more."""
        total = np.zeros(len(bits))
        for place, share in enumerate(self._shares):
            total += np.where(bits & np.uint64(1 << place), share, 0.0)
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
