"""Memories of the time that the question names: written then, telling of it, or written soon after."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.columns import Columns, nothing
from recollect.retrieve.recall.times import DAY, Span, spans_of, told_rows
from recollect.retrieve.stage import Stage
from recollect.store.shelf import Column, Shelf


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What a memory is worth that was not written then, written then being 1."""

    told: float = 0.75
    """It tells of a time in it."""
    after: float = 0.5
    """It was written soon after."""
    days: int = 7
    """How soon."""


def run(context: Context, parameters: Parameters) -> Columns:
    """Return everything that may be shown of the times that the question names."""
    question = asked(context)
    shelf, allowed = question.shelf, question.view.allowed
    spans = spans_of(question.question.text, question.view.moment, shelf)
    if not spans:
        return nothing(shelf)
    scores = np.zeros(len(shelf))
    for span in spans:
        np.maximum(scores, _written(shelf, span, parameters), out=scores)
        told = told_rows(question.view, span)
        scores[told] = np.maximum(scores[told], parameters.told)
    rows = np.flatnonzero(scores if allowed is None else scores * allowed)
    return Columns(shelf, rows, scores[rows], reason="it is of the time that the question names")


def _written(shelf: Shelf, span: Span, parameters: Parameters) -> Column:
    created = shelf.column("created")
    then = (created >= span.first) & (created < span.end)
    soon = (created >= span.end) & (created < span.end + parameters.days * DAY)
    found: Column = then + parameters.after * soon
    return found


STAGE = Stage("moment", "channel", Parameters, run)
