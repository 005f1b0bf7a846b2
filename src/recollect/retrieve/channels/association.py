"""Memories that are near to what the question reminds of: it is completed from all of them before they are compared."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.chosen import how_many, meaning_of
from recollect.retrieve.recall.columns import Columns, nothing
from recollect.retrieve.stage import Stage


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How sharply near memories are preferred, how often the question is completed, and how many are brought."""

    sharpness: float = 8.0
    steps: int = 1
    """Without a step this would be nearness of meaning once more."""
    head: int = 5_000
    """From how many of the nearest the question is completed."""
    limit: int = 10
    times: int = 0


def completed(vectors: np.ndarray, vector: np.ndarray, sharpness: float, steps: int) -> np.ndarray:
    """Return what a vector becomes when it is drawn towards those that it is like."""
    for _ in range(steps):
        likeness = sharpness * (vectors @ vector)
        weights = np.exp(likeness - likeness.max())
        vector = vectors.T @ (weights / weights.sum())
    length = float(np.linalg.norm(vector))
    made: np.ndarray = vector / length if length else vector
    return made


def run(context: Context, parameters: Parameters) -> Columns:
    """Return what is nearest to the completed question."""
    question = asked(context)
    found = meaning_of(context, False)
    if found is None:
        return nothing(question.shelf)
    near, allowed = found[0].near(), question.view.allowed
    rows, cosines = near.best(found[1], parameters.head, allowed)
    rows = rows[cosines > 0]
    if not len(rows):
        return nothing(question.shelf)
    vectors = near.vectors(near.places(rows))
    vector = completed(vectors, found[1], parameters.sharpness, parameters.steps).astype(np.float32)
    limit = how_many(context, parameters.limit, parameters.times)
    rows, cosines = near.best(vector, limit, allowed)
    return Columns(question.shelf, rows, cosines.clip(0.0, 1.0), reason="the question reminds of it")


STAGE = Stage("association", "channel", Parameters, run)
