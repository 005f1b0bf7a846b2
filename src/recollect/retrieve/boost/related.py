"""Memories that share rare words with the best so far, which the question's own words do not reach."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.bm25 import Bm25, scores_at, share
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.recall.telling import telling_words
from recollect.retrieve.stage import Stage


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What the shared words weigh, from how many of the best they come, and how many of them."""

    weight: float = 0.06
    memories: int = 5
    words: int = 10
    saturation: float = 0.9
    normalisation: float = 0.4


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Add a share of the score that the words of the best give."""
    if not parameters.weight or not len(candidates):
        return candidates
    question = asked(context)
    shelf = question.shelf
    best = candidates[: parameters.memories]
    numbers = [int(number) for number in shelf.column("number")[best.rows]]
    score_of = dict(zip(numbers, map(float, best.scores), strict=True))
    rows = question.view.reader.memories(numbers)
    words = telling_words(question, [(row.text, score_of[row.number]) for row in rows], parameters.words)
    postings = [(question.find(word), weight) for word, weight in words.items()]
    bm25 = Bm25(parameters.saturation, parameters.normalisation)
    gained = share(scores_at(shelf, candidates.rows, postings, bm25))
    scores = (candidates.scores + parameters.weight * gained) / (1.0 + parameters.weight)
    return candidates.scored(np.minimum(scores, 1.0), share__related=gained)


STAGE = Stage("related", "boost", Parameters, run)
