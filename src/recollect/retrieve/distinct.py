"""Sets of numbers as arrays; numpy's own functions for them load all of masked arrays, which a cold start pays for."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def first_of_each(rising: Array) -> Array:
    """Return where each value stands first in a rising array."""
    return np.flatnonzero(np.append(True, rising[1:] != rising[:-1])[: len(rising)])


def distinct(values: Array) -> Array:
    """Return each value once, rising."""
    rising = np.sort(values)
    return rising[first_of_each(rising)]


def places_among(values: Array, rising: Array) -> tuple[Array, Array]:
    """Return where values stand in a rising array, and whether they do."""
    if not len(rising):
        return np.zeros(len(values), np.int64), np.zeros(len(values), np.bool_)
    places = np.minimum(np.searchsorted(rising, values), len(rising) - 1)
    return places, rising[places] == values
