"""Which code makes an index: a hash over everything of ours that decides what is read from a file and resolved."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable

MAKERS = ("parse", "graph", "index", "source")
_ENDINGS = (".py", ".scm", ".toml")


@cache
def maker_hash() -> str:
    """Return the hash; another one means that the same files may give other items or edges now."""
    digest = blake2b(digest_size=8)
    for name in MAKERS:
        for entry in _below(files("recollect").joinpath(name)):
            digest.update(entry.name.encode())
            digest.update(entry.read_bytes())
    return digest.hexdigest()


def _below(folder: Traversable) -> list[Traversable]:
    found: list[Traversable] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            found += _below(entry)
        elif entry.name.endswith(_ENDINGS):
            found.append(entry)
    return found
