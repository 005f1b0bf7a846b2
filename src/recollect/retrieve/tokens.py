"""What a text costs a reader: exact tokens of a shipped vocabulary, or an estimate that is named as one."""

from __future__ import annotations

import heapq
import re
import tomllib
import zlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from itertools import accumulate, pairwise
from typing import Any

from recollect.errors import ConfigError
from recollect.retrieve.packing import chars4

EXACT = "cl100k"
CACHED = 200_000
"""How many different pieces of text are remembered with their counts."""
_RUNS = re.compile("[A-Za-z]+")

Counter = Callable[[str], int]


def words(text: str) -> int:
    """Estimate tokens as the runs of characters between spaces."""
    return len(text.split())


def exact(text: str) -> int:
    """Count the tokens of the vocabulary cl100k."""
    return _exact()(text)


COUNTERS: dict[str, Counter] = {EXACT: exact, "chars/4": chars4, "words": words}


def counter(name: str) -> Counter:
    """Return a way to count tokens by name."""
    if name not in COUNTERS:
        raise ConfigError(f"There is no token counter '{name}'; the counters are {', '.join(COUNTERS)}.")
    return COUNTERS[name]


class _Pieces(dict[str, int]):
    """The tokens of every piece that was met, counted when it is met first."""

    def __init__(self, ranks: dict[bytes, int]) -> None:
        super().__init__()
        self._ranks = ranks

    def __missing__(self, piece: str) -> int:
        if len(self) >= CACHED:
            self.clear()
        data = piece.encode("utf-8", "surrogatepass")
        count = 1 if data in self._ranks else merged(data, self._ranks)
        self[piece] = count
        return count


@cache
def _exact() -> Counter:
    pieces = _Pieces(ranks())
    ascii_split, unicode_split = _pattern("ascii").findall, _pattern("unicode").findall
    look_up = pieces.__getitem__

    def count(text: str) -> int:
        return sum(map(look_up, (ascii_split if text.isascii() else unicode_split)(text)))

    return count


@cache
def ranks() -> dict[bytes, int]:
    """Return the rank of every token of the vocabulary; lower ranks are merged first."""
    data = zlib.decompress(_folder().joinpath("cl100k.ranks").read_bytes())
    count = int.from_bytes(data[:4], "little")
    ends = accumulate(data[4 : 4 + count], initial=4 + count)
    return {data[start:end]: rank for rank, (start, end) in enumerate(pairwise(ends))}


def glance(text: str) -> int:
    """Return what a text costs at least in the vocabulary cl100k: no token holds letters of two runs of letters."""
    return len(_RUNS.findall(text)) if text.isascii() else len(text.split())


def at_a_glance(count: Counter) -> bool:
    """Say whether a glance tells what a text costs at least when it is counted so."""
    return count in (exact, _exact())


def least(count: Counter, text: str) -> int:
    """Return what a text costs at least, at a glance; 0 where a glance tells nothing."""
    return glance(text) if at_a_glance(count) else 0


def merged(data: bytes, ranked: dict[bytes, int]) -> int:
    """Return how many tokens are left when the neighbours of lowest rank are joined until none can be."""
    size = len(data)
    after, before = list(range(1, size + 1)), list(range(-1, size - 1))
    waiting = [(rank, at) for at in range(size - 1) if (rank := ranked.get(data[at : at + 2])) is not None]
    heapq.heapify(waiting)
    count = size
    gone = bytearray(size + 1)
    while waiting:
        rank, at = heapq.heappop(waiting)
        middle = after[at]
        if gone[at] or middle >= size or ranked.get(data[at : after[middle]]) != rank:
            continue
        count -= 1
        gone[middle] = 1
        after[at] = after[middle]
        if after[at] < size:
            before[after[at]] = at
            _offer(waiting, ranked, data, at, after[after[at]])
        if before[at] >= 0:
            _offer(waiting, ranked, data, before[at], after[at])
    return count


def _offer(waiting: list[tuple[int, int]], ranked: dict[bytes, int], data: bytes, at: int, end: int) -> None:
    rank = ranked.get(data[at:end])
    if rank is not None:
        heapq.heappush(waiting, (rank, at))


def _pattern(kind: str) -> re.Pattern[str]:
    table = tomllib.loads(_folder().joinpath("cl100k.toml").read_text(encoding="utf-8"))
    numbers = table["unicode"].pop("numbers")
    text: str = table["pattern"]
    for name, pattern in table[kind].items():
        text = text.replace(f"{{{name}}}", pattern.replace("{numbers}", numbers))
    return re.compile(text)


def _folder() -> Any:
    return files("recollect.retrieve").joinpath("vocabulary")
