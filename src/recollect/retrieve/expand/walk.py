"""Lets relevance flow from the seeds through the graph, and brings in what it reaches."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from recollect.graph import walk as graph_walk
from recollect.graph.transitions import Transitions, transitions
from recollect.graph.weights import edge_weights
from recollect.retrieve.allowed import is_phantom, passes
from recollect.retrieve.context import Context
from recollect.retrieve.neighbours import neighbours
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How the walker moves, when it stops, and what is kept of where it was."""

    alpha: float = 0.2
    iterations: int = 20
    tolerance: float = 0.001
    stable_top: int = 10
    stable_rounds: int = 2
    depth: int = 4
    threshold: float = 0.02
    keep: int = 1000
    structural: bool = True
    """Whether containment carries relevance at all."""
    fan_out: int = 50
    """A type or file with more members shares the weight of this many among them, 0 for no cap."""
    types: dict[str, float] = {}
    """Other weights for single edge types."""
    provenances: dict[str, float] = {}
    left_out: tuple[str, ...] = ("file", "chunk")
    """Kinds that carry relevance but are no answers."""
    massive: int = 200_000
    massive_confidence: float = 0.3


def confidence(scores: list[float]) -> float:
    """Return how clearly the head stands out: 0 when the top is under 1.2 times the tenth, 1 over 3 times."""
    if len(scores) < 10 or scores[9] <= 0:
        return 1.0
    return min(1.0, max(0.0, (scores[0] / scores[9] - 1.2) / (3.0 - 1.2)))


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Walk, keep what scores above the threshold, and leave the score as the signal `walk`."""
    nodes = context.snapshot.memo("symbols", lambda: context.reader.counts().get("symbols", 0))
    sure = confidence([row.score for row in candidates])
    if nodes > parameters.massive and sure < parameters.massive_confidence:
        return _direct(context, candidates)
    seeds = {row.number: row.signals["restart"] for row in candidates if row.signals.get("restart")}
    graph = context.graph
    starts = graph_walk.restart(graph, seeds)
    rule = graph_walk.Walk(parameters.alpha, parameters.iterations, parameters.tolerance,
                           parameters.stable_top, parameters.stable_rounds, parameters.depth)  # fmt: skip
    result = graph_walk.walk(_ready(context, parameters), starts, rule)
    scores = result.scores
    record = context.trace.current
    record.data = {"scores": scores, "numbers": graph.numbers, "threshold": parameters.threshold}
    record.summary = f"{result.iterations} steps from {len(seeds)} seeds, then {result.reason}."
    return _reached(context, parameters, candidates, scores)


def _ready(context: Context, parameters: Parameters) -> Transitions:
    types = dict(parameters.types)
    if not parameters.structural:
        types |= {"contains": 0.0, "member_of": 0.0}
    key = (
        "transitions",
        tuple(sorted(types.items())),
        tuple(sorted(parameters.provenances.items())),
        parameters.fan_out,
    )
    graph = context.graph
    return context.snapshot.memo(
        key,
        lambda: transitions(graph, edge_weights(graph, types, parameters.provenances, parameters.fan_out)),
    )


def _reached(
    context: Context, parameters: Parameters, candidates: Candidates, scores: np.ndarray
) -> Candidates:
    graph = context.graph
    places = np.flatnonzero(scores >= parameters.threshold)
    if len(places) > parameters.keep:
        places = places[np.argsort(-scores[places], kind="stable")[: parameters.keep]]
    found = {int(graph.numbers[place]): float(scores[place]) for place in places}
    before = {row.number: row for row in candidates}
    items = context.items((*found, *before))
    rows: list[Candidate] = []
    for number, score in found.items():
        item = items.get(number)
        if item is None or item.kind in parameters.left_out or is_phantom(item):
            continue
        if not passes(item, context.query.filters):
            context.trace.drop(number, "the filters of the query leave it out")
            continue
        row = before.get(number) or Candidate(number, 0.0, "the graph leads to it from the seeds")
        rows.append(row.scored(score, walk=score))
    _drop_lost(context, before, {row.number for row in rows}, found)
    return context.ordered(rows)


def _drop_lost(
    context: Context, before: Mapping[int, Candidate], kept: set[int], found: Mapping[int, float]
) -> None:
    for number in before:
        if number not in kept and number not in context.trace.current.dropped:
            reason = (
                "it is no answer of its own" if number in found else "the walk scored it below the threshold"
            )
            context.trace.drop(number, reason)


def _direct(context: Context, candidates: Candidates) -> Candidates:
    """Without a walk: the candidates as they are, and the members of the types among them."""
    context.trace.summarise("The graph is massive and no candidate stands out, so there was no walk.")
    known = {row.number: row for row in candidates}
    rows = [row.scored(row.score, walk=row.score) for row in candidates if row.score > 0]
    for near in neighbours(context, known, ("contains",), incoming=False, cap=20):
        if near.number not in known and known[near.of].score > 0:
            score = 0.5 * known[near.of].score
            rows.append(Candidate(near.number, score, "it belongs to a type that was found", {"walk": score}))
            known[near.number] = rows[-1]
    return context.ordered(rows)


STAGE = Stage("walk", "expand", Parameters, run)
