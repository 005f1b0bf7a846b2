"""What makes a memory useful, learned from which of those that were shown were used; a view of the events."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from recollect.learn.usage import COUNTS

Judged = tuple[str, int, str, str]
"""Query, uid, kind and detail of an event."""
LEAST = 20
"""With fewer examples nothing is learned."""
MOST = 20_000
"""So many of the newest events are read."""
HIDDEN, RATE, ROUNDS, BATCH, SEED = 16, 0.01, 50, 32, 1


class Log(Protocol):
    """Where events are read."""

    def judgements(self) -> int:
        """Return a number that changes whenever anything is judged."""
        ...

    def judged(self, most: int) -> list[Judged]:
        """Return the newest events of queries of which anything was judged."""
        ...


@dataclass(frozen=True)
class Layers:
    """Two layers of weights."""

    inner: np.ndarray
    inner_bias: np.ndarray
    outer: np.ndarray
    outer_bias: float

    def __call__(self, features: np.ndarray) -> np.ndarray:
        """Return how likely each is of use."""
        hidden = np.maximum(features @ self.inner + self.inner_bias, 0.0)
        made: np.ndarray = _logistic(hidden @ self.outer + self.outer_bias)
        return made


class Relevance:
    """Trains anew when something was judged since."""

    def __init__(self) -> None:
        self._known: tuple[int, Layers | None] = (0, None)
        self._guard = threading.Lock()

    def of(self, log: Log) -> Layers | None:
        """Return what was learned; None when it is too little."""
        state = log.judgements()
        with self._guard:
            if state != self._known[0]:
                self._known = (state, learned(log.judged(MOST)))
            return self._known[1]


def learned(events: Sequence[Judged]) -> Layers | None:
    """Return what events teach; None when they are too few, or all say the same."""
    features, labels = examples(events)
    if len(labels) < LEAST or labels.min() == labels.max():
        return None
    return train(features, labels)


def examples(events: Iterable[Judged]) -> tuple[np.ndarray, np.ndarray]:
    """Return the features with which memories were shown, and whether they were used after that.

    Whatever else the same answer showed is an example of what was not; an answer of which nothing was used teaches
    only what was discarded.
    """
    shown: dict[tuple[str, int], list[float]] = {}
    used: set[tuple[str, int]] = set()
    discarded: set[tuple[str, int]] = set()
    for query, uid, kind, detail in events:
        if kind == "shown" and detail.startswith("["):
            shown[query, uid] = json.loads(detail)
        elif kind in COUNTS:
            used.add((query, uid))
        elif kind == "discarded":
            discarded.add((query, uid))
    helpful = {query for query, _ in used}
    pairs = sorted(pair for pair in shown if pair[0] in helpful or pair in discarded)
    rows = [shown[pair] for pair in pairs]
    return np.array(rows, np.float64), np.array([pair in used for pair in pairs], np.float64)


def train(features: np.ndarray, labels: np.ndarray, seed: int = SEED) -> Layers:
    """Return the weights after all rounds; the same examples give the same weights."""
    dice = np.random.default_rng(seed)
    width = features.shape[1]
    layers = Layers(
        dice.normal(0.0, np.sqrt(2.0 / width), (width, HIDDEN)),
        np.zeros(HIDDEN),
        dice.normal(0.0, np.sqrt(2.0 / HIDDEN), HIDDEN),
        0.0,
    )
    for _ in range(ROUNDS):
        order = dice.permutation(len(labels))
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            layers = _stepped(layers, features[part], labels[part])
    return layers


def _stepped(layers: Layers, features: np.ndarray, labels: np.ndarray) -> Layers:
    """Return the weights after one step down the gradient of the cross-entropy."""
    inside = features @ layers.inner + layers.inner_bias
    hidden = np.maximum(inside, 0.0)
    wrong = (_logistic(hidden @ layers.outer + layers.outer_bias) - labels) / len(labels)
    back = np.outer(wrong, layers.outer) * (inside > 0)
    return Layers(
        layers.inner - RATE * features.T @ back,
        layers.inner_bias - RATE * back.sum(axis=0),
        layers.outer - RATE * hidden.T @ wrong,
        layers.outer_bias - RATE * float(wrong.sum()),
    )


def _logistic(values: np.ndarray) -> np.ndarray:
    made: np.ndarray = 1.0 / (1.0 + np.exp(-np.clip(values, -30.0, 30.0)))
    return made
