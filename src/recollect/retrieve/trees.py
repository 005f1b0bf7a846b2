"""Sums up learned trees of equal depth for many rows at once; each is a few comparisons and one look-up."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec
import numpy as np


class Trees(NamedTuple):
    """Every tree asks the same number of questions, whose answers are the bits of a leaf's place."""

    features: np.ndarray
    """For each tree, the columns that it looks at."""
    borders: np.ndarray
    """What a value has to exceed for its bit to be set."""
    leaves: np.ndarray
    """What each leaf of each tree adds."""


class _Stored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of weights holds; `made` says of what, by which script."""

    made: dict[str, object]
    features: list[str]
    trees: list[tuple[list[int], list[float], list[float]]]


@cache
def shipped(name: str, features: tuple[str, ...]) -> Trees:
    """Read the trees that were learned for these features (benchmarks/training)."""
    raw = files("recollect.retrieve").joinpath("weights", f"{name}.trees.json").read_bytes()
    stored = msgspec.json.decode(raw, type=_Stored)
    places = np.array([features.index(feature) for feature in stored.features])
    return Trees(
        places[np.array([tree[0] for tree in stored.trees])],
        np.array([tree[1] for tree in stored.trees], np.float32),
        np.array([tree[2] for tree in stored.trees]),
    )


def sums(trees: Trees, matrix: np.ndarray) -> np.ndarray:
    """Return what all trees together say of every row."""
    count, depth = trees.features.shape
    above = matrix.astype(np.float32)[:, trees.features.ravel()] > trees.borders.ravel()
    bits = above.reshape(len(matrix), count, depth)
    places = np.zeros((len(matrix), count), np.intp)
    for level in range(depth):
        places += bits[:, :, level].astype(np.intp) << level
    found: np.ndarray = trees.leaves[np.arange(count), places].sum(1)
    return found
