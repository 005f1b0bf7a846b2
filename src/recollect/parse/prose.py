"""Markdown and reStructuredText: sections under their heading path, and the code names that they mention."""

from __future__ import annotations

import re
from typing import NamedTuple

from recollect.facts import Chunk, FileFacts, Reference, Symbol
from recollect.parse.chunks import MOST, TARGET, Piece, Sizes, finish_chunks
from recollect.parse.plain import paragraph_pieces
from recollect.parse.text import Source, one_line

LANGUAGES = frozenset({"markdown", "rst"})
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
ATX = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
SETEXT = re.compile(r"^ {0,3}(=+|-{2,})[ \t]*$")
RST_LINE = re.compile(r"^([=\-`:.'\"~^_*+#<>!$%&(),/;?@\[\]{|}\\])\1{2,}\s*$")
SPAN = re.compile(r"(`+)([^`\n]+?)\1")
NAME = re.compile(r"~?\.?((?:[A-Za-z_]\w*(?:\.|::|#))*[A-Za-z_]\w*)(?:\(.*\))?\Z")
CODE_NAME = re.compile(
    r"(?<![\w.])((?:[A-Za-z_]\w*(?:\.|::))*[A-Za-z_]\w*)(?=\()|\b([A-Z][a-z]\w*[A-Z]\w*)\b"
)
MOST_DEEP = 6


class Heading(NamedTuple):
    """A heading with the line it begins on."""

    line: int
    level: int
    title: str


def read_prose(path: str, language: str, content: bytes) -> FileFacts:
    """Return the sections of a document, its chunks and the code names in its spans and blocks."""
    del path
    source = Source(content)
    lines = [source.line_text(line) for line in range(1, source.line_count + 1)]
    fenced = _markdown_fences(lines) if language == "markdown" else _rst_blocks(lines)
    headings = _markdown_headings(lines, fenced) if language == "markdown" else _rst_headings(lines)
    symbols = _sections(source, headings)
    return FileFacts(
        language=language,
        lines=source.line_count,
        symbols=symbols,
        references=_mentions(lines, fenced, symbols),
        chunks=_chunks(source, symbols),
    )


def _markdown_fences(lines: list[str]) -> list[bool]:
    """Say for each line whether it is fenced code (or front matter)."""
    inside: list[bool] = []
    fence = ""
    matter = bool(lines) and lines[0] == "---" and "---" in lines[1:60]
    for at, line in enumerate(lines):
        match = FENCE.match(line)
        if matter:
            inside.append(True)
            matter = not (at > 0 and line == "---")
        elif fence:
            inside.append(True)
            closes = match and match.group(1)[0] == fence[0] and len(match.group(1)) >= len(fence)
            fence = "" if closes and not line.strip().strip(fence[0]) else fence
        else:
            fence = match.group(1) if match else ""
            inside.append(bool(match))
    return inside


def _markdown_headings(lines: list[str], fenced: list[bool]) -> list[Heading]:
    headings: list[Heading] = []
    for at, line in enumerate(lines):
        if fenced[at]:
            continue
        if match := ATX.match(line):
            headings.append(Heading(at + 1, len(match.group(1)), _plain(match.group(2))))
        elif at and SETEXT.match(line) and not fenced[at - 1] and _is_underlined(lines, at, fenced):
            headings.append(Heading(at, 1 if line.lstrip()[0] == "=" else 2, _plain(lines[at - 1])))
    return headings


def _is_underlined(lines: list[str], at: int, fenced: list[bool]) -> bool:
    """Say whether the line above a row of dashes is a paragraph of one line."""
    if not lines[at - 1].strip() or _is_block(lines[at - 1]):
        return False
    return at < 2 or not lines[at - 2].strip() or fenced[at - 2] or ATX.match(lines[at - 2]) is not None


def _is_block(line: str) -> bool:
    return bool(ATX.match(line) or SETEXT.match(line)) or line.lstrip()[:1] in {"-", "*", "+", ">", "|"}


def _rst_blocks(lines: list[str]) -> list[bool]:
    """Say for each line whether it belongs to a literal or code block."""
    inside: list[bool] = []
    indent = -1
    for line in lines:
        own = len(line) - len(line.lstrip())
        if indent >= 0 and line.strip() and own <= indent:
            indent = -1
        inside.append(indent >= 0)
        if indent < 0 and (
            line.rstrip().endswith("::") or re.match(r"\s*\.\. (?:code|code-block|sourcecode)::", line)
        ):
            indent = own
    return inside


