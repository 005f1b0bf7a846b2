"""Words of the best answers so far, which lead on to others that the question's own words do not reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from recollect.retrieve.recall.bm25 import Find, rarity_of
from recollect.store.shelf import Shelf

_READ = 400
"""How many words of an answer are looked at."""


def telling_words(
    shelf: Shelf, answers: Iterable[tuple[list[str], float]], silent: Iterable[str], find: Find, most: int
) -> Mapping[str, float]:
    """Return the words that say most about some answers, given as their stems and score, the best with weight 1."""
    skipped = frozenset(silent)
    gained: dict[str, float] = {}
    for stems, score in answers:
        for stem in dict.fromkeys(stems[:_READ]):
            if stem not in skipped:
                gained[stem] = gained.get(stem, 0.0) + score * rarity_of(shelf, find(stem))
    best = sorted(gained.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    greatest = best[0][1] if best and best[0][1] > 0 else 1.0
    return {stem: weight / greatest for stem, weight in best}
