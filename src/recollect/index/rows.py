"""Facts of one file as the rows that are stored: items, and what full-text search sees of them."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from recollect.facts import Chunk, FileFacts
from recollect.graph.shape import outline, shape
from recollect.index.identity import Identity
from recollect.index.words import with_humps, with_parts
from recollect.ports import NewItem

Texts = list[tuple[int, tuple[str, ...]]]
_BYTES_PER_TOKEN = 4


class Rows(NamedTuple):
    """What one file adds to the store."""

    items: list[NewItem]
    symbol_texts: Texts
    """uid, (name, concepts, qualified, signature, path, doc)."""
    chunk_texts: Texts
    """uid, (title, body)."""


def rows_of(path: str, facts: FileFacts, content: bytes) -> Rows:
    """Return the rows of a file; the same facts always give the same rows."""
    identity = Identity(path)
    home = identity.uid("", "file")
    items: list[NewItem] = []
    symbol_uids, symbol_texts = _symbols(path, facts, items, identity, home)
    chunk_texts: Texts = []
    ordinals: dict[str, int] = {}
    names = sorted((symbol.start_line, symbol.name) for symbol in facts.symbols)
    concepts = _concepts(path)
    for chunk in facts.chunks:
        owner = facts.symbols[chunk.symbol].qualified if chunk.symbol >= 0 else ""
        part = ordinals.get(owner, 0)
        ordinals[owner] = part + 1
        uid = identity.uid(f"{owner}#{part}", "chunk")
        parent = symbol_uids[chunk.symbol] if chunk.symbol >= 0 else home
        items.append(_chunk_item(uid, chunk, parent, facts.test))
        body = with_humps(content[chunk.start_byte : chunk.end_byte])
        chunk_texts.append((uid, (" ".join((*_titles(chunk, names), concepts)), body)))
    return Rows(items, symbol_texts, chunk_texts)


def _symbols(
    path: str, facts: FileFacts, items: list[NewItem], identity: Identity, home: int
) -> tuple[list[int], Texts]:
    concepts, view = _concepts(path), outline(facts)
    uids: list[int] = []
    texts: Texts = []
    for index, symbol in enumerate(facts.symbols):
        uid = identity.uid(symbol.qualified, symbol.kind)
        uids.append(uid)
        size = symbol.end_byte - symbol.start_byte
        parent = uids[symbol.parent] if symbol.parent >= 0 else home
        item = NewItem(
            uid, symbol.kind, symbol.name, symbol.qualified, symbol.start_line, symbol.end_line,
            symbol.start_byte, symbol.end_byte, parent, symbol.signature, symbol.doc, view.owner(index),
            symbol.visibility, symbol.test, _tokens(size), shape(facts, index),
        )  # fmt: skip
        items.append(item)
        names = (with_parts(symbol.name), concepts, with_parts(symbol.qualified))
        texts.append((uid, (*names, with_parts(symbol.signature), _path_words(path), symbol.doc)))
    return uids, texts


def _chunk_item(uid: int, chunk: Chunk, parent: int, test: bool) -> NewItem:
    return NewItem(
        uid, "chunk", "", "", chunk.start_line, chunk.end_line, chunk.start_byte, chunk.end_byte, parent,
        test=test, tokens=_tokens(chunk.end_byte - chunk.start_byte),
    )  # fmt: skip


def _titles(chunk: Chunk, names: Sequence[tuple[int, str]]) -> Iterator[str]:
    start = bisect_left(names, (chunk.start_line, ""))
    for line, name in islice(names, start, None):
        if line > chunk.end_line:
            return
        yield with_parts(name)


@lru_cache(maxsize=64)
def _concepts(path: str) -> str:
    folder, name = posixpath.split(path)
    return with_parts(f"{posixpath.splitext(name)[0]} {posixpath.basename(folder)}")


@lru_cache(maxsize=64)
def _path_words(path: str) -> str:
    return with_parts(path)


def _tokens(size: int) -> int:
    return (size + _BYTES_PER_TOKEN - 1) // _BYTES_PER_TOKEN
