"""Reciprocal rank fusion of memories whose channels weigh by what the question is after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.fuse.rrf import reciprocal
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.columns import Columns, nothing
from recollect.retrieve.recall.fusing import columns_of
from recollect.retrieve.recall.intents import intent_of
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Ranked


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """The constant, how many are kept, and how channels weigh by intent."""

    k: int = 60
    limit: int = 60
    weights: dict[str, dict[str, float]] = {}
    """By intent and channel; it multiplies the weight of the channel."""


def run(context: Context, parameters: Parameters, lists: Sequence[Ranked]) -> Columns:
    """Fuse the ranks; who is absent gains nothing, and the best that was possible is 1."""
    shelf = asked(context).shelf
    intent = intent_of(context.query.text)
    context.trace.summarise(f"The question is read as: {intent}.")
    own = parameters.weights.get(intent, {})
    heard = [
        (ranked.channel, ranked.weight * own.get(ranked.channel, 1.0), found)
        for ranked in lists
        if (found := columns_of(ranked)) is not None and len(found) and ranked.weight > 0
    ]
    greatest = sum(reciprocal(weight, 1, parameters.k) for _, weight, _ in heard)
    if not greatest:
        return nothing(shelf)
    rows = np.unique(np.concatenate([found.rows for _, _, found in heard]))
    total = np.zeros(len(rows))
    signals = {}
    for name, weight, found in heard:
        at = np.searchsorted(rows, found.rows)
        ranks = np.arange(1, len(found) + 1)
        total[at] += weight / (parameters.k + ranks) / greatest
        signals[f"rank.{name}"], signals[f"share.{name}"] = np.zeros(len(rows)), np.zeros(len(rows))
        signals[f"rank.{name}"][at] = ranks
        signals[f"share.{name}"][at] = found.scores
    return Columns(shelf, rows, total, signals).scored(total)[: parameters.limit]


STAGE = Stage("intent", "fuse", Parameters, run)
