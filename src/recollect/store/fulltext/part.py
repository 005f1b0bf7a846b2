"""A part of a full-text index: the words of many texts and where they stand, packed into pages and never changed."""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

COLUMN_SHIFT = 28
"""A place in a text is its column above this bit and its position in the column below."""
_LEVEL = 1
_PAGE_PLACES = 6000
_PAGE_WORDS = 500
_CUT = "\0"


class Places(NamedTuple):
    """Where words stand: the number of the text and the place in it, sorted by both."""

    numbers: Array
    places: Array

    @property
    def keys(self) -> Array:
        """Return both as one value."""
        return (self.numbers.astype(np.uint64) << np.uint64(32)) | self.places


NOWHERE = Places(np.zeros(0, np.uint32), np.zeros(0, np.uint32))


def places_of(keys: Array) -> Places:
    """Return what `keys` made into one value."""
    return Places((keys >> np.uint64(32)).astype(np.uint32), keys.astype(np.uint32))


class Page(NamedTuple):
    """Some words and where each of them stands."""

    words: list[str]
    starts: Array
    """Where the places of each word begin, and where the last ones end."""
    places: Places

    def of(self, word: str) -> Places:
        """Return where a word stands."""
        at = bisect_left(self.words, word)
        if at == len(self.words) or self.words[at] != word:
            return NOWHERE
        return self._between(at, at + 1)

    def starting(self, beginning: str) -> Places:
        """Return where the words stand that begin so, word after word."""
        low, high = bisect_left(self.words, beginning), bisect_left(self.words, beginning + "\U0010ffff")
        return self._between(low, high)

    def _between(self, low: int, high: int) -> Places:
        chosen = slice(int(self.starts[low]), int(self.starts[high]))
        return Places(self.places.numbers[chosen], self.places.places[chosen])


@dataclass(frozen=True)
class Part:
    """What is known of a part before its pages are read."""

    firsts: tuple[str, ...]
    """The first word of every page."""
    numbers: Array
    """The texts in it, rising."""
    sizes: Array
    """How many words each of them has."""
    gone: Array
    """The texts of earlier parts that were removed when it was made."""

    def page_of(self, word: str) -> int | None:
        """Return the page that would hold a word."""
        at = bisect_right(self.firsts, word) - 1
        return at if at >= 0 else None

    def pages_starting(self, beginning: str) -> range:
        """Return the pages that may hold words that begin so."""
        low = max(0, bisect_right(self.firsts, beginning) - 1)
        return range(low, bisect_left(self.firsts, beginning + "\U0010ffff"))

    @cached_property
    def words(self) -> int:
        """Return the sum of the sizes."""
        return int(self.sizes.sum())


def pack_part(words: Sequence[str], places: Places, which: Array) -> tuple[tuple[str, ...], list[bytes]]:
    """Return the first word of each page and the pages, given which of the sorted words stands at each place.

    The places are sorted by word, text and place.
    """
    ends = np.searchsorted(which, np.arange(len(words)), side="right")
    firsts, pages = list[str](), list[bytes]()
    low, begin = 0, 0
    while low < len(words):
        fitting = int(np.searchsorted(ends, begin + _PAGE_PLACES, side="right"))
        high = min(max(fitting, low + 1), low + _PAGE_WORDS)
        end = int(ends[high - 1])
        counts = np.diff(ends[low:high], prepend=begin)
        part = Places(places.numbers[begin:end], places.places[begin:end])
        firsts.append(words[low])
        pages.append(_pack_page(words[low:high], counts, part))
        low, begin = high, end
    return tuple(firsts), pages


def _pack_page(words: Sequence[str], counts: Array, places: Places) -> bytes:
    names = _CUT.join(words).encode()
    steps = np.diff(places.numbers, prepend=np.uint32(0))
    columns = (counts.astype("<u4"), steps.astype("<u4"), places.places.astype("<u4"))
    head = np.array([len(words), len(places.numbers), len(names)], "<u4").tobytes()
    return zlib.compress(head + names + b"".join(_turned(column) for column in columns), _LEVEL)


