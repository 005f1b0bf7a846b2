"""Which memories are near each other by their words, weighed by how rare these are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from recollect.memory.dream.rules import rules

Cut = Callable[[str], list[str]]
_READ = 4000
"""How many characters of a long text are looked at."""


class Near(NamedTuple):
    """Memories as weighed words, and their neighbours; all by the place of a memory in the list."""

    stems: list[list[str]]
    weights: list[dict[str, float]]
    """Unit vectors by stem."""
    neighbours: list[list[tuple[int, float]]]
    """Place and nearness of each neighbour, nearest first."""


def nearness(texts: Sequence[str], stem: Cut, silent: frozenset[str]) -> Near:
    """Compare all texts with those that share a telling word."""
    stems = [[word for word in stem(text[:_READ]) if word not in silent] for text in texts]
    holders: dict[str, list[int]] = {}
    for place, words in enumerate(stems):
        for word in dict.fromkeys(words):
            holders.setdefault(word, []).append(place)
    weights = [_weights(words, holders, len(texts)) for words in stems]
    numbers = rules()["nearness"]
    most = min(
        numbers["most_holders"], max(2 * rules()["cluster"]["least"], numbers["most_share"] * len(texts))
    )
    telling = {word: np.array(places) for word, places in holders.items() if 1 < len(places) <= most}
    values = {word: np.array([weights[place][word] for place in places]) for word, places in telling.items()}
    neighbours = [_nearest(place, one, telling, values) for place, one in enumerate(weights)]
    return Near(stems, weights, neighbours)


def cohesion(weights: Sequence[dict[str, float]]) -> float:
    """Return the mean cosine of each vector to the middle of the others."""
    whole: Counter[str] = Counter()
    for one in weights:
        whole.update(one)
    found = []
    for one in weights:
        others = {word: value - one.get(word, 0.0) for word, value in whole.items()}
        length = sum(value * value for value in others.values()) ** 0.5
        found.append(sum(value * others[word] for word, value in one.items()) / length if length else 0.0)
    return sum(found) / len(found) if found else 0.0


def _weights(words: Sequence[str], holders: dict[str, list[int]], total: int) -> dict[str, float]:
    counted = {
        word: (1 + np.log(count)) * np.log1p(total / len(holders[word]))
        for word, count in Counter(words).items()
    }
    length = sum(value * value for value in counted.values()) ** 0.5
    return {word: float(value / length) for word, value in counted.items()} if length else {}


def _nearest(
    place: int, one: dict[str, float], telling: dict[str, np.ndarray], values: dict[str, np.ndarray]
) -> list[tuple[int, float]]:
    shared = [word for word in one if word in telling]
    if not shared:
        return []
    places = np.concatenate([telling[word] for word in shared])
    parts = np.concatenate([values[word] * one[word] for word in shared])
    others, where = np.unique(places, return_inverse=True)
    scores = np.bincount(where, weights=parts)
    numbers = rules()["nearness"]
    kept = np.flatnonzero((scores >= numbers["least"]) & (others != place))
    best = kept[np.lexsort((others[kept], -scores[kept]))][: int(numbers["neighbours"])]
    return [(int(others[at]), float(scores[at])) for at in best]
