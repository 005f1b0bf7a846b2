"""Text without a grammar: chunks of whole lines, cut at blank lines where there are some."""

from __future__ import annotations

from recollect.facts import Chunk, FileFacts
from recollect.parse.chunks import MOST, TARGET, Piece, Sizes, finish_chunks, line_pieces
from recollect.parse.text import Source


def read_plain(path: str, language: str, content: bytes, notes: tuple[str, ...] = ()) -> FileFacts:
    """Return the facts of a text of which only the lines are known."""
    del path
    source = Source(content)
    return FileFacts(
        language=language, lines=source.line_count, chunks=plain_chunks(source, "code"), notes=notes
    )


def plain_chunks(source: Source, kind: str) -> tuple[Chunk, ...]:
    """Cut at blank lines, then at any line, and merge what is small."""
    if not source.line_count:
        return ()
    sizes = Sizes(source)
    return finish_chunks(source, sizes, paragraph_pieces(sizes, 1, source.line_count, kind), None)


def paragraph_pieces(sizes: Sizes, first: int, last: int, kind: str) -> list[Piece]:
    """Cut a run of lines at blank lines, then at any line, and merge what is small."""
    pieces: list[Piece] = []
    start = first
    for line in range(first, last + 1):
        ends = line == last or (sizes.of(line, line) == 0 and sizes.of(line + 1, line + 1) > 0)
        if not ends:
            continue
        if pieces and sizes.of(pieces[-1].first, line) <= TARGET:
            pieces[-1] = Piece(pieces[-1].first, line, kind)
        elif sizes.of(start, line) > MOST:
            pieces.extend(line_pieces(sizes, start, line, kind))
        else:
            pieces.append(Piece(start, line, kind))
        start = line + 1
    return pieces
