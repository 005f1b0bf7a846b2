"""Adds what calls the candidates, one step away."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.allowed import noise, passes
from recollect.retrieve.context import Context
from recollect.retrieve.neighbours import neighbours
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Which edges count as calls, and how many callers are listed for one symbol."""

    edges: tuple[str, ...] = ("calls",)
    cap: int = 100


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Append callers with the signal `hops` 1; every candidate gets its number of `callers`."""
    known = {row.number for row in candidates}
    found = neighbours(context, sorted(known), parameters.edges, incoming=True)
    fresh: dict[int, int] = {}
    for row in found:
        fresh.setdefault(row.number, row.of)
    items = context.items((*known, *fresh))
    rows = list(candidates)
    listed: dict[int, int] = {}
    for number, of in fresh.items():
        item = items.get(number)
        listed[of] = listed.get(of, 0) + 1
        if number in known or item is None or listed[of] > parameters.cap:
            continue
        if not noise(item) and passes(item, context.query.filters):
            rows.append(Candidate(number, 0.5, f"it calls {items[of].name}", {"hops": 1.0}))
    counts: dict[int, int] = {}
    for row in neighbours(context, sorted({row.number for row in rows}), parameters.edges, incoming=True):
        counts[row.of] = counts.get(row.of, 0) + 1
    return tuple(row.scored(row.score, callers=float(counts.get(row.number, 0))) for row in rows)


STAGE = Stage("callers", "expand", Parameters, run)
