"""Weighted sum of scores; the weight of a channel that has nothing to say goes to the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, cast

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.distinct import distinct
from recollect.retrieve.fuse.rrf import first_ranks, gathered, head, summed
from recollect.retrieve.merging import gathered_columns
from recollect.retrieve.ranking import Notes, Ranking, ranking_of
from recollect.retrieve.recall.columns import Columns, nothing
from recollect.retrieve.recall.fusing import added_up, columns_of
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates, Ranked

Norm = Literal["minmax", "max", "raw"]


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How scores are brought to one scale, whether weights are redistributed, and how many are kept."""

    norm: Norm = "minmax"
    norms: dict[str, Norm] = {}
    """Another norm for single channels."""
    redistribute: bool = True
    limit: int = 50
    leading: tuple[str, ...] = ()
    """Only what one of these channels found is kept, as long as they find anything; empty means any channel."""
    required: bool = False
    """Whether nothing is kept when none of them finds anything."""


def redistributed(weights: Mapping[str, float], active: Sequence[str]) -> dict[str, float]:
    """Share the weight of silent channels among the active ones, in proportion."""
    total = sum(weights[name] for name in sorted(active))
    return {name: weights[name] / total for name in active} if total > 0 else {}


def normed(scores: Mapping[int, float], norm: Norm) -> dict[int, float]:
    """Bring scores to [0, 1]; when all are equal nothing is known of their order, and each is 0.5."""
    if not scores or norm == "raw":
        return dict(scores)
    low, high = min(scores.values()), max(scores.values())
    if norm == "max":
        return {number: max(0.0, score / high) if high > 0 else 0.0 for number, score in scores.items()}
    if high == low:
        return dict.fromkeys(scores, 0.5)
    return {number: (score - low) / (high - low) for number, score in scores.items()}


def contributions(lists: Sequence[Ranked], parameters: Parameters) -> dict[str, dict[int, float]]:
    """Return what each channel adds to the score of every item that it found."""
    heard = sorted((ranked for ranked in lists if ranked.weight > 0), key=lambda row: row.channel)
    weights = {ranked.channel: ranked.weight for ranked in heard}
    active = [ranked.channel for ranked in heard if ranked.hits]
    shares = redistributed(weights, active if parameters.redistribute else list(weights))
    added: dict[str, dict[int, float]] = {}
    for ranked in heard:
        if not ranked.hits:
            continue
        raw = {number: hit.score for number, (_, hit) in first_ranks(ranked).items()}
        norm = parameters.norms.get(ranked.channel, parameters.norm)
        share = shares[ranked.channel]
        added[ranked.channel] = {number: share * score for number, score in normed(raw, norm).items()}
    return added


def fused(lists: Sequence[Ranked], parameters: Parameters) -> dict[int, float]:
    """Return the weighted sum for every item."""
    return summed(contributions(lists, parameters))


def run(context: Context, parameters: Parameters, lists: Sequence[Ranked]) -> Candidates:
    """Fuse the lists and keep the best."""
    columns = [(ranked, found) for ranked in lists if (found := columns_of(ranked)) is not None]
    if columns:
        there = [ranked for ranked in lists if not context.trace.is_absent(f"channel.{ranked.channel}")]
        return _summed(columns, there, parameters)
    if any(isinstance(ranked.hits, Ranking) for ranked in lists):
        return _side_by_side(context, lists, parameters)
    rows = gathered(lists)
    added = contributions(lists, parameters)
    context.trace.current.parts = added
    ordered = context.ordered(Candidate(n, score, *rows[n]) for n, score in summed(added).items())
    return head(context, ordered, parameters.limit)


def _side_by_side(context: Context, lists: Sequence[Ranked], parameters: Parameters) -> Candidates:
    """Do for columns what `contributions` and `gathered` do for single candidates."""
    whole = [(ranked, ranking_of(ranked.hits)) for ranked in lists if len(ranked.hits)]
    numbers = distinct(np.concatenate([found.numbers for _, found in whole] or [np.zeros(0, np.int64)]))
    merged = gathered_columns(numbers, whole)
    heard = sorted(((r, found) for r, found in whole if r.weight > 0), key=lambda pair: pair[0].channel)
    weights = {ranked.channel: ranked.weight for ranked in lists if ranked.weight > 0}
    active = [ranked.channel for ranked, _ in heard] if parameters.redistribute else list(weights)
    shares = redistributed(weights, active)
    sums, parts = np.zeros(len(numbers)), {}
    for ranked, found in heard:
        norm = parameters.norms.get(ranked.channel, parameters.norm)
        added = shares[ranked.channel] * normed_column(found.scores, norm)
        sums[np.searchsorted(numbers, found.numbers)] += added
        parts[ranked.channel] = Notes(found.numbers, added, float)
    context.trace.current.parts = parts
    ordered = context.in_order(replace(merged, scores=sums))
    return head(context, ordered.as_candidates(), parameters.limit)


def normed_column(scores: np.ndarray, norm: Norm) -> np.ndarray:
    """Do what `normed` does for a column."""
    if not len(scores) or norm == "raw":
        return scores
    low, high = scores.min(), scores.max()
    if norm == "max":
        return np.maximum(0.0, scores / high) if high > 0 else np.zeros(len(scores))
    return np.full(len(scores), 0.5) if high == low else (scores - low) / (high - low)


def _summed(
    columns: Sequence[tuple[Ranked, Columns]], lists: Sequence[Ranked], parameters: Parameters
) -> Candidates:
    heard = [(ranked.channel, found) for ranked, found in columns if ranked.weight > 0 and len(found)]
    if not heard:
        return cast(Candidates, nothing(columns[0][1].shelf))
    weights = {ranked.channel: ranked.weight for ranked in lists if ranked.weight > 0}
    if parameters.required and not any(name in parameters.leading for name, _ in heard):
        return cast(Candidates, nothing(columns[0][1].shelf))
    active = [name for name, _ in heard] if parameters.redistribute else list(weights)
    norms = {name: parameters.norms.get(name, parameters.norm) for name in weights}
    found = added_up(heard, redistributed(weights, active), norms, parameters.leading)
    return cast(Candidates, found if len(found) <= parameters.limit else found[: parameters.limit])


STAGE = Stage("linear", "fuse", Parameters, run)
