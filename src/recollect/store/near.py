"""Vectors of memories in the order of a shelf, and which of them are nearest to another one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from recollect.store.shelf import Column

EXACT = 50_000
"""Up to so many candidates every vector is compared; above it only those whose signs agree best with the question's."""
RESCORED = 1_000
"""How many of those are compared exactly, at least; forty times the limit when that is more."""
_BLOCK = 65_536
_COUNTS_BITS = hasattr(np, "bitwise_count")
"""Before numpy 2 every vector is compared."""


@dataclass(frozen=True)
class Near:
    """The vectors of one model; row i of each array belongs together."""

    rows: Column
    """The row of each vector on the shelf, rising."""
    matrix: np.ndarray
    """int8, to be multiplied by its row's scale."""
    scales: np.ndarray
    exact: int = EXACT

    def __len__(self) -> int:
        return len(self.rows)

    def cosines(self, vector: np.ndarray, which: Column | None = None) -> Column:
        """Return the cosine of every vector, or of some, with one of length 1."""
        if which is not None:
            return np.asarray(self._exactly(which, vector), np.float64)
        found = np.empty(len(self), np.float64)
        for start in range(0, len(self), _BLOCK):
            part = slice(start, start + _BLOCK)
            found[part] = self._exactly(part, vector)
        return found

    def best(self, vector: np.ndarray, limit: int, allowed: Column | None = None) -> tuple[Column, Column]:
        """Return the rows of the shelf nearest to a vector with their cosines, nearest first; only allowed ones."""
        which = np.arange(len(self)) if allowed is None else np.flatnonzero(allowed[self.rows])
        if len(which) > self.exact and _COUNTS_BITS:
            which = self._promising(vector, which, max(RESCORED, 40 * limit))
        found = self.cosines(vector, None if len(which) == len(self) else which)
        if limit < len(found):
            head = np.argpartition(-found, limit - 1)[:limit]
            which, found = which[head], found[head]
        order = np.lexsort((self.rows[which], -found))
        return self.rows[which[order]], found[order]

    def vectors(self, which: Column) -> np.ndarray:
        """Return some vectors as floats, by their position."""
        made: np.ndarray = self.matrix[which].astype(np.float32) * self.scales[which, None]
        return made

    def places(self, rows: Column) -> Column:
        """Return the position of the vectors of some rows that have one."""
        at = np.searchsorted(self.rows, rows)
        at = at[(at < len(self))]
        found: Column = at[np.isin(self.rows[at], rows)]
        return found

    def _exactly(self, which: Column | slice, vector: np.ndarray) -> np.ndarray:
        if self._floats is not None:
            found: np.ndarray = self._floats[which] @ vector
        else:
            found = (self.matrix[which].astype(np.float32) @ vector) * self.scales[which]
        return found

    @cached_property
    def _floats(self) -> np.ndarray | None:
        """Return the vectors ready to be multiplied, as long as they are few."""
        return self.vectors(np.arange(len(self))) if len(self) <= self.exact else None

    def _promising(self, vector: np.ndarray, which: Column, many: int) -> Column:
        """Return those whose numbers agree in sign with the vector's most often."""
        codes = self._codes if len(which) == len(self) else self._codes[which]
        differing = np.bitwise_count(codes ^ _signs(vector[None])).sum(axis=1, dtype=np.uint16)
        return np.sort(which[np.argpartition(differing, many)[:many]])

    @cached_property
    def _codes(self) -> np.ndarray:
        return _signs(self.matrix)


def _signs(matrix: np.ndarray) -> np.ndarray:
    """Return one bit for each number: whether it is above zero; eight bytes in one word."""
    bits = np.packbits(matrix > 0, axis=1)
    short = -bits.shape[1] % 8
    return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, short)))).view(np.uint64)
