"""Fits a linear ranker: what was right should win among the candidates of its question; numpy only, no seed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

STEPS, RATE, DECAY = 300, 0.05, 1e-3


def fit_softmax(
    questions: Sequence[tuple[np.ndarray, np.ndarray]], counts: Sequence[float] | None = None
) -> np.ndarray:
    """Return the weights for questions that are each a matrix of features and a mask of the rows that are right.

    `counts` says how often each question counts; once when it is not given.
    """
    features = np.concatenate([matrix for matrix, _ in questions]).astype(np.float64)
    target = np.concatenate([right / right.sum() for _, right in questions])
    lengths = np.array([len(right) for _, right in questions])
    starts = np.cumsum(lengths) - lengths
    share = np.ones(len(questions)) if counts is None else np.asarray(counts, float)
    each = np.repeat(share / share.sum(), lengths)
    weights, first, second = (np.zeros(features.shape[1]) for _ in range(3))
    for step in range(1, STEPS + 1):
        logits = features @ weights
        odds = np.exp(logits - np.repeat(np.maximum.reduceat(logits, starts), lengths))
        odds /= np.repeat(np.add.reduceat(odds, starts), lengths)
        gradient = DECAY * weights + features.T @ ((odds - target) * each)
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weights
