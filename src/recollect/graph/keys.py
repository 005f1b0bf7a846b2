"""The keys under which files offer things and resolvers ask for them, as stable 32-bit numbers."""

from __future__ import annotations

import posixpath
from functools import lru_cache
from zlib import crc32


def key_of(kind: str, name: str) -> int:
    """Return the number of a key such as `n:send`; kind is n, o, f, d or c."""
    return crc32(f"{kind}:{name}".encode("utf-8", "surrogatepass"))


def stem_of(path: str) -> str:
    """Return the file name without its last suffix, as `Reader.files_named` takes it."""
    return posixpath.splitext(posixpath.basename(path))[0]


@lru_cache(maxsize=1 << 16)
def folder_of(path: str) -> str:
    """Return the folder of a path, empty for the root."""
    return posixpath.dirname(path)


def last_part(name: str) -> str:
    """Return what follows the last dot."""
    return name.rpartition(".")[2]
