"""What was touched a moment ago in this session counts a little more."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Which events count, how fast they fade, and what the boost may add (0 leaves it to a later stage)."""

    kinds: tuple[str, ...] = ("shown", "selected", "used")
    half_life: float = 180.0
    add: float = 0.0


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Give candidates the signal `session`, from 0 to 2."""
    query = context.query
    boosts = context.learned.session(
        query.session, context.now, frozenset(parameters.kinds), parameters.half_life
    )
    if not boosts:
        return candidates
    items = context.items(row.number for row in candidates)
    rows = []
    for row in candidates:
        boost = boosts.get(items[row.number].id) if row.number in items else None
        if boost:
            context.trace.note(row.number, f"touched lately in this session ({boost:.2f})")
            row = row.scored(row.score + parameters.add * boost / 2.0, session=boost)  # noqa: PLW2901  # the same row, boosted
        rows.append(row)
    return context.ordered(rows) if parameters.add else tuple(rows)


STAGE = Stage("session", "boost", Parameters, run)
