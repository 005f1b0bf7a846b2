"""When the channels find almost nothing, fills up with what means nearly the same."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """When it fires, how many it asks for, up to how many it fills, and from where."""

    below: int = 5
    ask: int = 20
    fill: int = 15
    same_package: bool = True


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Ask the service `nearest` when there are fewer candidates than `below`."""
    nearest = context.services.get("nearest")
    if len(candidates) >= parameters.below:
        return candidates
    if nearest is None:
        context.trace.degrade("no embedder is installed")
        return candidates
    found = nearest(context.query.text, parameters.ask, context.query.filters)
    items = context.items(number for number, _ in found)
    folders = Counter(item.path.rpartition("/")[0] for item in items.values())
    home = min(folders, key=lambda folder: (-folders[folder], folder), default="")
    known = {row.number for row in candidates}
    rows = list(candidates)
    for number, score in found:
        inside = number in items and items[number].path.rpartition("/")[0] == home
        if number not in known and (inside or not parameters.same_package) and len(rows) < parameters.fill:
            rows.append(Candidate(number, score, "its meaning is near, and little else was found"))
    return context.ordered(rows)


STAGE = Stage("gap_fill", "expand", Parameters, run)
