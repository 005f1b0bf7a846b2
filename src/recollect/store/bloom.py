"""A Bloom filter that answers "have I seen this content?": no is certain, yes is right but for a chosen rate."""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Iterator
from pathlib import Path

from recollect.errors import UsageError
from recollect.store.sqlite.faults import corrupt, translated

CAPACITY = 100_000
FALSE_POSITIVES = 0.001
_HEADER = struct.Struct("<QdQQ")


class BloomFilter:
    """A set of contents in a fixed number of bits."""

    def __init__(self, capacity: int = CAPACITY, false_positives: float = FALSE_POSITIVES) -> None:
        if capacity < 1 or not 0 < false_positives < 1:
            raise UsageError("A Bloom filter needs room for at least one content and a rate between 0 and 1.")
        self.capacity = capacity
        self.false_positives = false_positives
        self.size_bits = math.ceil(-capacity * math.log(false_positives) / math.log(2) ** 2)
        self.hash_count = max(1, round(self.size_bits / capacity * math.log(2)))
        self.bits = bytearray((self.size_bits + 7) // 8)

    def _positions(self, content: bytes) -> Iterator[int]:
        first = int.from_bytes(hashlib.md5(content, usedforsecurity=False).digest()[:8], "little")
        second = int.from_bytes(hashlib.sha1(content, usedforsecurity=False).digest()[:8], "little")
        for step in range(self.hash_count):
            yield (first + step * second) % self.size_bits

    def add(self, content: bytes) -> None:
        """Remember a content."""
        for position in self._positions(content):
            self.bits[position >> 3] |= 1 << (position & 7)

    def __contains__(self, content: bytes) -> bool:
        return all(self.bits[position >> 3] & 1 << (position & 7) for position in self._positions(content))

    def save(self, path: Path) -> None:
        """Write the filter to a file, all or nothing: a 32-byte header and the bits."""
        header = _HEADER.pack(self.capacity, self.false_positives, self.size_bits, self.hash_count)
        unfinished = path.with_name(path.name + ".part")
        with translated(path):
            unfinished.write_bytes(header + self.bits)
            unfinished.replace(path)

    @classmethod
    def load(cls, path: Path) -> BloomFilter:
        """Read a filter that save wrote."""
        with translated(path):
            data = path.read_bytes()
        if len(data) < _HEADER.size:
            raise corrupt(path, "it is shorter than its header")
        capacity, false_positives, size_bits, hash_count = _HEADER.unpack_from(data)
        try:
            found = cls(capacity, false_positives)
        except UsageError as error:
            raise corrupt(path, "its header makes no sense") from error
        found.size_bits, found.hash_count = size_bits, hash_count
        bits = data[_HEADER.size :]
        if not size_bits or not hash_count or len(bits) != (size_bits + 7) // 8:
            raise corrupt(path, "its bits do not fit its header")
        found.bits = bytearray(bits)
        return found
