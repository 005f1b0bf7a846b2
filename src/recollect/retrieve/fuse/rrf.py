"""Reciprocal rank fusion: each channel adds weight / (k + rank), brought to [0, 1] by the best that was possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates, Ranked


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """The constant, what an absent item is worth, and how many are kept."""

    k: int = 60
    absent: Literal["zero", "penalty"] = "zero"
    limit: int = 40
    capped: dict[str, float] = {}
    """Channels that may bring at most so many times what the channels in `against` bring together."""
    against: tuple[str, ...] = ()
    least_cap: int = 10


def capped(lists: Sequence[Ranked], parameters: Parameters) -> tuple[Ranked, ...]:
    """Cut channels that would drown the others."""
    base = sum(len(ranked.hits) for ranked in lists if ranked.channel in parameters.against)
    rows = []
    for ranked in lists:
        factor = parameters.capped.get(ranked.channel)
        most = len(ranked.hits) if factor is None else max(parameters.least_cap, int(factor * base))
        rows.append(Ranked(ranked.channel, ranked.weight, ranked.hits[:most], ranked.degraded))
    return tuple(rows)


def reciprocal(weight: float, rank: int, k: int = 60) -> float:
    """Return what a 1-based rank is worth."""
    return weight / (k + rank)


def contributions(lists: Sequence[Ranked], parameters: Parameters) -> dict[str, dict[int, float]]:
    """Return what each channel adds to the score of every item; channels without hits count for nothing at all."""
    active = sorted(
        (ranked for ranked in lists if ranked.hits and ranked.weight > 0), key=lambda row: row.channel
    )
    best = sum(ranked.weight for ranked in active) / (parameters.k + 1)
    numbers = sorted({hit.number for ranked in active for hit in ranked.hits})
    added: dict[str, dict[int, float]] = {}
    for ranked in active:
        ranks, part = first_ranks(ranked), added.setdefault(ranked.channel, {})
        for number in numbers:
            place = ranks.get(number)
            if place is not None:
                weight = ranked.weight * place[1].signals.get("fuse.weight", 1.0)
                part[number] = reciprocal(weight, place[0], parameters.k) / best
            elif parameters.absent == "penalty":
                part[number] = reciprocal(ranked.weight, len(ranks) + 1, parameters.k) / best
    return added


def fused(lists: Sequence[Ranked], parameters: Parameters) -> dict[int, float]:
    """Return the score of every item in [0, 1]."""
    return summed(contributions(lists, parameters))


def summed(added: Mapping[str, Mapping[int, float]]) -> dict[int, float]:
    """Return the sum of what all channels add to each item."""
    scores: dict[int, float] = {}
    for part in added.values():
        for number, score in part.items():
            scores[number] = scores.get(number, 0.0) + score
    return scores


def first_ranks(ranked: Ranked) -> dict[int, tuple[int, Candidate]]:
    """Return the 1-based rank of each item, counting each item once."""
    hits = tuple(ranked.hits)
    once = {hit.number: hit for hit in reversed(hits)}
    if len(once) == len(hits):
        return {hit.number: (rank, hit) for rank, hit in enumerate(hits, 1)}
    first = dict.fromkeys(hit.number for hit in hits)
    return {number: (rank, once[number]) for rank, number in enumerate(first, 1)}


def gathered(lists: Sequence[Ranked]) -> dict[int, tuple[str, dict[str, float]]]:
    """Return for every item the reasons of all channels, its rank in each and its share of each one's best score."""
    rows: dict[int, tuple[str, dict[str, float]]] = {}
    for ranked in lists:
        best = max((hit.score for hit in ranked.hits), default=0.0)
        rank_key, share_key = f"rank.{ranked.channel}", f"share.{ranked.channel}"
        for number, (rank, hit) in first_ranks(ranked).items():
            reason, signals = rows.get(number) or ("", {})
            if hit.signals:
                signals.update(hit.signals)
                signals.pop("fuse.weight", None)
            signals[rank_key] = rank
            signals[share_key] = hit.score / best if best > 0 else 0.0
            rows[number] = (_with_reason(reason, hit.reason), signals)
    return rows


def _with_reason(said: str, reason: str) -> str:
    """Return the reasons so far and one more, unless it was given already."""
    if not said or not reason:
        return said or reason
    return said if reason in said and reason in said.split("; ") else f"{said}; {reason}"


def run(context: Context, parameters: Parameters, lists: Sequence[Ranked]) -> Candidates:
    """Fuse the lists and keep the best."""
    lists = capped(lists, parameters)
    rows = gathered(lists)
    added = contributions(lists, parameters)
    context.trace.current.parts = added
    made = (Candidate(n, score, *rows[n]) for n, score in summed(added).items())
    return head(context, context.ordered(made), parameters.limit)


def head(context: Context, ordered: Candidates, limit: int) -> Candidates:
    """Keep the best and say of each of the rest where it stood."""
    for rank, row in enumerate(ordered[limit:], limit + 1):
        context.trace.drop(row.number, f"it came {rank}th after fusion, and {limit} are kept")
        context.trace.detail(row.number, {"rank": float(rank), "score": row.score})
    return ordered[:limit]


STAGE = Stage("rrf", "fuse", Parameters, run)
