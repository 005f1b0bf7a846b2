"""Puts what a framework calls a concept of the task on top, when the task clearly speaks of it."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.allowed import noise
from recollect.retrieve.concepts import matches, spoken, symbols_of
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Which classes may do it, how far above the rest they land, and how many."""

    weight_from: float = 0.9
    above: float = 0.1
    limit: int = 5
    per_target: int = 2


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Insert the symbols of strong matches above everything else."""
    strong = [
        match
        for match in matches(context, ("framework",))
        if match.strong and match.matched.weight >= parameters.weight_from
    ]
    found = symbols_of(context, strong, parameters.per_target)
    if not found:
        return candidates
    known = {row.number: row for row in candidates}
    items = context.items(number for number, _, _ in found)
    top = max((row.score for row in candidates), default=0.0)
    raised: dict[int, Candidate] = {}
    for number, target, match in found:
        if (
            number not in items
            or noise(items[number], context.query.about_tests)
            or len(raised) >= parameters.limit
        ):
            continue
        reason = f"{spoken(match)} speaks of {match.matched.concept.lower().replace('_', ' ')}: {target}"
        old = known.get(number) or Candidate(number, 0.0, reason)
        signals = {**old.signals, "walk": max(old.signals.get("walk", 0.0), 1.0)}
        raised[number] = Candidate(number, top + parameters.above, old.reason, signals)
        context.trace.note(number, f"put on top: {reason}")
    return context.ordered((*raised.values(), *(row for row in candidates if row.number not in raised)))


STAGE = Stage("inject", "rerank", Parameters, run)
