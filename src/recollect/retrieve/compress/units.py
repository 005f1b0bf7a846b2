"""The lines of a text in units that can be taken out whole: never half a string, a comment, a bracket or a block."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from recollect.retrieve.compress.syntax import Syntax

_NOTHING = re.compile("(?!)")
_PAIRS = {")": "(", "]": "[", "}": "{"}
_DIRECTIVE = re.compile(r"\s*#\s*[a-z]")
_ENDS = re.compile(r"[;}]\s*$")
_ATTRIBUTE = re.compile(r"\s*(?:@[\w.]+(?:\(.*\))?|#\[.*\]|\[[A-Z].*\])\s*$")
_CLOSERS = frozenset({"end", "END", "fi", "done", "esac", "}", ")", ";;"})
_LABEL = re.compile(r"\s*(?:(?:case|default)\b.*|@?\w+\s*):\s*$")


class Unit(NamedTuple):
    """Neighbouring lines that stay or go together."""

    first: int
    """0-based number of its first line."""
    text: str
    kept: bool
    """Whether it must stay."""
    sort: str
    """blank, comment, import, assignment, log or code."""
    bare: str
    """The text without comments and with empty strings, for looking at its structure."""


class Cut(NamedTuple):
    """A text in units, with what is wrong with it."""

    units: tuple[Unit, ...]
    notes: tuple[str, ...]


class _Scan:
    """One reading of a text: which lines belong together and which carry the structure."""

    def __init__(self, text: str, syntax: Syntax) -> None:
        self.syntax = syntax
        self.text = text
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.joined: list[tuple[int, int]] = []
        self.structural: set[int] = set()
        self.documented: list[tuple[int, int]] = []
        self.masked = list(self.lines)
        self.notes: dict[str, None] = {}
        self._open: list[tuple[str, int]] = []
        self._braces: set[tuple[int, int]] = set()
        self._waiting: list[tuple[str, int]] = []
        self._scan()

    def line_at(self, position: int) -> int:
        return min(bisect_right(self.starts, position) - 1, len(self.lines) - 1)

    def _scan(self) -> None:
        position = 0
        while True:
            found = self.syntax.tokens.search(self.text, position)
            line = self.line_at(found.start()) if found else len(self.lines)
            if self._waiting and line > self._waiting[0][1]:
                position = self._heredoc(position)
            elif found is None:
                break
            else:
                position = max(self._token(found, line), found.start() + 1)
        for _, line in self._open:
            self.structural.add(line)
            self.notes["The text ends inside a block."] = None

    def _token(self, found: re.Match[str], line: int) -> int:
        """Take one token in and return where the next may begin."""
        kind = found.lastgroup or ""
        if kind.startswith("open"):
            return self._region(found, int(kind[4:]))
        if kind == "heredoc":
            self._waiting.append((found["quoted"] or found["word"], line))
        elif kind == "bracket":
            self._bracket(found.group(), line)
        else:
            self._mask(found.start(), found.end(), kind == "line")
        return found.end()

    def _heredoc(self, position: int) -> int:
        """Jump over the text of the first heredoc that waits; one that nothing closes was something else."""
        word, line = self._waiting.pop(0)
        last = next((at for at in range(line + 1, len(self.lines)) if _closes(self.lines[at], word)), None)
        if last is None:
            return position
        self.joined.append((line, last))
        self._waiting = [(other, last if at == line else at) for other, at in self._waiting]
        self.masked[line + 1 : last + 1] = ['""'] * (last - line)
        return self.starts[last + 1]

    def _region(self, found: re.Match[str], number: int) -> int:
        closing = self.syntax.ends[number].match(self.text, found.end())
        first = self.line_at(found.start())
        end = closing.end() if closing else len(self.text)
        last = self.line_at(end - 1)
        if closing is None:
            self.notes["The text ends inside a string or comment."] = None
            self.structural.update(range(first, last + 1))
        if last > first:
            self.joined.append((first, last))
        if self.syntax.docs.match(self.lines[first]):
            self.documented.append((first, last))
        self._mask(found.start(), end, False)
        return end

    def _mask(self, start: int, end: int, comment: bool) -> None:
        """Blank out a span on each of its lines; what a comment hides leaves nothing."""
        for line in range(self.line_at(start), self.line_at(max(start, end - 1)) + 1):
            base = self.starts[line]
            left, right = max(0, start - base), min(len(self.lines[line]), end - base)
            filler = " " if comment else '"'
            old = self.masked[line]
            self.masked[line] = old[:left] + filler * (right - left) + old[right:]

    def _bracket(self, char: str, line: int) -> None:
        if char not in _PAIRS:
            self._open.append((char, line))
            return
        if not self._open or self._open[-1][0] != _PAIRS[char]:
            self.structural.add(line)
            self.notes["The text begins inside a block, or its brackets do not match."] = None
            return
        _, first = self._open.pop()
        if first == line:
            return
        braces = self.syntax.blocks == "braces" and not self.syntax.imports.match(self.lines[first])
        if braces and (char == "}" or (first, line) in self._braces):
            self._braces.add((first, line))
            self.structural.update((first, line))
        else:
            self.joined.append((first, line))


def cut(text: str, syntax: Syntax, docs: bool = True, signatures: bool = True) -> Cut:
    """Cut a text into units; with `docs` documentation is kept like the structure is."""
    scan = _Scan(text, syntax)
    if docs:
        for first, last in scan.documented:
            scan.structural.update(range(first, last + 1))
    _join_continued(scan)
    kept = syntax.kept if signatures else syntax.kept_inside
    documentation = syntax.docs if docs else _NOTHING
    units = tuple(_unit(scan, first, last, (kept, documentation)) for first, last in _spans(scan))
    return Cut(units, tuple(scan.notes))


def _join_continued(scan: _Scan) -> None:
    """Join what continues the line above: a chain of calls, a wrapped expression, the bracket under a header."""
    syntax = scan.syntax
    code = [at for at, line in enumerate(scan.masked) if line.strip()]
    for place, (before, at) in enumerate(pairwise(code)):
        above, line = scan.masked[before].rstrip(), scan.masked[at]
        deeper = syntax.blocks == "layout" and indent(line) > indent(above)
        if deeper or syntax.continues.match(line) or syntax.continued.search(above):
            scan.joined.append((before, at))
        elif syntax.blocks == "braces" and line.lstrip().startswith("{"):
            head = next((up for up in code[place::-1] if indent(scan.masked[up]) <= indent(line)), before)
            scan.joined.append((head, at))
        elif (at in scan.structural and line.rstrip().endswith("{") and _wrapped(above, line)) or (
            syntax.deeper and _ATTRIBUTE.match(above)
        ):
            scan.joined.append((before, at))
    if syntax.deeper:
        _join_deeper(scan, [at for at in code if not _DIRECTIVE.match(scan.masked[at])])


def _join_deeper(scan: _Scan, code: list[int]) -> None:
    """Join to a line that opens no block and ends no statement all that is indented further below it."""
    place = 0
    while place < len(code):
        first = last = place
        place += 1
        if _opens(scan, code[first]) or _ENDS.search(scan.masked[code[first]]):
            continue
        least = indent(scan.masked[code[first]])
        while place < len(code) and indent(scan.masked[code[place]]) > least:
            last = place
            if _opens(scan, code[place]):
                break
            place += 1
        if last > first:
            scan.joined.append((code[first], code[last]))


def _opens(scan: _Scan, at: int) -> bool:
    """Say whether a block begins on a line, so that what is indented below it is the inside of it."""
    line = scan.masked[at]
    if line.count("{") > line.count("}"):
        return True
    if scan.syntax.blocks != "words":
        return _LABEL.match(line) is not None
    words = scan.syntax.words.findall(line)
    return any(word not in _CLOSERS for word in words) and not scan.syntax.unfinished.match(line)


def _wrapped(above: str, line: str) -> bool:
    """Say whether a line that opens a block goes on with what stands above it."""
    return indent(above) < indent(line) and not above.endswith(("{", "}", ";", ",", "(", ":"))


def _spans(scan: _Scan) -> Iterator[tuple[int, int]]:
    reach = list(range(len(scan.lines)))
    for first, last in scan.joined:
        reach[first] = max(reach[first], last)
    line = 0
    while line < len(reach):
        end = reach[line]
        at = line
        while at <= end:
            end = max(end, reach[at])
            at += 1
        yield line, end
        line = end + 1


def _unit(scan: _Scan, first: int, last: int, patterns: tuple[re.Pattern[str], ...]) -> Unit:
    syntax = scan.syntax
    rows = range(first, last + 1)
    text = "\n".join(scan.lines[first : last + 1])
    bare = "\n".join(scan.masked[first : last + 1])
    kept = any(
        at in scan.structural
        or any(pattern.search(scan.lines[at]) for pattern in patterns)
        or (syntax.blocks == "words" and syntax.words.search(scan.masked[at]))
        for at in rows
    )
    return Unit(first, text, kept, _sort(syntax, text, bare), bare)


def _sort(syntax: Syntax, text: str, bare: str) -> str:
    if not text.strip():
        return "blank"
    if not bare.strip() or syntax.comment.match(text):
        return "comment"
    for sort, pattern in (("import", syntax.imports), ("assignment", syntax.assignment), ("log", syntax.log)):
        if pattern.match(text):
            return sort
    return "code"


def _closes(line: str, word: str) -> bool:
    return re.match(rf"\s*{word}\b[;,)]*\s*$", line) is not None


def indent(line: str) -> int:
    """Return how many characters of space a line begins with."""
    return len(line) - len(line.lstrip())