def _rst_headings(lines: list[str]) -> list[Heading]:
    headings: list[Heading] = []
    styles: list[str] = []
    for at in range(1, len(lines)):
        title = lines[at - 1]
        if not (RST_LINE.match(lines[at]) and title.strip() and not RST_LINE.match(title)):
            continue
        over = at >= 2 and RST_LINE.match(lines[at - 2]) is not None and lines[at - 2][0] == lines[at][0]
        if len(lines[at].rstrip()) < len(title.rstrip()) or (title[0].isspace() and not over):
            continue
        style = lines[at][0] * (2 if over else 1)
        if style not in styles:
            styles.append(style)
        headings.append(Heading(at - 1 if over else at, styles.index(style) + 1, _plain(title)))
    return headings


def _plain(title: str) -> str:
    title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return one_line(re.sub(r"<[^>]+>|[`*]|:\w+:(?=`)", "", title), 120) or "untitled"


def _sections(source: Source, headings: list[Heading]) -> tuple[Symbol, ...]:
    ends = [*source.starts[1:], len(source.content)]
    symbols: list[Symbol] = []
    path: list[tuple[int, int, str]] = []
    for at, heading in enumerate(headings):
        while path and path[-1][0] >= heading.level:
            path.pop()
        last = next(
            (later.line - 1 for later in headings[at + 1 :] if later.level <= heading.level),
            source.line_count,
        )
        qualified = " > ".join([*(title for _, _, title in path[-MOST_DEEP:]), heading.title])
        symbols.append(
            Symbol(
                heading.title, qualified, "section", heading.line, last,
                source.starts[heading.line - 1], ends[last - 1],
                signature=heading.title, parent=path[-1][1] if path else -1,
            )
        )  # fmt: skip
        path.append((heading.level, at, heading.title))
    return tuple(symbols)


def _mentions(lines: list[str], fenced: list[bool], symbols: tuple[Symbol, ...]) -> tuple[Reference, ...]:
    """Fold the names in code spans and fenced code by section."""
    rows: dict[tuple[str, str, int], tuple[int, int]] = {}
    starts = {symbol.start_line: index for index, symbol in enumerate(symbols)}
    section = -1
    for at, line in enumerate(lines, 1):
        section = starts.get(at, section)
        if fenced[at - 1]:
            names = [found.group(1) or found.group(2) for found in CODE_NAME.finditer(line)]
        else:
            spans = (NAME.match(found.group(2).strip()) for found in SPAN.finditer(line))
            names = [found.group(1) for found in spans if found]
        for name in names:
            receiver, _, last = name.replace("::", ".").replace("#", ".").rpartition(".")
            key = (last, receiver, section)
            first, count = rows.get(key, (at, 0))
            rows[key] = (first, count + 1)
    return tuple(
        Reference("mention", name, index, line, receiver, count)
        for (name, receiver, index), (line, count) in rows.items()
    )


def _chunks(source: Source, symbols: tuple[Symbol, ...]) -> tuple[Chunk, ...]:
    """Cut at headings, then at blank lines; small sections stay with what stands before them under the same heading."""
    if not source.line_count:
        return ()
    sizes = Sizes(source)
    borders = sorted({1, *(symbol.start_line for symbol in symbols)})
    section = {symbol.start_line: index for index, symbol in enumerate(symbols)}
    pieces: list[Piece] = []
    for first, after in zip(borders, [*borders[1:], source.line_count + 1], strict=True):
        index = section.get(first, -1)
        small = sizes.of(first, after - 1) <= MOST
        new = (
            [Piece(first, after - 1, "prose")]
            if small
            else paragraph_pieces(sizes, first, after - 1, "prose")
        )
        new = [piece._replace(symbol=index) for piece in new]
        if pieces and small and sizes.of(pieces[-1].first, after - 1) <= TARGET // 2 and index >= 0:
            top = pieces[-1].symbol if _within(symbols, index, pieces[-1].symbol) else -1
            if top >= 0:
                pieces[-1] = Piece(pieces[-1].first, after - 1, "prose", top)
                continue
        pieces.extend(new)
    return finish_chunks(source, sizes, pieces, None)


def _within(symbols: tuple[Symbol, ...], index: int, top: int) -> bool:
    while index >= 0 and index != top:
        index = symbols[index].parent
    return index >= 0
