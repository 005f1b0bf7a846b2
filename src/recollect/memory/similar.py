"""Tells whether two texts say the same, and which ones are near enough to be compared at all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from zlib import crc32

from recollect.memory.words import filler as filler_words

SIMILAR = 0.6
"""Share of common words from which a caller is told of an older memory."""
_FRAME = 40
"""Longer texts that differ in one word say the same."""
_READ = 4000
_MIX = 0x9E3779B1
_QUIET = frozenset(".,;:!?'\"()[]{}*_`\u2019\u2018\u201c\u201d\u2026")


def sketches(words: Sequence[str], text: str) -> tuple[int, int]:
    """Return two numbers, one of which two texts of nearly the same words nearly always share."""
    said = content(words[:_READ])
    pairs = {f"{first} {second}" for first, second in pairwise(said)}
    hashes = [crc32(pair.encode()) for pair in pairs or {" ".join(said) or text}]
    return min(hashes), min((number * _MIX + 1) & 0xFFFFFFFF for number in hashes)


def says_the_same(words: Sequence[str], text: str, other_words: Sequence[str], other: str) -> bool:
    """Tell whether texts differ in nothing but case, blanks, filler words and quiet punctuation."""
    return text == other or (content(words) == content(other_words) and _loud(text) == _loud(other))


def likeness(words: Sequence[str], others: Sequence[str]) -> float:
    """Return the share of words that two texts have in common."""
    return overlap(frozenset(content(words)), frozenset(content(others)))


def says_another(words: Sequence[str], others: Sequence[str]) -> bool:
    """Tell whether two texts say the same of something but for one word: one of both may be wrong."""
    if len(words) != len(others) or not 3 <= len(words) <= _FRAME:
        return False
    same = [one for one, other in zip(words, others, strict=True) if one == other]
    return len(same) == len(words) - 1 and bool(content(same))


def overlap(one: frozenset[str], two: frozenset[str]) -> float:
    """Return the share of words that two sets have in common."""
    return len(one & two) / len(one | two) if one or two else 0.0


def content(words: Sequence[str]) -> list[str]:
    """Return the words that say something."""
    filler = filler_words()
    return [word for word in words if word not in filler]


def _loud(text: str) -> str:
    """Return the signs of a text that may change its meaning: C++ is not C#, and -1 not 1."""
    loud = []
    for at, sign in enumerate(text):
        if sign.isalnum() or sign.isspace() or sign in _QUIET:
            continue
        if sign in "-\u2013\u2014" and not text[at + 1 : at + 2].isdigit():
            continue
        loud.append(sign)
    return "".join(loud)
