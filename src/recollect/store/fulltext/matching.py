"""Finds the texts that an expression means, and scores them as FTS5's bm25() does, to the last bit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from recollect.store.fulltext import expression as asked
from recollect.store.fulltext.part import COLUMN_SHIFT, NOWHERE, Places, places_of

Array = np.ndarray[Any, np.dtype[Any]]

K1 = 1.2
B = 0.75
"""FTS5 has both built in."""
_LEAST_IDF = 1e-6
_POSITION = np.uint32((1 << COLUMN_SHIFT) - 1)

Lookup = Callable[[str, bool], Places]
"""Where a word stands in living texts; with True, every word that begins so. Sorted by text and place."""


class Statistics(NamedTuple):
    """What a score depends on besides the text itself."""

    texts: int
    words: int
    sizes: Array
    """The words of each text, by its number."""


@dataclass(frozen=True, slots=True)
class Found:
    """The texts that an expression matches, rising, and where its phrases stand in them."""

    numbers: Array
    phrases: tuple[tuple[int, Places], ...]
    """Phrases by their position in the expression; one that does not count for a text has no place in it."""


def scores(
    node: asked.Node, lookup: Lookup, statistics: Statistics, weights: Sequence[float]
) -> tuple[Array, Array]:
    """Return the numbers of all texts that match, rising, and their scores."""
    search = _Search(lookup)
    found = search.find(node)
    numbers = found.numbers
    total = np.zeros(len(numbers))
    if not len(numbers):
        return numbers.astype(np.int64), total
    mean = statistics.words / statistics.texts
    length = K1 * (1 - B + B * statistics.sizes[numbers].astype(np.float64) / mean)
    table = np.array([float(weight) for weight in weights])
    places = dict(found.phrases)
    for position, phrase in enumerate(asked.phrases_of(node)):
        often = _frequencies(numbers, places.get(position, NOWHERE), table)
        total += _idf(statistics.texts, search.rows(phrase)) * ((often * (K1 + 1.0)) / (often + length))
    return numbers.astype(np.int64), total


def _idf(texts: int, holding: int) -> float:
    idf = math.log((texts - holding + 0.5) / (holding + 0.5))
    return idf if idf > 0.0 else _LEAST_IDF


def _frequencies(numbers: Array, places: Places, weights: Array) -> Array:
    at = np.searchsorted(numbers, places.numbers)
    inside = np.minimum(at, len(numbers) - 1)
    kept = numbers[inside] == places.numbers
    column = places.places[kept] >> np.uint32(COLUMN_SHIFT)
    return np.bincount(inside[kept], weights=weights[column], minlength=len(numbers))


class _Search:
    """One evaluation; phrases that come twice are looked up once."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._known: dict[asked.Phrase, Places] = {}
        self._next = 0

    def rows(self, phrase: asked.Phrase) -> int:
        """Return how many texts hold a phrase."""
        return len(once(self._places(phrase).numbers))

    def find(self, node: asked.Node) -> Found:
        """Return what a node matches."""
        if isinstance(node, asked.Phrase):
            places = self._places(node)
            return Found(once(places.numbers), ((self._position(), places),))
        if isinstance(node, asked.Near):
            return self._near(node)
        if isinstance(node, asked.Without):
            wanted, unwanted = self.find(node.wanted), self.find(node.unwanted)
            return _only(np.setdiff1d(wanted.numbers, unwanted.numbers, assume_unique=True), (wanted,))
        parts = [self.find(part) for part in node.parts]
        numbers = parts[0].numbers
        if isinstance(node, asked.Any):
            numbers = np.unique(np.concatenate([part.numbers for part in parts]))
            return Found(numbers, tuple(pair for part in parts for pair in part.phrases))
        for part in parts[1:]:
            numbers = np.intersect1d(numbers, part.numbers, assume_unique=True)
        return _only(numbers, parts)

    def _position(self) -> int:
        self._next += 1
        return self._next - 1

    def _places(self, phrase: asked.Phrase) -> Places:
        found = self._known.get(phrase)
        if found is None:
            found = self._known[phrase] = self._look_up(phrase)
        return found

    def _look_up(self, phrase: asked.Phrase) -> Places:
        if not phrase.words:
            return NOWHERE
        found = self._lookup(phrase.words[0], 0 in phrase.open)
        if len(phrase.words) > 1:
            keys = found.keys
            for step, word in enumerate(phrase.words[1:], 1):
                following = self._lookup(word, step in phrase.open).keys
                keys = keys[np.isin(keys + np.uint64(step), following)] if len(keys) else keys
            found = places_of(keys)
        return _narrowed(found, phrase)

    def _near(self, node: asked.Near) -> Found:
        all_places = [self._places(phrase) for phrase in node.phrases]
        numbers = once(all_places[0].numbers)
        for places in all_places[1:]:
            numbers = np.intersect1d(numbers, places.numbers)
        kept: list[list[int]] = [[] for _ in all_places]
        lengths = [len(phrase.words) for phrase in node.phrases]
        for number in numbers.tolist():
            rows = [_within(places, number) for places in all_places]
            for place, found in enumerate(_close(rows, lengths, node.distance)):
                kept[place] += [number << 32 | at for at in found]
        phrases = tuple((self._position(), places_of(np.array(keys, np.uint64))) for keys in kept)
        return Found(once(phrases[0][1].numbers), phrases)


