"""What a client remembers of an index between transactions: parts and pages of full text, which never change."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

KEPT_BYTES = 96 << 20
"""How much is remembered, counted as it takes in memory."""


class Kept:
    """Values by key, the ones that were used longest ago let go first; safe to share between threads."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._size = 0
        self._guard = threading.Lock()

    def get(self, key: Hashable) -> Any:
        """Return what is remembered under a key, or None."""
        with self._guard:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Remember a value that takes so many bytes."""
        with self._guard:
            _, before = self._values.pop(key, (None, 0))
            self._values[key] = value, size
            self._size += size - before
            while self._size > self._most and len(self._values) > 1:
                _, (_, gone) = self._values.popitem(last=False)
                self._size -= gone
