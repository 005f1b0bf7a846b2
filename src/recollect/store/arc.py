"""A cache that learns whether recent or frequent keys are worth keeping, and remembers it between sessions."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

import msgspec

from recollect.errors import UsageError
from recollect.store.sqlite.faults import corrupt, translated

CAPACITY = 500
GHOSTS = 1000


class _State(msgspec.Struct, array_like=True):
    capacity: int
    ghosts: int
    target: int
    recent: list[tuple[str, bytes]]
    frequent: list[tuple[str, bytes]]
    recent_ghosts: list[str]
    frequent_ghosts: list[str]


class ArcCache:
    """Keeps at most capacity values, and the keys of as many as ghosts that had to go; oldest first in each list."""

    def __init__(self, capacity: int = CAPACITY, ghosts: int = GHOSTS) -> None:
        if capacity < 1 or ghosts < 0:
            raise UsageError("A cache needs room for at least one value and no fewer than zero ghosts.")
        self.capacity = capacity
        self.ghosts = ghosts
        self.target = 0
        """How many of the values may be such that were seen only once."""
        self.recent: OrderedDict[str, bytes] = OrderedDict()
        self.frequent: OrderedDict[str, bytes] = OrderedDict()
        self.recent_ghosts: OrderedDict[str, None] = OrderedDict()
        self.frequent_ghosts: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self.recent) + len(self.frequent)

    def __contains__(self, key: str) -> bool:
        return key in self.recent or key in self.frequent

    def get(self, key: str) -> bytes | None:
        """Return the value of a key and count it as used again, or None."""
        if key in self.recent:
            self.frequent[key] = self.recent.pop(key)
        elif key in self.frequent:
            self.frequent.move_to_end(key)
        else:
            return None
        return self.frequent[key]

    def put(self, key: str, value: bytes) -> None:
        """Keep a value; a key that had to go not long ago shifts the balance towards its list."""
        if self.get(key) is not None:
            self.frequent[key] = value
            return
        known = True
        if key in self.recent_ghosts:
            step = max(1, len(self.frequent_ghosts) // max(1, len(self.recent_ghosts)))
            self.target = min(self.capacity, self.target + step)
            del self.recent_ghosts[key]
        elif key in self.frequent_ghosts:
            step = max(1, len(self.recent_ghosts) // max(1, len(self.frequent_ghosts)))
            self.target = max(0, self.target - step)
            del self.frequent_ghosts[key]
        else:
            known = False
        if len(self) >= self.capacity:
            self._evict()
        (self.frequent if known else self.recent)[key] = value

    def _evict(self) -> None:
        if len(self.recent) > self.target or not self.frequent:
            key, _ = self.recent.popitem(last=False)
            self.recent_ghosts[key] = None
        else:
            key, _ = self.frequent.popitem(last=False)
            self.frequent_ghosts[key] = None
        while len(self.recent_ghosts) + len(self.frequent_ghosts) > self.ghosts:
            larger = max(self.recent_ghosts, self.frequent_ghosts, key=len)
            larger.popitem(last=False)

    def save(self, path: Path) -> None:
        """Write the whole state to a file, all or nothing."""
        state = _State(
            self.capacity,
            self.ghosts,
            self.target,
            list(self.recent.items()),
            list(self.frequent.items()),
            list(self.recent_ghosts),
            list(self.frequent_ghosts),
        )
        unfinished = path.with_name(path.name + ".part")
        with translated(path):
            unfinished.write_bytes(msgspec.msgpack.encode(state))
            unfinished.replace(path)

    @classmethod
    def load(cls, path: Path) -> ArcCache:
        """Read a state that save wrote."""
        with translated(path):
            data = path.read_bytes()
        try:
            state = msgspec.msgpack.decode(data, type=_State)
        except msgspec.DecodeError as error:
            raise corrupt(path, str(error)) from error
        cache = cls(state.capacity, state.ghosts)
        cache.target = state.target
        cache.recent.update(state.recent)
        cache.frequent.update(state.frequent)
        cache.recent_ghosts.update(dict.fromkeys(state.recent_ghosts))
        cache.frequent_ghosts.update(dict.fromkeys(state.frequent_ghosts))
        return cache
