"""What a file offers to the resolving of others, as packed numbers that change exactly when an answer could change."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from recollect.graph.keys import folder_of, key_of, last_part, stem_of
from recollect.graph.shape import outline
from recollect.types import CALLABLE_KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from recollect.facts import FileFacts

SINGLETONS = frozenset({
    "CODEOWNERS", "go.mod", "go.work", "package.json", "tsconfig.json", "tsconfig.base.json", "jsconfig.json",
    "composer.json", "Cargo.toml", "pyproject.toml", "setup.cfg", "setup.py", "mix.exs", "Package.swift",
    "build.zig.zon",
})  # fmt: skip
"""File names whose facts steer how other files are resolved."""


def contributions(path: str, facts: FileFacts) -> bytes:
    """Return sorted little-endian uint32 pairs (key, digest) of everything that a lookup could see of the file."""
    offers: dict[int, int] = {}

    def offer(key: int, digest: bytes) -> None:
        offers[key] = crc32(digest, offers.get(key, 0))

    view = outline(facts)
    ordinals: dict[tuple[str, str], int] = {}
    for index, symbol in enumerate(facts.symbols):
        slot = (symbol.qualified, _kind_class(symbol.kind))
        ordinal = ordinals.get(slot, 0)
        ordinals[slot] = ordinal + 1
        owner = view.owner(index)
        seen = (
            path, facts.language, facts.package, symbol.qualified, symbol.kind, owner, symbol.visibility, symbol.test,
            ordinal, view.parts(index),
        )  # fmt: skip
        digest = repr(seen).encode("utf-8", "surrogatepass")
        offer(key_of("n", symbol.name), digest)
        if owner:
            offer(key_of("o", last_part(owner)), digest)
    about = repr((path, facts.language, facts.package, facts.test)).encode("utf-8", "surrogatepass")
    offer(key_of("f", stem_of(path)), about)
    offer(key_of("d", posixpath.basename(folder_of(path))), about)
    name = posixpath.basename(path)
    if name in SINGLETONS:
        offer(key_of("c", name), about + repr((facts.references, facts.imports, facts.bindings)).encode())
    return _packed(offers)


def _kind_class(kind: str) -> str:
    if kind in TYPE_KINDS:
        return "type"
    return "callable" if kind in CALLABLE_KINDS else kind


def _packed(offers: dict[int, int]) -> bytes:
    return np.array(sorted(offers.items()), "<u4").tobytes()
