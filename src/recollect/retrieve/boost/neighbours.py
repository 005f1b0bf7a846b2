"""Memories that are linked to others that the question leads to; none is brought in."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.chosen import bounded
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.stage import Stage
from recollect.store.shelf import Column


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What it weighs, what one step leaves of a score, how many neighbours count, and which scores they hand on."""

    weight: float = 0.0
    graph_edge_decay: float = 0.5
    max_neighbors_per_candidate: int = 5
    handed: tuple[str, ...] = ("fts", "vector")
    """Only what these channels found is handed on, so that nothing else cascades from hub to hub."""


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Add what the neighbours hand on; all links are asked for in one query."""
    if not parameters.weight or not len(candidates):
        return candidates
    uids = candidates.shelf.column("uid")[candidates.rows]
    base = np.zeros(len(candidates))
    for name in parameters.handed:
        base = np.maximum(base, candidates.signals.get(f"share.{name}", base))
    gained = _gained(context, parameters, uids, base)
    if not gained.any():
        return candidates
    context.trace.contributed.append(context.trace.current.key.partition(".")[2])
    return candidates.scored(
        bounded(candidates.scores + parameters.weight * gained), share__neighbours=gained
    )


def _gained(context: Context, parameters: Parameters, uids: Column, base: Column) -> Column:
    reader = asked(context).view.reader
    place = {uid: at for at, uid in enumerate(uids.tolist())}
    gained = np.zeros(len(uids))
    for one, other, weight in reader.strongest_links(uids.tolist(), parameters.max_neighbors_per_candidate):
        if other in place:
            gained[place[one]] += weight * base[place[other]] * parameters.graph_edge_decay
    return gained


STAGE = Stage("neighbours", "boost", Parameters, run)
