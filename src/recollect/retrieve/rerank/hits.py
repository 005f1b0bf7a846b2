"""Tells central symbols of the task from infrastructure that everything leads to."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.graph.hits import hubs_and_authorities
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many of the walk's best are looked at, how long, and what the two scores are worth."""

    top: int = 200
    rounds: int = 10
    seed_authority: float = 0.25
    seed_authority_from: float = 0.05
    other_authority: float = 0.15
    other_authority_from: float = 0.2
    seed_hub: float = 0.10
    seed_hub_from: float = 0.1


def adjustment(seed: bool, authority: float, hub: float, parameters: Parameters) -> float:
    """Return what authority and hub are worth: good for a seed, and bad for what is no seed."""
    if not seed:
        return -authority * parameters.other_authority if authority > parameters.other_authority_from else 0.0
    value = authority * parameters.seed_authority if authority > parameters.seed_authority_from else 0.0
    return value + (hub * parameters.seed_hub if hub > parameters.seed_hub_from else 0.0)


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Give the best candidates the signals `authority`, `hub` and `authority_adjustment`."""
    graph = context.graph
    head = sorted(candidates, key=lambda row: -row.signals.get("walk", 0.0))[: parameters.top]
    places = {row.number: context.place(row.number) for row in head}
    numbers = sorted(number for number, place in places.items() if place is not None)
    if not numbers:
        return candidates
    hubs, authorities = hubs_and_authorities(graph, np.array([places[n] for n in numbers]), parameters.rounds)
    scores = {n: (float(h), float(a)) for n, h, a in zip(numbers, hubs, authorities, strict=True)}
    rows = []
    for row in candidates:
        if row.number in scores:
            hub, authority = scores[row.number]
            worth = adjustment("seed" in row.signals, authority, hub, parameters)
            row = row.scored(row.score, hub=hub, authority=authority, authority_adjustment=worth)  # noqa: PLW2901  # the same row, measured
            if worth:
                context.trace.note(row.number, f"authority {authority:.3f}, hub {hub:.3f}: {worth:+.3f}")
        rows.append(row)
    return tuple(rows)


STAGE = Stage("hits", "rerank", Parameters, run)
