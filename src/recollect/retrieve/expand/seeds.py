"""Chooses where a walk starts: how many seeds, in which order, with which weights."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import TYPE_KINDS, Item


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Sizes of the graph at which the choice changes, and how fast the weight falls with the rank."""

    prefer_types_above: int = 40_000
    focus: bool = True
    focus_above: int = 5
    large: int = 40_000
    medium: int = 10_000
    seeds_large: int = 25
    seeds_medium: int = 20
    seeds_small: int = 15
    slope: float = 0.1
    all: bool = False
    """Whether every candidate is a seed, whatever the size."""
    supplement: tuple[str, ...] = ("path",)
    """Channels whose results start the walk too, if they are no seeds already."""
    supplement_weight: float = 0.3


def seed_count(nodes: int, parameters: Parameters) -> int:
    """Return how many seeds a graph of this size takes."""
    if nodes > parameters.large:
        return parameters.seeds_large
    return parameters.seeds_medium if nodes > parameters.medium else parameters.seeds_small


def seed_weight(place: int, slope: float = 0.1) -> float:
    """Return the restart weight of the seed at a 0-based place."""
    return 1.0 / (1.0 + slope * place)


def focused(candidates: Sequence[Candidate], items: dict[int, Item], above: int) -> list[Candidate]:
    """Move the largest group of one package to the front, keeping the order inside and outside of it."""
    rows = list(candidates)
    if len(rows) <= above:
        return rows
    groups: dict[str, int] = {}
    for row in rows:
        folder = items[row.number].path.rpartition("/")[0]
        groups[folder] = groups.get(folder, 0) + 1
    home = max(groups, key=lambda folder: groups[folder])
    if groups[home] < 2:
        return rows
    return sorted(rows, key=lambda row: items[row.number].path.rpartition("/")[0] != home)


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Give the chosen candidates the signal `seed`, and the supplements `restart` alone."""
    nodes = context.snapshot.memo("symbols", lambda: context.reader.counts().get("symbols", 0))
    items = context.items(row.number for row in candidates)
    rows = [row for row in candidates if row.number in items]
    if nodes > parameters.prefer_types_above:
        rows = sorted(rows, key=lambda row: items[row.number].kind not in TYPE_KINDS)
        context.trace.summarise("The graph is large, so types go first.")
    if parameters.focus:
        rows = focused(rows, items, parameters.focus_above)
    count = len(rows) if parameters.all else seed_count(nodes, parameters)
    weights = {row.number: seed_weight(place, parameters.slope) for place, row in enumerate(rows[:count])}
    return _marked(context, parameters, candidates, weights)


def _marked(
    context: Context, parameters: Parameters, candidates: Candidates, weights: dict[int, float]
) -> Candidates:
    made = []
    for row in candidates:
        weight = weights.get(row.number)
        if weight is None:
            made.append(row)
        else:
            context.trace.note(row.number, f"a seed with weight {weight:.3f}")
            made.append(row.scored(row.score, seed=weight, restart=weight))
    known = {row.number for row in candidates}
    for ranked in context.trace.ranked:
        if ranked.channel not in parameters.supplement:
            continue
        extra = {hit.number: hit for hit in ranked.hits if hit.number not in weights}
        made = [
            row.scored(row.score, restart=parameters.supplement_weight) if row.number in extra else row
            for row in made
        ]
        for number in sorted(set(extra) - known):
            signals = {"restart": parameters.supplement_weight, f"rank.{ranked.channel}": 0.0}
            made.append(Candidate(number, 0.0, extra[number].reason, signals))
    return tuple(made)


STAGE = Stage("seeds", "expand", Parameters, run)
