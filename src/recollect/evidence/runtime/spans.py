"""Which lines of a file belong to which function alone, without the lines that run when it is merely defined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from recollect.types import CALLABLE_KINDS, Item

_RUN_WHEN_DEFINED = frozenset({"python", "ruby", "javascript", "typescript", "tsx", "lua"})
"""In these the lines of a definition's head run when the file is loaded, whoever calls it later."""


class Own(NamedTuple):
    """A function with the lines that show that it ran."""

    item: Item
    head: int
    """Lines of its head, as bits."""
    lines: int
    """Lines of its own, as bits; none where head and body stand on one line and cannot be told apart."""


def own_lines(items: Sequence[Item], lines: Sequence[str]) -> list[Own]:
    """Return the functions of a file with their own lines, those of functions inside them left out."""
    functions = [item for item in items if item.kind in CALLABLE_KINDS and item.start_line]
    found = []
    for item in functions:
        last = head_end(item, lines)
        head = _bits(item.start_line, last)
        inside = 0
        for other in functions:
            if other is not item and _within(other, item):
                inside |= _bits(other.start_line, other.end_line)
        own = _bits(item.start_line, item.end_line) & ~inside
        loaded = item.language in _RUN_WHEN_DEFINED
        found.append(Own(item, head, own & ~head if loaded else own))
    return found


def head_end(item: Item, lines: Sequence[str]) -> int:
    """Return the last line of a definition's head, decorators included."""
    wanted = "".join(item.signature.split())
    text, line_at = "", []
    for number in range(item.start_line, min(item.end_line, len(lines)) + 1):
        part = "".join(lines[number - 1].split())
        text += part
        line_at += [number] * len(part)
        place = text.find(wanted)
        if wanted and place >= 0:
            return line_at[place + len(wanted) - 1]
    return item.start_line


def _within(inner: Item, outer: Item) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte


def _bits(first: int, last: int) -> int:
    return (1 << last + 1) - (1 << first)
