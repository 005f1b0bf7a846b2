"""What a cluster is about: words and pairs of words that several members say and others rarely do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from recollect.memory.dream.rules import rules

Cut = Callable[[str], list[str]]
_SHORTEST = 3


def keyphrases(texts: Sequence[str], weights: Sequence[dict[str, float]], stem: Cut, cut: Cut) -> list[str]:
    """Return what several of some texts say, the most telling first, as they write it."""
    scores: dict[tuple[str, ...], float] = {}
    holders: Counter[tuple[str, ...]] = Counter()
    written: dict[tuple[str, ...], Counter[str]] = {}
    for text, own in zip(texts, weights, strict=True):
        said = [
            (name, word) for name, word in zip(stem(text), cut(text), strict=True) if len(word) >= _SHORTEST
        ]
        units: list[tuple[tuple[str, ...], str]] = [((name,), word) for name, word in said if name in own]
        units += [
            ((a, b), f"{x} {y}") for (a, x), (b, y) in pairwise(said) if a in own and b in own and a != b
        ]
        for unit, words in units:
            written.setdefault(unit, Counter())[words] += 1
        for unit in dict.fromkeys(unit for unit, _ in units):
            holders[unit] += 1
            scores[unit] = scores.get(unit, 0.0) + sum(own[name] for name in unit)
    ranked = sorted(
        (unit for unit in scores if holders[unit] > 1 and _tells(unit)),
        key=lambda unit: (-scores[unit], -len(unit), unit),
    )
    chosen: list[tuple[str, ...]] = []
    for unit in ranked:
        if not any(set(unit) & set(other) for other in chosen):
            chosen.append(unit)
    most = int(rules()["reflection"]["phrases"])
    return [min(written[unit].items(), key=lambda pair: (-pair[1], pair[0]))[0] for unit in chosen[:most]]


def _tells(unit: Sequence[str]) -> bool:
    return all(any(sign.isalpha() for sign in name) for name in unit)
