"""Finds many short words in a text in one pass: a hash of every four bytes is looked up in a bit table."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

import numpy as np

Value = TypeVar("Value")

_MULTIPLIER = 0x9E3779B1
_SHIFT = 16
_GRAM = 4
_FOLLOWERS = (string.ascii_lowercase + string.digits + "-_").encode()


class _Entry(NamedTuple, Generic[Value]):
    anchor: bytes
    before: int
    """How many bytes of the anchor stand before the four that were hashed."""
    value: Value


class AnchorIndex(Generic[Value]):
    """Anchors in lower case, each with a value; built once, asked for every text."""

    def __init__(self, anchors: Iterable[tuple[bytes, Value]]) -> None:
        self._table = np.zeros(1 << (32 - _SHIFT), dtype=np.bool_)
        self._entries: dict[bytes, list[_Entry[Value]]] = {}
        for anchor, value in anchors:
            before = max(0, (len(anchor) - _GRAM) // 2)
            grams = [anchor[before : before + _GRAM]] if len(anchor) >= _GRAM else _lengthened(anchor)
            for gram in grams:
                self._entries.setdefault(gram, []).append(_Entry(anchor, before, value))
                self._table[((int.from_bytes(gram, "little") * _MULTIPLIER) & 0xFFFFFFFF) >> _SHIFT] = True
        # Ends with a number that no lookup passes.
        self._grams = np.array(
            [*sorted(int.from_bytes(gram, "little") for gram in self._entries), 0xFFFFFFFF], dtype=np.uint32
        )

    def candidates(self, content: bytes) -> Iterator[tuple[int, Value]]:
        """Give the start of each anchor in the text, with its value; in no particular order."""
        lower = content.lower()
        multiplier, shift = np.uint32(_MULTIPLIER), np.uint32(_SHIFT)
        for offset in range(min(_GRAM, len(lower) - _GRAM + 1)):
            grams = np.frombuffer(lower, dtype="<u4", offset=offset, count=(len(lower) - offset) // _GRAM)
            hits = np.flatnonzero(self._table.take((grams * multiplier) >> shift))
            # Most are other grams with the same hash.
            met = grams[hits]
            hits = hits[self._grams[np.searchsorted(self._grams, met)] == met]
            for position in (hits * _GRAM + offset).tolist():
                for anchor, before, value in self._entries.get(lower[position : position + _GRAM], ()):
                    if lower.startswith(anchor, position - before):
                        yield position - before, value


def _lengthened(anchor: bytes) -> list[bytes]:
    """Return the ways in which an anchor of three bytes may go on."""
    return [anchor + bytes((follower,)) for follower in _FOLLOWERS]
