"""What was useful, or not, for questions like this one; nothing known is nothing, not zero."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.cluster import cluster_of
from recollect.retrieve.context import Context
from recollect.retrieve.roots import root_of
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What full usefulness adds and full uselessness takes."""

    positive: float = 0.25
    negative: float = 0.05


def adjustment(useful: int, useless: int, positive: float = 0.25, negative: float = 0.05) -> float:
    """Return what the counts add to a score: 0 when half of them, or none, are useful."""
    total = useful + useless
    if not total:
        return 0.0
    ratio = useful / total
    if ratio >= 0.5:
        return positive * 2.0 * (ratio - 0.5)
    return -negative * 2.0 * (0.5 - ratio)


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Give judged candidates the signal `feedback`."""
    judged = context.learned.feedback(cluster_of(context.query.keywords), root_of(context))
    if not judged:
        return candidates
    items = context.items(row.number for row in candidates)
    rows = []
    for row in candidates:
        counts = judged.get(items[row.number].id) if row.number in items else None
        if counts is not None:
            value = adjustment(*counts, parameters.positive, parameters.negative)
            context.trace.note(row.number, f"useful {counts[0]} times, not useful {counts[1]} times")
            row = row.scored(row.score, feedback=value)  # noqa: PLW2901  # the same row, judged
        rows.append(row)
    return tuple(rows)


STAGE = Stage("feedback", "boost", Parameters, run)
