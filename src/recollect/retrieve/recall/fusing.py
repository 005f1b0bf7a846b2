"""Adds up columns of scores: the same weighted sum as over single candidates, for thousands at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.values import Ranked
from recollect.store.shelf import Column


def columns_of(ranked: Ranked) -> Columns | None:
    """Return the hits of a channel as columns when they are."""
    return ranked.hits if isinstance(ranked.hits, Columns) else None  # type: ignore[unreachable]


def normed(scores: Column, norm: str) -> Column:
    """Bring scores to [0, 1]; when all are equal nothing is known of their order, and each is 0.5."""
    if norm == "raw" or not len(scores):
        return scores
    low, high = float(scores.min()), float(scores.max())
    if norm == "max":
        return np.maximum(scores / high, 0.0) if high > 0 else np.zeros(len(scores))
    return np.full(len(scores), 0.5) if high == low else (scores - low) / (high - low)


def added_up(
    lists: Sequence[tuple[str, Columns]],
    shares: Mapping[str, float],
    norms: Mapping[str, str],
    leading: Sequence[str],
) -> Columns:
    """Return the weighted sum of what the leading channels found, or of all when they found nothing."""
    shelf = lists[0][1].shelf
    found_by = [found.rows for name, found in lists if name in leading]
    rows = _union(found_by or [found.rows for _, found in lists])
    total = np.zeros(len(rows))
    signals: dict[str, Column] = {}
    for name, found in lists:
        part = _laid(rows, found.rows, normed(found.scores, norms[name]))
        signals[f"share.{name}"] = part
        total += shares[name] * part
    return Columns(shelf, rows, total, signals).scored(total)


def _laid(rows: Column, found: Column, scores: Column) -> Column:
    """Return the scores of some rows, given in rising order; 0 where there is none."""
    if found is rows:
        return scores
    part = np.zeros(len(rows))
    if len(found) > len(rows) and np.all(found[1:] > found[:-1]):
        # The few are looked up among the many.
        at = np.minimum(np.searchsorted(found, rows), len(found) - 1)
        inside = found[at] == rows
        part[inside] = scores[at[inside]]
        return part
    at = np.searchsorted(rows, found)
    inside = at < len(rows)
    inside[inside] = rows[at[inside]] == found[inside]
    part[at[inside]] = scores[inside]
    return part


def _union(parts: Sequence[Column]) -> Column:
    """Return all rows in rising order; channels that share one pool cost nothing."""
    first = parts[0] if parts else np.zeros(0, np.int64)
    different = [part for part in parts if part is not first]
    return np.unique(np.concatenate([first, *different])) if different else np.sort(first)
