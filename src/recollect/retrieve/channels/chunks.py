"""Any telling word of the query in the text of chunks, cut to its stem, ranked by BM25."""

from __future__ import annotations

import re

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.sparse.terms import rules
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates

_SPECIAL = re.compile(r"""["'()*:^.,;\-?!\[\]{}<>~\\`#@&$%+=/|\0]""")


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What the columns weigh, and how many results: three times what is shown at most."""

    weights: tuple[float, float] = (1.0, 1.0)
    limit: int = 60


def prepared(text: str) -> tuple[str, ...]:
    """Return the words that are looked up: without operators, stopwords, and words of one letter."""
    stopwords = rules().stopwords
    found = [word for word in _SPECIAL.sub(" ", text).split() if len(word) > 1 or not word.isascii()]
    telling = [word for word in found if word.lower() not in stopwords]
    return tuple(dict.fromkeys(telling or found))


def normalised(score: float, best: float) -> float:
    """Return a score as a share of the best."""
    return abs(score) / abs(best) if best else 0.0


def run(context: Context, parameters: Parameters) -> Candidates:
    """Search the chunks; words are quoted, so that AND, OR and NEAR are words too."""
    words = [word for word in prepared(context.query.text) if re.search(r"\w", word)]
    if not words:
        return ()
    match = " OR ".join(f'"{word}"' for word in words)
    hits = context.reader.search(
        "text_chunk", match, parameters.weights, parameters.limit, context.query.filters
    )
    best = max((abs(hit.score) for hit in hits), default=0.0)
    return tuple(Candidate(hit.number, normalised(hit.score, best), "words match its text") for hit in hits)


STAGE = Stage("chunks", "channel", Parameters, run)
