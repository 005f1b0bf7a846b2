"""The final score: how far a change reaches, how sure its edges are, how recent, how near, and what was learned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from recollect.decay import COMMIT_RECENCY, DAY, RUNTIME_RECENCY, decay, runtime_confidence
from recollect.retrieve.confidence import confidences
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import Seen

STATIC_RECENCY = 0.3


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of the terms, without and with hub and authority scores, and what stands for each."""

    blast: float = 0.40
    confidence: float = 0.25
    recency: float = 0.20
    distance: float = 0.15
    hits_blast: float = 0.35
    hits_confidence: float = 0.20
    hits_recency: float = 0.15
    hits_distance: float = 0.15
    session: float = 0.20
    seed_bonus: float = 0.0
    """What a seed of weight 1 adds to a blast radius that goes to 100."""
    reach: Literal["walk", "callers"] = "walk"
    """What stands for the blast radius."""
    runs: bool = True
    """Whether it counts how often and how lately something was seen running, where that is known."""
    commits: bool = True
    """Whether the age of the last commit counts, where it is known."""
    commit_head: int = 50


class Weights(Struct, frozen=True):
    """The weights of the four terms that sum up."""

    blast: float
    confidence: float
    recency: float
    distance: float


def weights_of(parameters: Parameters, with_hits: bool) -> Weights:
    """Return the weights with or without hub and authority scores."""
    p = parameters
    if with_hits:
        return Weights(p.hits_blast, p.hits_confidence, p.hits_recency, p.hits_distance)
    return Weights(p.blast, p.confidence, p.recency, p.distance)


def runtime_recency(age: float | None) -> float:
    """Return how recently a symbol ran; what was never seen running gets a middling value."""
    return STATIC_RECENCY if age is None else decay(age, 1.0, RUNTIME_RECENCY)


def commit_recency(age: float) -> float:
    """Return what a fresh commit adds."""
    return decay(age, 1.0, COMMIT_RECENCY)


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Score every candidate anew and order them."""
    if not candidates:
        return candidates
    with_hits = any("authority" in row.signals for row in candidates)
    weights = weights_of(parameters, with_hits)
    blasts = {row.number: _blast(row, parameters) for row in candidates}
    largest = max(blasts.values()) or 1.0
    sure = confidences(context, [row.number for row in candidates])
    ran = _runs(context, parameters, candidates)
    commits = _commit_terms(context, parameters, candidates)
    rows = []
    for row in candidates:
        terms = {
            "blast": weights.blast * blasts[row.number] / largest,
            "confidence": weights.confidence * _confidence(sure.get(row.number, 0.0), ran.get(row.number)),
            "recency": weights.recency * runtime_recency(_age(context, ran.get(row.number))),
            "distance": weights.distance / (1.0 + _hops(row)),
            "authority": row.signals.get("authority_adjustment", 0.0),
            "feedback": row.signals.get("feedback", 0.0),
            "session": parameters.session * row.signals.get("session", 0.0) / 2.0,
            "commit": commits.get(row.number, 0.0),
        }
        context.trace.detail(row.number, terms)
        rows.append(Candidate(row.number, sum(terms.values()), row.reason, row.signals))
    return context.ordered(rows)


def _blast(row: Candidate, parameters: Parameters) -> float:
    if parameters.reach == "callers":
        return row.signals.get("callers", 0.0)
    return 100.0 * row.signals.get("walk", 0.0) + parameters.seed_bonus * row.signals.get("seed", 0.0)


def _hops(row: Candidate) -> float:
    return row.signals.get("hops", 0.0 if "seed" in row.signals else 1.0)


def _runs(context: Context, parameters: Parameters, candidates: Candidates) -> Mapping[int, Seen]:
    """Return what was seen running, when the service `ran` knows of runs."""
    ran = context.services.get("ran")
    if ran is None or not parameters.runs:
        return {}
    found: Mapping[int, Seen] = ran(context.items(row.number for row in candidates).values())
    return found


def _confidence(known: float, ran: Seen | None) -> float:
    """Return the surest that anything leads to an item; that it ran says so too."""
    return known if ran is None else max(known, runtime_confidence(ran.times))


def _age(context: Context, ran: Seen | None) -> float | None:
    return None if ran is None else context.now - ran.last


def _commit_terms(context: Context, parameters: Parameters, candidates: Candidates) -> Mapping[int, float]:
    """Return what fresh commits add to the head, when the service `committed` knows when a line was last changed."""
    committed = context.services.get("committed")
    if committed is None or not parameters.commits:
        return {}
    head = list(context.items(row.number for row in candidates[: parameters.commit_head]).values())
    times: Mapping[int, float] = committed(head)
    return {number: commit_recency(max(0.0, context.now - time)) for number, time in times.items()}


__all__ = ["DAY", "STAGE", "Parameters", "commit_recency", "run", "runtime_recency", "weights_of"]
STAGE = Stage("composite", "rerank", Parameters, run)
