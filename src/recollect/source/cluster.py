"""The values of a Kubernetes Secret, which are secrets whatever they look like."""

from __future__ import annotations

import re
from collections.abc import Iterator

_DOCUMENT = re.compile(rb"^---[^\n]*\n?", re.M)
_SECRET = re.compile(rb"^[ \t-]*kind[ \t]*:[ \t]*[\"']?Secret[\"']?[ \t]*(?:#[^\n]*)?\r?$", re.M)
_BLOCK = re.compile(
    rb"^([ \t]*(?:- )?)(?:data|stringData)[ \t]*:[ \t]*(\{[^\n]*\})?[ \t]*(?:#[^\n]*)?\r?$", re.M
)
_LINE = re.compile(rb"([ \t]*)([^\n]*)\n?")
_ENTRY = re.compile(rb"[\"']?[\w./-]+[\"']?[ \t]*:[ \t]+")
_FLOW_VALUE = re.compile(rb":[ \t]*(\"[^\"]*\"|'[^']*'|[^,}\s]+)")
_SCALAR = re.compile(rb"[|>][-+0-9]*[ \t]*(?:#.*)?$")


def secret_values(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield the span of every value below `data` and `stringData` of each Secret in a YAML text."""
    if not _SECRET.search(content):
        return
    starts = [0, *(found.end() for found in _DOCUMENT.finditer(content))]
    for start, end in zip(starts, [*starts[1:], len(content)], strict=True):
        if not _SECRET.search(content, start, end):
            continue
        for block in _BLOCK.finditer(content, start, end):
            if block[2]:
                yield from (found.span(1) for found in _FLOW_VALUE.finditer(content, *block.span(2)))
            else:
                yield from _values_below(content, block.end() + 1, end, len(block[1]))


def _values_below(content: bytes, start: int, end: int, depth: int) -> Iterator[tuple[int, int]]:
    """Yield the values of the entries that are indented deeper, and the lines of their long texts whole."""
    long_text = -1
    while start < end:
        line = _LINE.match(content, start, end)
        if line is None:
            return
        indent, text = len(line[1]), line[2].rstrip()
        begin, start = line.start(2), line.end()
        if not text or text.startswith(b"#"):
            continue
        if indent <= depth:
            return
        if 0 <= long_text < indent:
            yield begin, begin + len(text)
            continue
        entry = _ENTRY.match(text)
        value = entry.end() if entry else 0
        long_text = indent if entry is None or _SCALAR.match(text, value) or text.endswith(b":") else -1
        if value < len(text) and not (entry and long_text >= 0):
            yield begin + value, begin + len(text)
