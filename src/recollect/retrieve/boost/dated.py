"""Memories of the time that the question names count twice."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.chosen import bounded
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.recall.times import spans_of, told_rows
from recollect.retrieve.stage import Stage


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """By what their score is multiplied."""

    factor: float = 2.0


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Multiply what was written or is true since then, or tells of it."""
    question = asked(context)
    shelf, rows = question.shelf, candidates.rows
    spans = spans_of(context.query.text, question.view.moment, shelf) if len(candidates) else []
    then = np.zeros(len(candidates), bool)
    for span in spans:
        for name in ("created", "valid_from"):
            time = shelf.column(name)[rows]
            then |= (time >= span.first) & (time < span.end)
        then |= np.isin(rows, told_rows(question.view, span))
    if not then.any():
        return candidates
    scores = bounded(candidates.scores * np.where(then, parameters.factor, 1.0))
    return candidates.scored(scores, share__moment=then.astype(float))


STAGE = Stage("dated", "boost", Parameters, run)
