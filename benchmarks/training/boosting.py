"""Fits trees of equal depth on top of a linear ranker, by the gradient of the same softmax; numpy only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from recollect.retrieve.trees import Trees

BINS = 32


class Plan(NamedTuple):
    """How many trees of which depth, how far each goes, and what keeps them modest."""

    count: int = 200
    depth: int = 4
    rate: float = 0.15
    ridge: float = 4.0
    """In questions: what a leaf needs to be believed."""
    share: float = 0.5
    """Of the features that each tree may look at."""


class Rows(NamedTuple):
    """All questions side by side."""

    features: np.ndarray
    target: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray
    counts: np.ndarray
    """How often each row's question counts, on average once."""


def side_by_side(questions: Sequence[tuple[np.ndarray, np.ndarray]], counts: Sequence[float]) -> Rows:
    """Return the questions, each a matrix of features and a mask of the rows that are right, as one table."""
    lengths = np.array([len(right) for _, right in questions])
    share = np.asarray(counts, float)
    return Rows(
        np.concatenate([matrix for matrix, _ in questions]).astype(np.float32),
        np.concatenate([right / right.sum() for _, right in questions]),
        np.cumsum(lengths) - lengths,
        lengths,
        np.repeat(share / share.mean(), lengths),
    )


def fit_trees(rows: Rows, offsets: np.ndarray, plan: Plan) -> Trees:
    """Return trees that are added to the offsets; the same rows always give the same trees."""
    borders = [_borders(rows.features[:, column]) for column in range(rows.features.shape[1])]
    binned = np.stack(
        [np.searchsorted(edges, rows.features[:, column]) for column, edges in enumerate(borders)]
    ).astype(np.int64)
    usable = [column for column, edges in enumerate(borders) if len(edges)]
    scores = offsets.astype(float).copy()
    dice = np.random.RandomState(0)
    grown = []
    for _ in range(plan.count):
        chosen = sorted(dice.choice(usable, max(1, int(plan.share * len(usable))), replace=False))
        slope, bend = _gradient(rows, scores)
        questions, leaf = _grow(binned, borders, chosen, (slope, bend), plan)
        totals = [np.bincount(leaf, values, 1 << plan.depth) for values in (slope, bend)]
        values = -plan.rate * totals[0] / (totals[1] + plan.ridge)
        scores += values[leaf]
        grown.append((questions, values))
    return Trees(
        np.array([[column for column, _ in questions] for questions, _ in grown]),
        np.array(
            [[borders[column][place] for column, place in questions] for questions, _ in grown], np.float32
        ),
        np.array([values for _, values in grown]),
    )


def _borders(values: np.ndarray) -> np.ndarray:
    """Return where a feature is cut: every value but the greatest where there are few, else quantiles."""
    different = np.unique(values)
    if len(different) <= BINS:
        return different[:-1].astype(np.float32)
    cuts = np.linspace(0, 1, BINS + 1)[1:-1]
    # Most features are 0 for most rows, so the others are cut by themselves.
    telling = (np.quantile(part, cuts, method="lower") for part in (values, values[values != 0]))
    return np.unique(np.concatenate([*telling])).astype(np.float32)


def _gradient(rows: Rows, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    top = np.repeat(np.maximum.reduceat(scores, rows.starts), rows.lengths)
    odds = np.exp(scores - top)
    odds /= np.repeat(np.add.reduceat(odds, rows.starts), rows.lengths)
    return (odds - rows.target) * rows.counts, np.maximum(odds * (1 - odds), 1e-6) * rows.counts


def _grow(
    binned: np.ndarray,
    borders: Sequence[np.ndarray],
    chosen: Sequence[int],
    gradient: tuple[np.ndarray, np.ndarray],
    plan: Plan,
) -> tuple[list[tuple[int, int]], np.ndarray]:
    """Return the questions of one tree, each a column and the place of its border, and the leaf of every row."""
    leaf = np.zeros(binned.shape[1], np.int64)
    questions: list[tuple[int, int]] = []
    for level in range(plan.depth):
        best = (-np.inf, 0, 0)
        for column in chosen:
            width = len(borders[column]) + 1
            place = leaf * width + binned[column]
            slope, bend = (
                np.bincount(place, values, width << level).reshape(-1, width).cumsum(1) for values in gradient
            )
            below = slope[:, :-1] ** 2 / (bend[:, :-1] + plan.ridge)
            above = (slope[:, -1:] - slope[:, :-1]) ** 2 / (bend[:, -1:] - bend[:, :-1] + plan.ridge)
            gains = (below + above).sum(0)
            at = int(np.argmax(gains))
            best = max(best, (float(gains[at]), -column, -at))
        column, at = -best[1], -best[2]
        questions.append((column, at))
        leaf += (binned[column] > at).astype(np.int64) << level
    return questions, leaf