def once(rising: Array) -> Array:
    """Return every value of a rising array once."""
    new = np.ones(len(rising), bool)
    new[1:] = rising[1:] != rising[:-1]
    return rising[new]


def _only(numbers: Array, parts: Sequence[Found]) -> Found:
    """Return these texts, with the places of the parts in none but them."""
    pairs = [pair for part in parts for pair in part.phrases]
    return Found(numbers, tuple((position, _in(places, numbers)) for position, places in pairs))


def _in(places: Places, numbers: Array) -> Places:
    kept = np.isin(places.numbers, numbers)
    return places if kept.all() else Places(places.numbers[kept], places.places[kept])


def _narrowed(found: Places, phrase: asked.Phrase) -> Places:
    wanted = np.zeros(1 << (32 - COLUMN_SHIFT), bool)
    wanted[list(phrase.columns)] = True
    kept = wanted[found.places >> np.uint32(COLUMN_SHIFT)]
    if phrase.first:
        kept &= (found.places & _POSITION) == 0
    return found if kept.all() else Places(found.numbers[kept], found.places[kept])


def _within(places: Places, number: int) -> list[int]:
    low, high = np.searchsorted(places.numbers, [number, number + 1])
    rows: list[int] = places.places[low:high].tolist()
    return rows


def _close(rows: list[list[int]], lengths: list[int], distance: int) -> list[list[int]]:
    """Return the places of each phrase that have all others near; the same walk as FTS5's."""
    kept: list[list[int]] = [[] for _ in rows]
    for at in _meetings(rows, lengths, distance):
        for place, position in enumerate(at):
            if not kept[place] or kept[place][-1] != rows[place][position]:
                kept[place].append(rows[place][position])
    return kept


def _meetings(rows: list[list[int]], lengths: list[int], distance: int) -> Iterator[list[int]]:
    at = [0] * len(rows)
    while True:
        if not _meet(rows, at, lengths, distance):
            return
        yield at
        ahead = [
            row[position + 1] if position + 1 < len(row) else math.inf
            for row, position in zip(rows, at, strict=True)
        ]
        first = ahead.index(min(ahead))
        if ahead[first] == math.inf:
            return
        at[first] += 1


def _meet(rows: list[list[int]], at: list[int], lengths: list[int], distance: int) -> bool:
    """Move on until all phrases stand near each other; False when one has come to its end."""
    last = rows[0][at[0]]
    while True:
        moved = False
        for place, row in enumerate(rows):
            least = last - lengths[place] - distance
            if least <= row[at[place]] <= last:
                continue
            moved = True
            while row[at[place]] < least:
                at[place] += 1
                if at[place] == len(row):
                    return False
            last = max(last, row[at[place]])
        if not moved:
            return True


__all__ = ["Found", "Lookup", "Statistics", "scores"]
