"""Adds what implements a type that was found."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.allowed import noise, passes
from recollect.retrieve.context import Context
from recollect.retrieve.neighbours import neighbours
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import TYPE_KINDS


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Which edges lead to an implementor, and how it scores beside its type."""

    edges: tuple[str, ...] = ("implements",)
    factor: float = 1.0
    """An implementor scores this times its type, and comes after it."""
    cap: int = 0
    """How many for one type, 0 for all."""


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Append the implementors in the order of their types."""
    items = context.items(row.number for row in candidates)
    types = [row for row in candidates if row.number in items and items[row.number].kind in TYPE_KINDS]
    scores = {row.number: row.score for row in types}
    found = neighbours(context, scores, parameters.edges, incoming=True, cap=parameters.cap)
    known = {row.number for row in candidates}
    added = context.items(row.number for row in found if row.number not in known)
    rows: dict[int, Candidate] = {}
    for row in found:
        item = added.get(row.number)
        if item is None or noise(item) or not passes(item, context.query.filters):
            continue
        reason = f"it implements {items[row.of].name}"
        rows.setdefault(row.number, Candidate(row.number, parameters.factor * scores[row.of], reason))
        context.trace.note(row.number, reason)
    return context.ordered((*candidates, *rows.values()))


STAGE = Stage("implementors", "expand", Parameters, run)
