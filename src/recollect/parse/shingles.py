"""Shingles: a small fixed sample of a function's word trigrams, for finding functions that say almost the same."""

from __future__ import annotations

import zlib
from itertools import islice

import numpy as np
import numpy.typing as npt

from recollect.parse.symbols import Draft
from recollect.types import CALLABLE_KINDS

KEPT = 64
PROBABLY_ENOUGH = 2 * KEPT
"""Of so many sorted hashes, as many as are kept are nearly always different."""
FEWEST_WORDS = 30
SPACE = 32
TABLE = bytes(byte if chr(byte).isalnum() or byte in b"_" or byte > 127 else SPACE for byte in range(256))
CACHED = 200_000
Numbers = npt.NDArray[np.uint32]


class _Hashes(dict[bytes, int]):
    def __missing__(self, word: bytes) -> int:
        if len(self) > CACHED:
            self.clear()
        value = self[word] = zlib.crc32(word)
        return value


HASHES = _Hashes()


def read_shingles(content: bytes, drafts: list[Draft]) -> dict[int, tuple[int, ...]]:
    """Return the shingles of each function that is long enough, by the function's index."""
    functions = [
        draft
        for draft in drafts
        if draft.kind in CALLABLE_KINDS and draft.end - draft.start > FEWEST_WORDS * 2
    ]
    if not functions:
        return {}
    words = content.translate(TABLE)
    inside = np.frombuffer(words, dtype=np.uint8) != SPACE
    starts = np.flatnonzero(inside & ~np.concatenate(([False], inside[:-1])))
    trigrams = _trigrams(words.split())
    bodies = [draft.captures.get("body") for draft in functions]
    firsts = np.searchsorted(
        starts,
        [body[0].start_byte if body else draft.start for body, draft in zip(bodies, functions, strict=True)],
    )
    ends = np.searchsorted(starts, [draft.end for draft in functions])
    return {
        draft.index: _smallest(trigrams[first : end - 2])
        for draft, first, end in zip(functions, firsts.tolist(), ends.tolist(), strict=True)
        if end - first >= FEWEST_WORDS
    }


def _trigrams(words: list[bytes]) -> Numbers:
    """Return a hash of every three words in a row."""
    hashes = np.fromiter(map(HASHES.__getitem__, words), dtype=np.uint32, count=len(words))
    mixed: Numbers = (
        hashes[:-2] * np.uint32(0x9E3779B1)
        ^ hashes[1:-1] * np.uint32(0x85EBCA77)
        ^ hashes[2:] * np.uint32(0xC2B2AE3D)
    )
    mixed ^= mixed >> np.uint32(15)
    mixed *= np.uint32(0x2C1B3C6D)
    mixed ^= mixed >> np.uint32(13)
    return mixed


def _smallest(trigrams: Numbers) -> tuple[int, ...]:
    ordered = np.sort(trigrams)
    smallest = dict.fromkeys(ordered[:PROBABLY_ENOUGH].tolist())
    if len(smallest) < KEPT:
        smallest = dict.fromkeys(ordered.tolist())
    return tuple(islice(smallest, KEPT))
