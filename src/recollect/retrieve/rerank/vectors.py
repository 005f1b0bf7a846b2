"""Orders the head again by nearness of meaning, when an embedder is at hand."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many are looked at, and how much of the old score stays."""

    top: int = 50
    original: float = 0.0


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Ask the service `similarity` for the head; the rest follows behind it in its order."""
    similarity = context.services.get("similarity")
    if similarity is None:
        context.trace.degrade("no embedder is installed")
        return candidates
    head, rest = candidates[: parameters.top], candidates[parameters.top :]
    near = similarity(context.query.text, [row.number for row in head])
    floor = max((row.score for row in rest), default=0.0)
    keep = parameters.original
    rows = [
        row.scored(
            floor + keep * row.score + (1.0 - keep) * max(0.0, near.get(row.number, 0.0)),
            similarity=near.get(row.number, 0.0),
        )
        for row in head
    ]
    return (*context.ordered(rows), *rest)


STAGE = Stage("vectors", "rerank", Parameters, run)
