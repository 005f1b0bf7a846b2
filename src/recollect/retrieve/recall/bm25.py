"""Scores memories by their words: each by itself, with its neighbours, and its session as a whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log

import numpy as np
from msgspec import Struct

from recollect.store.memories import ASKS
from recollect.store.postings import Posting
from recollect.store.shelf import REACH, WINDOWS, Column, Shelf

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
    for (rows, counts), weight in postings:
        gain = weight * rarity(len(shelf), len(rows)) * (bm25.saturation + 1)
        scores[rows] += gain * counts / (counts + _scale(_words(shelf, rows), shelf.mean_words, bm25))
    return scores


def scores_at(shelf: Shelf, rows: Column, postings: Weighted, bm25: Bm25) -> Column:
    """Return the BM25 score of some memories by themselves."""
    scores, scale = np.zeros(len(rows)), _scale(_words(shelf, rows), shelf.mean_words, bm25)
    for posting, weight in postings:
        counts = posting.at(rows)
        gain = weight * rarity_of(shelf, posting) * (bm25.saturation + 1)
        scores += gain * counts / (counts + scale)
    return scores


def rarity_of(shelf: Shelf, posting: Posting) -> float:
    """Return how much the presence of a word tells."""
    return rarity(len(shelf), len(posting.rows))


def postings_of(terms: Mapping[str, float], find: Find) -> Weighted:
    """Return where words stand; of very many only the rarest."""
    found = [(find(term), weight) for term, weight in terms.items()]
    if len(found) > MOST_TERMS:
        known = [pair for pair in found if len(pair[0].rows)]
        found = sorted(known, key=lambda pair: len(pair[0].rows))[:MOST_TERMS]
    return found


@dataclass(frozen=True, slots=True)
class Near:
    """What stands around some memories: a line for each distance, a column for each memory."""

    words: Column
    counts: tuple[Column, ...]
    """How often each word of the question stands there."""


def near_of(shelf: Shelf, rows: Column, postings: Weighted) -> Near:
    """Return the lengths of the memories around some and how often each word stands in them."""
    around = shelf.near(rows)
    there, inverse = np.unique(around, return_inverse=True)
    inverse = inverse.reshape(around.shape)
    words = np.where(there >= 0, shelf.column("words")[there], 0)
    return Near(words[inverse], tuple(posting.at(there)[inverse] for posting, _ in postings))


def window_scores(shelf: Shelf, name: str, near: Near, postings: Weighted, bm25: Bm25) -> Column:
    """Return the BM25 score of some memories together with their neighbours; a word is as rare as it is in memories."""
    before, after = WINDOWS[name]
    part = slice(REACH - before, REACH + after + 1)
    scale = _scale(near.words[part].sum(axis=0), shelf.mean_window(name), bm25)
    scores = np.zeros(len(scale))
    for (posting, weight), held in zip(postings, near.counts, strict=True):
        counts = held[part].sum(axis=0)
        scores += weight * rarity_of(shelf, posting) * counts * (bm25.saturation + 1) / (counts + scale)
    return scores


def session_scores(shelf: Shelf, postings: Weighted, bm25: Bm25) -> Column:
    """Return the BM25 score of every session."""
    many = len(shelf.session_words)
    words = shelf.session_words
    scale = _scale(words, float(words.mean()) if many else 1.0, bm25)
    scores = np.zeros(many)
    of = shelf.column("session_of")
    for (rows, counts), weight in postings:
        if not len(rows):
            continue
        found = np.bincount(of[rows], weights=counts, minlength=many)
        held = np.flatnonzero(found)
        rare = rarity(many, len(held))
        scores[held] += weight * rare * found[held] * (bm25.saturation + 1) / (found[held] + scale[held])
    return scores


def follows_question(shelf: Shelf, rows: Column) -> Column:
    """Tell which memories come right after one of the same session in which somebody else asks something."""
    before = shelf.near(rows, 1)[0]
    author = shelf.column("author")
    other = (author[before] != author[rows]) | (author[rows] < 0)
    found: Column = ((shelf.column("signs")[before] & ASKS) > 0) & other & (before >= 0)
    return found


def _words(shelf: Shelf, rows: Column) -> Column:
    words: Column = shelf.column("words")[rows]
    return words


def rarity(many: int, holding: int) -> float:
    """Return how much a word tells that so many of so many hold."""
    return log(1.0 + (many - holding + 0.5) / (holding + 0.5))


def _scale(words: Column, mean: float, bm25: Bm25) -> Column:
    part = bm25.normalisation / max(mean, 1.0)
    scaled: Column = bm25.saturation * (1.0 - bm25.normalisation + part * words)
    return scaled


def share(scores: Column) -> Column:
    """Return scores as shares of the greatest one."""
    greatest = scores.max(initial=0.0)
    return scores / greatest if greatest > 0 else scores
