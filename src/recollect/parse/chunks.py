"""Chunks: every line of a file once, in whole lines, whole symbols where they fit and whole statements where not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from tree_sitter import Node

from recollect.facts import Chunk
from recollect.parse.matches import Matches
from recollect.parse.symbols import Outline
from recollect.parse.text import Source

TARGET = 1500
"""Non-blank characters up to which small neighbours are merged."""
MOST = 2000
"""Non-blank characters above which a chunk is split, if it has more than one line."""
DEEPEST = 60


class Piece(NamedTuple):
    """Whole lines (1-based, inclusive) that are kept together."""

    first: int
    last: int
    kind: str
    """code, import, comment or prose."""
    symbol: int = -1


class Sizes:
    """How many non-blank characters any run of lines holds."""

    def __init__(self, source: Source) -> None:
        cells = np.frombuffer(source.content, dtype=np.uint8)
        sums = np.concatenate(([0], np.cumsum(cells > 32)))
        self._sums: list[int] = sums[[*source.starts, len(source.content)]].tolist()

    def of(self, first: int, last: int) -> int:
        """Return the non-blank characters of a run of lines."""
        return self._sums[last] - self._sums[first - 1]


def code_chunks(source: Source, root: Node, found: Outline, matches: Matches) -> tuple[Chunk, ...]:
    """Cut a source file at its own borders."""
    if not source.line_count:
        return ()
    sizes = Sizes(source)
    imports = {source.line(captures["import"][0].start_byte) for captures in matches.imports}
    packages = {source.line(captures["package"][0].start_byte) for captures in matches.packages}
    tops = {source.line(draft.start) for draft in found.drafts if not draft.instance}
    pieces = _cut(source, sizes, root, 1, source.line_count, 0)
    named = [_name(piece, imports, packages, tops) for piece in pieces]
    head, rest = _leading_imports(named)
    return finish_chunks(
        source, sizes, [*_merge(sizes, head, "imports"), *_merge(sizes, _glue(sizes, rest), "code")], found
    )


def finish_chunks(
    source: Source, sizes: Sizes, pieces: list[Piece], found: Outline | None
) -> tuple[Chunk, ...]:
    """Turn pieces into chunks with byte offsets and the symbol that each belongs to."""
    ends = [*source.starts[1:], len(source.content)]
    del sizes
    return tuple(
        Chunk(
            piece.first,
            piece.last,
            source.starts[piece.first - 1],
            ends[piece.last - 1],
            _symbol_of(found, source.starts[piece.first - 1], ends[piece.last - 1])
            if found
            else piece.symbol,
            piece.kind,
        )
        for piece in pieces
    )


def line_pieces(sizes: Sizes, first: int, last: int, kind: str) -> list[Piece]:
    """Cut lines that have no structure, every time the target is reached."""
    pieces: list[Piece] = []
    start = first
    for line in range(first, last + 1):
        if line > start and sizes.of(start, line) > TARGET:
            pieces.append(Piece(start, line - 1, kind))
            start = line
    pieces.append(Piece(start, last, kind))
    return pieces


def _cut(source: Source, sizes: Sizes, node: Node, first: int, last: int, depth: int) -> list[Piece]:
    """Cut the lines first..last, all inside the node, at the borders of its children."""
    children = node.children if depth < DEEPEST else []
    while len(children) == 1 and depth < DEEPEST:
        children, depth = children[0].children, depth + 1
    spans = _spans(source, children, first, last)
    if len(spans) < 2:
        big = [
            child
            for child in children
            if source.last_line(child.start_byte, child.end_byte) > source.line(child.start_byte)
        ]
        if len(big) == 1 and depth < DEEPEST:
            return _cut(source, sizes, big[0], first, last, depth + 1)
        return (
            line_pieces(sizes, first, last, "code")
            if sizes.of(first, last) > MOST
            else [Piece(first, last, "code")]
        )
    pieces: list[Piece] = []
    for start, end, members in spans:
        if sizes.of(start, end) <= MOST or start == end:
            comment = all("comment" in member.type or _is_prelude(source, member) for member in members)
            pieces.append(Piece(start, end, "comment" if comment else "code"))
        else:
            largest = max(members, key=lambda member: member.end_byte - member.start_byte)
            pieces.extend(_cut(source, sizes, largest, start, end, depth + 1))
    return pieces


def _is_prelude(source: Source, node: Node) -> bool:
    """Say whether a node is a shebang or a bare string: a docstring or a `use strict`."""
    return source.content[node.start_byte : node.start_byte + 1] in {b'"', b"'"} or node.type in {
        "hash_bang_line",
        "shebang",
    }


def _spans(source: Source, children: list[Node], first: int, last: int) -> list[tuple[int, int, list[Node]]]:
    """Group children that share a line, and give each gap to what follows it."""
    spans: list[tuple[int, int, list[Node]]] = []
    line, last_line = source.line, source.last_line
    until = first - 1
    for child in children:
        at = child.start_byte
        start = max(first, line(at))
        end = min(last, last_line(at, child.end_byte))
        if spans and start <= until:
            begin, _, members = spans[-1]
            until = max(until, end)
            spans[-1] = (begin, until, [*members[-8:], child])
        else:
            spans.append((until + 1, max(start, end), [child]))
            until = max(start, end)
    if spans:
        begin, _, members = spans[-1]
        spans[-1] = (begin, last, members)
    return spans


def _name(piece: Piece, imports: set[int], packages: set[int], tops: set[int]) -> Piece:
    """Mark a piece that is an import or a package clause and nothing else."""
    lines = range(piece.first, piece.last + 1)
    imported = not imports.isdisjoint(lines)
    if piece.kind != "code" or not (imported or not packages.isdisjoint(lines)):
        return piece
    if not tops.isdisjoint(lines):
        return piece
    return piece._replace(kind="import" if imported else "comment")


def _leading_imports(pieces: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Split off the pieces up to the last import of the leading run of imports and comments."""
    last = -1
    for index, piece in enumerate(pieces):
        if piece.kind == "import":
            last = index
        elif piece.kind != "comment" and not (index == 0 and last < 0):
            break
    return pieces[: last + 1], pieces[last + 1 :]


def _glue(sizes: Sizes, pieces: list[Piece]) -> list[Piece]:
    """Join each comment to what it stands above."""
    glued: list[Piece] = []
    for piece in pieces:
        if glued and glued[-1].kind == "comment" and sizes.of(glued[-1].first, piece.last) <= MOST:
            glued[-1] = Piece(glued[-1].first, piece.last, piece.kind)
        else:
            glued.append(piece)
    return glued


def _merge(sizes: Sizes, pieces: list[Piece], kind: str) -> list[Piece]:
    merged: list[Piece] = []
    for piece in pieces:
        if merged and sizes.of(merged[-1].first, piece.last) <= TARGET:
            merged[-1] = Piece(merged[-1].first, piece.last, kind)
        else:
            merged.append(Piece(piece.first, piece.last, kind))
    return merged


def _symbol_of(found: Outline, start: int, end: int) -> int:
    """Return the one outermost symbol in or around a span, or -1 when there are none or several."""
    return found.outermost(start, end)
