"""Words of the best answers so far, which lead on to others that the question's own words do not reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from recollect.retrieve.recall.asked import Asked
from recollect.retrieve.recall.bm25 import rarity

_READ = 400


def telling_words(read: Asked, answers: Iterable[tuple[str, float]], most: int) -> Mapping[str, float]:
    """Return the stems that say most about some answers, given as text and score, the best with weight 1."""
    view, many = read.view, len(read.shelf)
    silent = read.question.silent | set(read.question.terms)
    gained: dict[str, float] = {}
    for text, score in answers:
        words = dict(zip(view.stem(text)[:_READ], view.cut(text)[:_READ], strict=True))
        for stem, word in words.items():
            if stem not in silent:
                often = view.postings.often(word, stem, view.reader.newest_with)
                gained[stem] = gained.get(stem, 0.0) + score * rarity(many, often)
    best = sorted(gained.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    greatest = best[0][1] if best and best[0][1] > 0 else 1.0
    return {stem: weight / greatest for stem, weight in best}
