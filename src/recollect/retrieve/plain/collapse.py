"""Two results that show the same lines are one result: a chunk gives way to the symbol that it shows."""

from __future__ import annotations

from collections.abc import Iterable

from recollect.types import CALLABLE_KINDS, Item

SAME = 0.6
"""Share of common lines from which on a chunk and a symbol are the same thing to a reader."""


def shown_symbols(items: Iterable[Item]) -> dict[int, int]:
    """Return, for each chunk that shows one of the symbols among the items, the symbol's number."""
    chunks: dict[str, list[Item]] = {}
    symbols: dict[str, list[Item]] = {}
    for item in items:
        if item.kind == "chunk":
            chunks.setdefault(item.path, []).append(item)
        elif item.path and item.kind != "file":
            symbols.setdefault(item.path, []).append(item)
    shown = {}
    for path, here in chunks.items():
        near = symbols.get(path)
        for chunk in here if near else ():
            symbol = _shown(chunk, near or ())
            if symbol is not None:
                shown[chunk.number] = symbol.number
    return shown


def _shown(chunk: Item, symbols: Iterable[Item]) -> Item | None:
    """Return the symbol that a chunk shows best: most of its lines, or inside what can be called."""
    start, end = chunk.start_line, chunk.end_line
    best, most = None, 0.0
    for symbol in symbols:
        first, last = symbol.start_line, symbol.end_line
        if first > end or last < start:
            continue
        overlap = (min(end, last) - max(start, first) + 1) / (max(end, last) - min(start, first) + 1)
        within = first <= start and end <= last and symbol.kind in CALLABLE_KINDS
        if overlap < SAME and not within:
            continue
        if best is None or (overlap, symbol.id) > (most, best.id):
            best, most = symbol, overlap
    return best