def unpack_page(data: bytes) -> Page:
    """Return a page that was packed; raise ValueError or zlib.error when it is damaged."""
    raw = zlib.decompress(data)
    count, size, length = np.frombuffer(raw, "<u4", 3).tolist()
    at = 12 + length
    words = raw[12:at].decode().split(_CUT)
    counts = _straight(raw, at, count)
    steps = _straight(raw, at + 4 * count, size)
    places = _straight(raw, at + 4 * (count + size), size)
    starts = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    # Steps wrap around between words, and so does their sum.
    return Page(words, starts, Places(np.cumsum(steps, dtype=np.uint32), places))


def _turned(values: Array) -> bytes:
    """Byte by byte across the values, equal bytes lie together and shrink to half."""
    return np.ascontiguousarray(values.view(np.uint8).reshape(-1, 4).T).tobytes()


def _straight(raw: bytes, at: int, count: int) -> Array:
    turned = np.frombuffer(raw, np.uint8, 4 * count, at).reshape(4, count)
    return np.ascontiguousarray(turned.T).view("<u4").reshape(count)


class Gathering:
    """Texts that are about to become a part."""

    def __init__(self, tokenize: Callable[[str], list[str]]) -> None:
        self._tokenize = tokenize
        self._known = _Numbering()
        self._texts: dict[int, tuple[Array, Array]] = {}
        self.gone: set[int] = set()
        self.words = 0
        """How many words wait, those of texts that were removed again included."""

    def put(self, number: int, columns: Iterable[str]) -> None:
        """Take the texts of an item, in place of those that it had."""
        found, places = list[int](), list[Array]()
        for column, text in enumerate(columns):
            words = self._tokenize(text)
            found += map(self._known.__getitem__, words)
            places.append(np.arange(len(words), dtype=np.uint32) | np.uint32(column << COLUMN_SHIFT))
        self._texts[number] = np.array(found, np.uint32), np.concatenate(places)
        self.words += len(found)

    def remove(self, numbers: Iterable[int]) -> None:
        """Forget the texts of items, in earlier parts too."""
        for number in numbers:
            self._texts.pop(number, None)
            self.gone.add(number)

    def __bool__(self) -> bool:
        return bool(self._texts or self.gone)

    def part(self) -> tuple[Part, list[bytes]]:
        """Return all of it as a part with its pages."""
        numbers = np.array(sorted(self._texts), np.uint32)
        texts = [self._texts[number] for number in numbers.tolist()]
        sizes = np.array([len(found) for found, _ in texts], np.uint32)
        which = np.concatenate([np.zeros(0, np.uint32), *(found for found, _ in texts)])
        places = np.concatenate([np.zeros(0, np.uint32), *(places for _, places in texts)])
        gone = np.array(sorted(self.gone), np.uint32)
        return make_part(
            list(self._known), which, Places(np.repeat(numbers, sizes), places), (numbers, sizes, gone)
        )


class _Numbering(dict[str, int]):
    """Numbers words in the order in which they come."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def make_part(
    words: list[str], which: Array, places: Places, texts: tuple[Array, Array, Array]
) -> tuple[Part, list[bytes]]:
    """Return a part and its pages from the word at each place; the places of one word are in order already."""
    rising = sorted(range(len(words)), key=words.__getitem__)
    rank = np.empty(len(words), np.uint32)
    rank[rising] = np.arange(len(words), dtype=np.uint32)
    ranks = rank[which] if len(which) else which
    order = _stable_order(ranks)
    used = np.zeros(len(words), bool)
    used[ranks] = True
    # Words of texts that were removed again are left out.
    names = [words[at] for at, kept in zip(rising, used.tolist(), strict=True) if kept]
    dense = (np.cumsum(used, dtype=np.int64) - 1)[ranks[order]] if len(which) else which
    firsts, pages = pack_part(names, Places(places.numbers[order], places.places[order]), dense)
    return Part(firsts, *texts), pages


def _stable_order(values: Array) -> Array:
    """Return the stable order of 32-bit values: two passes over 16 bits, which numpy sorts in linear time."""
    low = np.argsort(values.astype(np.uint16), kind="stable")
    high = np.argsort((values >> np.uint32(16)).astype(np.uint16)[low], kind="stable")
    order: Array = low[high]
    return order
