"""Keeps the memory of the index and its workers below what was allowed."""

from __future__ import annotations

import gc
from collections.abc import Iterable

from recollect.errors import RecollectError
from recollect.index.footprint import give_back, tree_megabytes

_TIGHT = 0.8


class Ceiling:
    """The most memory that all processes of an update may take together."""

    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes

    @property
    def per_worker_bytes(self) -> int:
        """How large a worker may get before it is replaced by a fresh one."""
        return self.megabytes * (1 << 20) // 5

    def tight(self, workers: Iterable[int] = ()) -> bool:
        """Tell whether it is time to go more slowly; freed memory is given back before that is decided."""
        pids = list(workers)
        if tree_megabytes(pids) < self.megabytes * _TIGHT:
            return False
        give_back()
        return tree_megabytes(pids) >= self.megabytes * _TIGHT

    def refuse_more(self, workers: Iterable[int] = ()) -> None:
        """Raise when even the smallest steps do not fit."""
        gc.collect()
        used = tree_megabytes(workers)
        if used > self.megabytes:
            raise RecollectError(
                f"Indexing needs {used} MB of memory but only {self.megabytes} MB are allowed; "
                "raise memory_cap_mb in .recollect/config.toml, or leave out large folders with .recollectignore."
            )
