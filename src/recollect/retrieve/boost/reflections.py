"""What dreams made of several memories: left out, weighed, or shown alone."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.chosen import bounded
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.stage import Stage
from recollect.store.memories import KINDS


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether reflections are shown, whether nothing else is, and by what their score is multiplied."""

    include_reflections: bool = True
    """Whoever asks leaves them out before any channel reads."""
    only: bool = False
    reflection_boost: float = 1.0


def run(_: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Multiply the scores of reflections."""
    if parameters.reflection_boost == 1.0 or not len(candidates):
        return candidates
    made = candidates.shelf.column("kind")[candidates.rows] == KINDS.index("reflection")
    return candidates.scored(bounded(candidates.scores * np.where(made, parameters.reflection_boost, 1.0)))


STAGE = Stage("reflections", "boost", Parameters, run)
