"""Packs signatures by value per token, nearer ones first, and never over the budget."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.allowed import is_phantom
from recollect.retrieve.context import Context
from recollect.retrieve.packing import (
    Entry,
    Framing,
    Packed,
    PlainLines,
    density,
    node_tokens,
    proximity_exponent,
)
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import Item


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How strongly nearness counts, by how many of the candidates stand outside the source."""

    base: float = 0.3
    slope: float = 0.2
    highest: float = 0.7
    exponent: float | None = None
    """A fixed exponent instead."""


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Packed:
    """Take what fits in the order of density; what does not fit makes room for smaller ones."""
    budget = max(0, context.query.budget or 0)
    framing: Framing = context.services.get("framing") or PlainLines()
    items = context.items(row.number for row in candidates)
    exponent = parameters.exponent
    if exponent is None:
        exponent = proximity_exponent(
            _phantoms(context), parameters.base, parameters.slope, parameters.highest
        )
    left = budget - framing.overhead(context.count_tokens)
    entries = []
    for row in _by_density(candidates, items, exponent):
        item = items[row.number]
        text = item.signature or item.name
        cost = framing.cost(item, text, row.reason, context.count_tokens)
        if cost <= left:
            left -= cost
            entries.append(Entry(row, item, text, cost))
        else:
            context.trace.drop(row.number, f"it costs {cost} tokens and {max(0, left)} of {budget} were left")
    entries.sort(key=lambda entry: (-round(entry.candidate.score, 12), entry.item.id))
    spent = budget - left if entries else 0
    context.trace.summarise(f"{len(entries)} of {len(candidates)} fit into {budget} tokens, using {spent}.")
    return Packed(tuple(entries), spent, budget, len(candidates) - len(entries))


def _by_density(candidates: Candidates, items: dict[int, Item], exponent: float) -> list[Candidate]:
    def order(row: Candidate) -> tuple[float, float, str]:
        item = items[row.number]
        value = density(row.score, node_tokens(item), row.signals.get("walk", 1.0), exponent)
        return (-round(value, 15), -round(row.score, 12), item.id)

    return sorted((row for row in candidates if row.number in items), key=order)


def _phantoms(context: Context) -> float:
    """Return how many candidates of the fused lists stand outside the source, for each that does not."""
    numbers = {hit.number for ranked in context.trace.ranked for hit in ranked.hits}
    outside = sum(is_phantom(item) for item in context.items(numbers).values())
    return outside / (len(numbers) - outside) if len(numbers) > outside else float(outside > 0)


STAGE = Stage("density", "pack", Parameters, run)
