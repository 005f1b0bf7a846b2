"""Reads what gather.py measured, and splits it so that no repository is on both sides."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from gather import Row

FOLDS = 5


def load(files: Sequence[Path], features: Sequence[str], place: int) -> list[Row]:
    """Return the rows of some files, which must have been measured with the engine's present features."""
    rows = []
    for file in files:
        measured = pickle.loads(file.read_bytes())  # our own file, made a moment ago
        if tuple(measured[place]) != tuple(features):
            raise SystemExit(f"{file} was measured with other features; run gather.py again.")
        rows += [Row(*row) for row in measured[2]]
    return rows


def folds(rows: Sequence[Row]) -> Iterator[frozenset[str]]:
    """Return the repositories that each fold holds out."""
    splits = sorted({row.split for row in rows})
    order = np.random.RandomState(0).permutation(len(splits))
    for fold in range(FOLDS):
        yield frozenset(splits[place] for place in order[fold::FOLDS])
