"""Chunks and the symbols that are defined in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from recollect.retrieve.context import Context
from recollect.types import CALLABLE_KINDS, PLACE_KINDS, TYPE_KINDS, Item

NAMED_KINDS = TYPE_KINDS | CALLABLE_KINDS


def file_items(context: Context, path: str) -> Sequence[Item]:
    """Return all items of a file, asked of the store once for a generation."""
    return context.snapshot.memo(("items of", path), lambda: tuple(context.reader.items_of(path)))


def chunks_of(context: Context, path: str) -> Sequence[Item]:
    """Return the chunks of a file in the order of the text."""
    return [item for item in file_items(context, path) if item.kind == "chunk"]


def symbols_in(context: Context, chunk: Item) -> Sequence[Item]:
    """Return the symbols that begin in a chunk, or the one that it is a part of."""
    symbols = [item for item in file_items(context, chunk.path) if item.kind not in PLACE_KINDS]
    inside = [item for item in symbols if chunk.start_line <= item.start_line <= chunk.end_line]
    around = [
        item for item in symbols if item.start_line < chunk.start_line and chunk.end_line <= item.end_line
    ]
    return inside or around[-1:]


def is_structured(context: Context, item: Item) -> bool:
    """Say whether an item is code with a name of its own, rather than lines of a file."""
    if item.kind != "chunk":
        return item.kind not in PLACE_KINDS and item.kind != "section"
    return any(symbol.kind in NAMED_KINDS for symbol in symbols_in(context, item))


def chunk_numbers(context: Context, symbols: Iterable[Item]) -> Mapping[int, int]:
    """Return for every symbol the chunk in which it begins; symbols of a file without chunks stand for themselves."""
    found: dict[int, int] = {}
    for symbol in symbols:
        homes = [
            chunk.number
            for chunk in chunks_of(context, symbol.path)
            if chunk.start_line <= symbol.start_line <= chunk.end_line
        ]
        found[symbol.number] = homes[0] if homes else symbol.number
    return found
