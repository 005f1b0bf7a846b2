"""How sure an answer is: the chance that a memory answers the question, and the chance that any of those shown does."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from recollect.retrieve.recall.asked import Asked
from recollect.retrieve.recall.bm25 import rarity
from recollect.retrieve.values import Candidate
from recollect.store.shelf import Column

LEARNED = Path(__file__).parents[1] / "weights" / "memories.toml"
MEANT = ("vector", "dense")
"""Channels whose share is a cosine."""
UNRELATED, SAME = 0.3, 0.8
"""Cosines of texts that have nothing to do with one another, and of such that say the same."""
_LEAST = 0.05
FEW = 200
"""Among fewer memories words are taken to be as rare as among so many: in one memory every word is common."""


class Held(NamedTuple):
    """What each hit holds of the question."""

    own: Column
    """Which share of its words, by rarity."""
    near: Column
    """The same together with what was said before and after it."""
    mass: Column
    """How many words that nobody else says this is worth."""
    relative: Column
    """Its score beside the best one."""
    place: Column
    """How many were found before it; what stands in the place of another shares its place."""


def held(read: Asked, rows: Sequence[Candidate], places: Column) -> Held:
    """Measure hits in their order, given their rows on the shelf."""
    shelf, around = read.shelf, read.shelf.near(places, 1)
    many = max(len(shelf), FEW)
    own, near, whole = np.zeros(len(rows)), np.zeros(len(rows)), 0.0
    for posting, _ in read.postings:
        rare = rarity(many, len(posting.rows))
        there = posting.at(around.ravel()).reshape(around.shape) > 0
        whole += rare
        near += rare * there.any(axis=0)
        own += rare * there[1]
    own, near = own / (whole or 1.0), near / (whole or 1.0)
    told = np.zeros(len(rows))
    if read.question.times:
        # A time that is named counts like one more word, and a rare one.
        words = len(read.question.terms)
        told = np.array([row.signals.get("share.moment", 0.0) for row in rows])
        own, near = ((share * words + told) / (words + 1) for share in (own, near))
    meant = np.array([_meant(row) for row in rows])
    own, near = np.maximum(own, meant), np.maximum(near, meant)
    scores = np.array([row.score for row in rows])
    relative = scores / max(scores.max(initial=0.0), 1e-9)
    newer = np.array([bool(row.signals.get("succession.newer")) for row in rows], bool)
    place = np.cumsum(~newer) - ~newer
    return Held(own, near, near * whole / rarity(many, 1) + told, relative, place)


def chances(found: Held) -> Column:
    """Return for each hit how likely it answers the question."""
    return _likely(learned()["hit"], hit_features(found))


def chance(found: Held) -> float:
    """Return how likely any of the hits answers the question."""
    return float(_likely(learned()["answer"], answer_features(found))) if len(found.own) else 0.0


def hit_features(found: Held) -> Mapping[str, Column]:
    """Return what is weighed of each hit; the best one tells most by what it holds."""
    place = 1.0 / (1.0 + found.place)
    relative = np.log(np.maximum(found.relative, _LEAST))
    return {
        "near": found.near, "relative": relative, "place": place,
        "near_first": found.near * place, "mass_first": found.mass * place,
    }  # fmt: skip


def answer_features(found: Held) -> Mapping[str, Column]:
    """Return what is weighed of all hits together."""
    return {"own": found.own.max(), "near": found.near.max(), "mass": found.mass.max()}


def _likely(weights: Mapping[str, float], features: Mapping[str, Column]) -> Column:
    log = np.asarray(weights["one"] + sum(weights[name] * features[name] for name in features))
    found: Column = 1.0 / (1.0 + np.exp(-log))
    return found


def _meant(row: Candidate) -> float:
    """Return how sure it is that a memory means what is asked for; low cosines say nothing."""
    cosine = max(row.signals.get(f"share.{name}", 0.0) for name in MEANT)
    return min(1.0, max(0.0, (cosine - UNRELATED) / (SAME - UNRELATED)))


@cache
def learned() -> Mapping[str, Mapping[str, float]]:
    """Read the weights that were learned (benchmarks/memory_confidence.py)."""
    return tomllib.loads(LEARNED.read_text("utf-8"))
