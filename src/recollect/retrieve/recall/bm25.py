"""Scores memories by their words: each by itself, with its neighbours, and its session as a whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import log

import numpy as np
from msgspec import Struct

from recollect.store.memories import ASKS
from recollect.store.postings import Posting
from recollect.store.shelf import WINDOWS, Column, Shelf

Find = Callable[[str], Posting]
Weighted = list[tuple[Posting, float]]
MOST_TERMS = 64
"""A longer question is cut to the rarest of its words that any memory has."""


class Bm25(Struct, frozen=True):
    """The two constants of BM25."""

    saturation: float = 0.9
    """k1."""
    normalisation: float = 0.4
    """b."""


def item_scores(shelf: Shelf, postings: Weighted, bm25: Bm25) -> Column:
    """Return the BM25 score of every memory by itself."""
    scores = np.zeros(len(shelf))
    for (rows, counts, *_), weight in postings:
        gain = weight * _rarity(len(shelf), len(rows)) * (bm25.saturation + 1)
        scores[rows] += gain * counts / (counts + _scale(shelf.words[rows], shelf.mean_words, bm25))
    return scores


def rarity_of(shelf: Shelf, posting: Posting) -> float:
    """Return how much the presence of a word tells."""
    return _rarity(len(shelf), len(posting.rows))


def coverage(shelf: Shelf, terms: Mapping[str, float], find: Find, rows: Column) -> tuple[Column, Column]:
    """Return which share of the question memories hold, with their neighbours and by themselves."""
    near, own, all_of_it = np.zeros(len(rows)), np.zeros(len(rows)), 0.0
    low, high, _, _ = shelf.windows["around"]
    low, high = low[rows], high[rows]
    for posting, _ in postings_of(terms, find):
        rarity = rarity_of(shelf, posting)
        all_of_it += rarity
        near += rarity * (_count(posting, low, high) > 0)
        own += rarity * (_count(posting, rows, rows + 1) > 0)
    whole = all_of_it or 1.0
    return near / whole, own / whole


def postings_of(terms: Mapping[str, float], find: Find) -> Weighted:
    """Return where words stand; of very many only the rarest."""
    found = [(find(term), weight) for term, weight in terms.items()]
    if len(found) > MOST_TERMS:
        known = [pair for pair in found if len(pair[0].rows)]
        found = sorted(known, key=lambda pair: len(pair[0].rows))[:MOST_TERMS]
    return found


def window_scores(shelf: Shelf, name: str, rows: Column, postings: Weighted, bm25: Bm25) -> Column:
    """Return the BM25 score of some memories together with their neighbours."""
    window = shelf.windows[name]
    low, high = window.low[rows], window.high[rows]
    before, after = WINDOWS[name]
    scale = _scale(window.words[rows], window.mean, bm25)
    scores = np.zeros(len(rows))
    for posting, weight in postings:
        counts = _count(posting, low, high)
        rarity = _rarity(len(shelf), _spread(shelf, posting, after, before))
        scores += weight * rarity * counts * (bm25.saturation + 1) / (counts + scale)
    return scores


def session_scores(shelf: Shelf, postings: Weighted, bm25: Bm25) -> Column:
    """Return the BM25 score of every session."""
    many = len(shelf.session_words)
    words = shelf.session_words
    scale = _scale(words, float(words.mean()) if many else 1.0, bm25)
    scores = np.zeros(many)
    for (rows, counts, *_), weight in postings:
        if not len(rows):
            continue
        found = np.bincount(shelf.session_of[rows], weights=counts, minlength=many)
        rarity = _rarity(many, int(np.count_nonzero(found)))
        scores += weight * rarity * found * (bm25.saturation + 1) / (found + scale)
    return scores


def follows_question(shelf: Shelf, rows: Column) -> Column:
    """Tell which memories come right after one of the same session in which somebody else asks something."""
    before = np.maximum(rows - 1, shelf.first[rows])
    author = shelf.column("author")
    other = (author[before] != author[rows]) | (author[rows] < 0)
    found: Column = ((shelf.column("signs")[before] & ASKS) > 0) & other & (before < rows)
    return found


def _count(posting: Posting, low: Column, high: Column) -> Column:
    """Return how often a word stands in each run of rows."""
    rows, totals = posting.rows, posting.totals
    found: Column = totals[np.searchsorted(rows, high)] - totals[np.searchsorted(rows, low)]
    return found


def _spread(shelf: Shelf, posting: Posting, before: int, after: int) -> int:
    """Return how many windows hold one of the rows of a word, counted once for a shelf."""
    known = posting.spreads.get((before, after))
    if known is not None or not len(posting.rows):
        return known or 0
    rows = posting.rows
    low = np.maximum(rows - before, shelf.first[rows])
    high = np.minimum(rows + after, shelf.last[rows])
    low[1:] = np.maximum(low[1:], np.maximum.accumulate(high)[:-1] + 1)
    posting.spreads[before, after] = found = int(np.maximum(high - low + 1, 0).sum())
    return found


def _rarity(many: int, holding: int) -> float:
    return log(1.0 + (many - holding + 0.5) / (holding + 0.5))


def _scale(words: Column, mean: float, bm25: Bm25) -> Column:
    part = bm25.normalisation / max(mean, 1.0)
    scaled: Column = bm25.saturation * (1.0 - bm25.normalisation + part * words)
    return scaled


def share(scores: Column) -> Column:
    """Return scores as shares of the greatest one."""
    greatest = scores.max(initial=0.0)
    return scores / greatest if greatest > 0 else scores
