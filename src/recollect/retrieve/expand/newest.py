"""When nothing of a question can be searched for, the memories that were written last."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.stage import Stage


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Which channels must all be silent because they have no weight or could not do their work."""

    without: tuple[str, ...] = ("fts", "vector")


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Return the newest that may be shown, if there is nothing else."""
    lists = [ranked for ranked in context.trace.ranked if ranked.channel in parameters.without]
    if any(ranked.weight and not context.trace.is_absent(f"channel.{ranked.channel}") for ranked in lists):
        return candidates
    view = asked(context).view
    shelf = view.shelf
    rows = np.arange(len(shelf)) if view.allowed is None else np.flatnonzero(view.allowed)
    created = shelf.column("created")[rows]
    rows = rows[np.lexsort((shelf.column("uid")[rows], -created))][: context.query.limit or 1]
    steps = 1.0 - np.arange(len(rows)) / max(len(rows), 1)
    context.trace.summarise("Nothing could be searched for, so the newest are shown.")
    return Columns(shelf, rows, steps, reason="it is among the newest")


STAGE = Stage("newest", "expand", Parameters, run)
