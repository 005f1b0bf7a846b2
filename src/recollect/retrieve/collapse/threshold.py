"""Leaves out what a reranker is not sure of; without one nothing is, because other scores mean no certainty."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.stage import Stage


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """The least certainty, between 0 and 1."""

    min_confidence: float = 0.6


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Drop what is below the threshold."""
    sure = candidates.signals.get("cross") if len(candidates) else None
    if sure is None:
        return candidates
    for row in candidates.take(sure < parameters.min_confidence):
        context.trace.drop(row.number, "the reranker is not sure enough that it answers the question")
    return candidates.take(sure >= parameters.min_confidence)


STAGE = Stage("threshold", "collapse", Parameters, run)
