"""How a memory is worded: questions answer little, long texts say more, and what tells a time answers when."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.recall.words import asks_for
from recollect.retrieve.stage import Stage
from recollect.store.memories import NAMES, QUOTES, TELLS_NUMBER, TELLS_TIME, THIRDS

LONGEST = 3.0
"""A memory this many times longer than the mean gains no more by being longer."""
ANSWERS = {"when": TELLS_TIME, "number": TELLS_NUMBER, "name": NAMES, "title": QUOTES}
"""By which sign a memory may answer what is asked for."""


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How far each moves the score."""

    when: float = 0.6
    """How much a memory gains that tells a time, when the question asks for one."""
    number: float = 0.2
    name: float = 0.2
    title: float = 0.2
    asking: float = 0.4
    """How much a memory loses that does nothing but ask."""
    length: float = 0.1
    """How much a memory gains that says more than others."""


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Multiply the scores."""
    if not len(candidates):
        return candidates
    shelf = asked(context).shelf
    signs = shelf.column("signs")[candidates.rows]
    words = shelf.column("words")[candidates.rows] / shelf.mean_words
    found = 1.0 - parameters.asking / 3 * (signs // THIRDS & 3)
    found *= 1.0 + parameters.length * np.log(np.minimum(words, LONGEST) + 0.3)
    for kind, sign in ANSWERS.items():
        if asks_for(context.query.text, kind):
            found *= 1.0 + getattr(parameters, kind) * ((signs & sign) > 0)
    return candidates.scored(candidates.scores * np.maximum(found, 0.0))


STAGE = Stage("wording", "boost", Parameters, run)
