"""Words of a text and how much two texts share."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from importlib.resources import files

_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """Return the words that say nothing about a text."""
    text = files("recollect.bench.baselines").joinpath("common_words.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def words(text: str) -> list[str]:
    """Return the telling words of a text in their order, in lower case."""
    return [
        word for word in map(str.lower, _WORD.findall(text)) if len(word) > 2 and word not in common_words()
    ]


def jaccard(one: Collection[str], other: Collection[str]) -> float:
    """Return the share of common words among all words of two texts, 0 when both are empty."""
    left, right = set(one), set(other)
    return len(left & right) / len(left | right) if left | right else 0.0


def twins(texts: Sequence[Collection[str]], least: float) -> list[set[int]]:
    """Return for each text the places of the others that share at least so much of their words."""
    sets = [frozenset(text) for text in texts]
    holding: dict[str, list[int]] = {}
    for at, one in enumerate(sets):
        for word in one:
            holding.setdefault(word, []).append(at)
    found: list[set[int]] = [set() for _ in sets]
    for at, one in enumerate(sets):
        # A twin shares most words, so it also shares one of any few of them: the rarest are cheapest to follow.
        rare = sorted(one, key=lambda word: (len(holding[word]), word))[
            : max(1, int(len(one) * (1 - least)) + 1)
        ]
        for other in {place for word in rare for place in holding[word] if place != at}:
            if jaccard(one, sets[other]) >= least:
                found[at].add(other)
                found[other].add(at)
    return found
