"""Memories by nearness of meaning, where an embedder is configured."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.chosen import how_many, meaning_of
from recollect.retrieve.recall.columns import Columns, nothing
from recollect.retrieve.stage import Stage


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many are brought, and whether it is told when there is no model."""

    limit: int = 50
    """0 for all."""
    times: int = 0
    """How many times as many as were asked for are brought; 0 for a fixed limit."""
    needed: bool = True


def run(context: Context, parameters: Parameters) -> Columns:
    """Return the nearest, scored by their cosine."""
    question = asked(context)
    found = meaning_of(context, parameters.needed)
    if found is None:
        return nothing(question.shelf)
    meaning, vector = found
    near = meaning.near()
    limit = how_many(context, parameters.limit, parameters.times) or len(near)
    rows, cosines = near.best(vector, limit, question.view.allowed)
    if parameters.limit:
        # What points nowhere near the question is not the answer, however few others there are.
        rows, cosines = rows[cosines > 0], cosines[cosines > 0]
    return Columns(question.shelf, rows, cosines.clip(0.0, 1.0), reason="its meaning is near")


STAGE = Stage("meaning", "channel", Parameters, run)
