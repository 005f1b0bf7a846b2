"""What a memory is worth besides its words: importance, priority, trust, age, and whether it still holds."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.stage import Stage
from recollect.store.memories import STATUSES
from recollect.store.shelf import Column, Shelf
from recollect.store.view import MemoryView

PRIORITY = (0.0, 1.0, 0.6, 0.3, 0.0)
"""What P1 to P4 are worth; the usual P3 moves nothing."""
DAY = 86_400_000.0


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How far each moves the score."""

    importance: float = 0.2
    """Half of it up and half of it down."""
    priority: float = 0.1
    trust: float = 0.2
    """How much a memory of no trust loses."""
    recency: float = 0.05
    """How much a memory gains that is new."""
    recency_days: float = 30.0
    """After so many days half of it is left."""
    outdated: float = 0.5
    """How much a memory loses that is superseded or no longer valid."""


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Multiply the scores."""
    if not len(candidates):
        return candidates
    view = asked(context).view
    stale = outdated(view, candidates.rows)
    found = _factors(view.shelf, candidates.rows, view.moment, parameters) * (
        1.0 - parameters.outdated * stale
    )
    return candidates.scored(
        candidates.scores * np.maximum(found, 0.0), standing__outdated=stale.astype(float)
    )


def outdated(view: MemoryView, rows: Column) -> Column:
    """Tell for which memories something newer stands in their place; what was superseded later was not yet."""
    shelf = view.shelf
    stale = shelf.column("status")[rows] == STATUSES.index("superseded")
    stale |= (shelf.column("valid_until")[rows] < view.moment) | (
        shelf.column("valid_from")[rows] > view.moment
    )
    if view.dated and view.superseded:
        for at in np.flatnonzero(stale):
            since = view.superseded.get(int(shelf.column("uid")[rows[at]]))
            if since is not None and since > view.moment:
                stale[at] = False
    found: Column = stale
    return found


def _factors(shelf: Shelf, rows: Column, moment: int, parameters: Parameters) -> Column:
    def column(name: str) -> Column:
        values: Column = shelf.column(name)[rows].astype(np.float64)
        return values

    found: Column = 1.0 + parameters.importance * (column("importance") / 100.0 - 0.5)
    found *= 1.0 + parameters.priority * (np.take(PRIORITY, shelf.column("priority")[rows]) - PRIORITY[3])
    found *= 1.0 - parameters.trust * (1.0 - column("trust") / 100.0)
    age = np.maximum(moment - column("created"), 0.0) / DAY
    found *= 1.0 + parameters.recency * 0.5 ** (age / parameters.recency_days)
    return found


STAGE = Stage("standing", "boost", Parameters, run)
