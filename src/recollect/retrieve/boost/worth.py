"""What a memory is worth besides its words: importance, how often it was of use, and, of episodes, its age."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.decay import decay
from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.chosen import bounded
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.recall.features import uses_of
from recollect.retrieve.stage import Stage
from recollect.store.memories import LAYERS
from recollect.store.shelf import Column, Shelf

DAY = 86_400_000.0


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """The least and the range of importance, what use adds, and how episodes fade."""

    importance_least: float = 0.8
    importance_range: float = 0.4
    access: float = 0.1
    half_life_days: float = 30.0
    floor: float = 0.5
    """So much of an episode never fades."""


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Multiply the scores."""
    if not len(candidates):
        return candidates
    view = asked(context).view
    shelf, rows = view.shelf, candidates.rows
    found = (
        parameters.importance_least + parameters.importance_range * shelf.column("importance")[rows] / 100.0
    )
    found *= 1.0 + parameters.access * np.log1p(uses_of(context, rows))
    found *= _fading(shelf, rows, view.moment, parameters)
    return candidates.scored(bounded(candidates.scores * found))


def _fading(shelf: Shelf, rows: Column, moment: int, parameters: Parameters) -> Column:
    ages = np.maximum(moment - shelf.column("created")[rows], 0) / DAY
    left = np.array([decay(float(age), parameters.half_life_days, floor=parameters.floor) for age in ages])
    return np.where(shelf.column("layer")[rows] == LAYERS.index("episodic"), left, 1.0)


STAGE = Stage("worth", "boost", Parameters, run)
