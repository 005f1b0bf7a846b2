"""What a tool resolved in one file: edges by uid, and the names that it answered for, packed for the store."""

from __future__ import annotations

import zlib
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

EDGE = np.dtype(
    [
        ("source", "<u8"),
        ("target", "<u8"),
        ("begins", "<u4"),
        ("ends", "<u4"),
        ("line", "<u4"),
        ("type", "u1"),
        ("count", "u1"),
        ("outside", "u1"),
        ("how", "u1"),
    ]
)
"""An edge between uids; `begins` and `ends` are the shapes that source and target had, 0 where that does not matter;
`how` is a position in PROVENANCES."""
ANSWER = np.dtype([("source", "<u8"), ("name", "<u4")])
"""A name whose every use in a symbol was resolved."""


class Resolved(NamedTuple):
    """All that one tool said of one file."""

    edges: Array
    answers: Array
    outside: tuple[tuple[int, str], ...] = ()
    """Uid and name of what lies outside the repository."""


def pack(found: Resolved) -> bytes:
    """Return what was resolved as one blob."""
    raw = msgspec.msgpack.encode((found.edges.tobytes(), found.answers.tobytes(), found.outside))
    return zlib.compress(raw, 3)


def unpack(data: bytes) -> Resolved:
    """Return what was packed."""
    edges, answers, outside = msgspec.msgpack.decode(
        zlib.decompress(data), type=tuple[bytes, bytes, tuple[tuple[int, str], ...]]
    )
    return Resolved(np.frombuffer(edges, EDGE), np.frombuffer(answers, ANSWER), outside)


def evidence_key(content: bytes, path: str) -> bytes:
    """Return under what evidence about a file is kept: its bytes and its path, whatever the branch."""
    return blake2b(
        content + path.encode("utf-8", "surrogatepass"), digest_size=16, person=b"evidence"
    ).digest()


def shape_of(kind: str, signature: str) -> int:
    """Return the number that changes when what a symbol promises changes; never 0."""
    return zlib.crc32(f"{kind}\0{signature}".encode("utf-8", "surrogatepass")) or 1


def name_key(name: str) -> int:
    """Return the number that stands for a name."""
    return zlib.crc32(name.encode("utf-8", "surrogatepass"))
