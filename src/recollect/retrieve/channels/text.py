"""Words of the query in one full-text table, each column counting as the profile says."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve import fts
from recollect.retrieve.context import Context
from recollect.retrieve.outside import statistics
from recollect.retrieve.ranking import Ranking, repeated
from recollect.retrieve.scores import best_of
from recollect.retrieve.stage import Stage
from recollect.retrieve.terms import terms_of
from recollect.retrieve.values import Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Which table, what its columns weigh, how many results."""

    table: str = "text_chunk"
    weights: tuple[float, ...] = (1.0, 1.0)
    limit: int = 100
    every_word: bool = False
    """Whether verbs and other words that are no keywords are searched for too."""
    reason: str = "words match its text"
    outside: bool = False
    """Whether symbols outside the repository count in the rarity of words; docs/evidence.md has what that gains."""


def run(context: Context, parameters: Parameters) -> Candidates:
    """Search the table; equal scores keep the order of the store."""
    query = context.query
    if parameters.every_word:
        words = terms_of(query)
    else:
        words = (*(fts.leaf(word).lower() for word in query.keywords.primary), *query.keywords.components)
    limit = max(parameters.limit, query.limit or 0)
    beyond = statistics(context) if parameters.outside else None
    numbers, scores = best_of(
        context, parameters.table, parameters.weights, fts.word_terms(words), limit, beyond
    )
    return Ranking(numbers, scores, repeated(parameters.reason, len(numbers))).as_candidates()


STAGE = Stage("text", "channel", Parameters, run)
