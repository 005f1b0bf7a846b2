"""The bytes of one file with cheap access to their text and lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

import numpy as np

DOC_LIMIT = 2000
SIGNATURE_LIMIT = 300
MARKS = re.compile(
    r"^[ \t]*(?:\{-+|-+\}|/\*+!?|\*+/|\*|//[/!]*|#+|--+(?:\[\[)?(?: ?[|^])?|;+|\]\]|%+)?[ \t]?"
    r"|[ \t]*(?:\*+/|-\})[ \t]*$",
    re.M,
)
XML_DOC = re.compile(r"<(?:summary|inheritdoc|remarks|param|returns)\b")
XML_POINTER = re.compile(r"""<(?:see|seealso|paramref|typeparamref)\s+\w+="(?:\w:)?([^"]*)"\s*/>""")
XML_NAMED = re.compile(r"""<(?:param|typeparam|exception)\s+\w+="(?:\w:)?([^"]*)"\s*>""")
XML_TAG = re.compile(r"</?[a-z]+(?:\s[^<>]*)?/?>")
STRING_START = re.compile(r"""[rRuUbBfFL@$]*(\"\"\"|'''|"|'|`)""")


class Source:
    """A file's bytes, sliced as text by byte offsets."""

    __slots__ = ("content", "line_count", "starts", "take")

    def __init__(self, content: bytes) -> None:
        self.content = content
        cells = np.frombuffer(content, dtype=np.uint8)
        self.starts: list[int] = [0, *(np.flatnonzero(cells == 10) + 1).tolist()]
        if len(self.starts) > 1 and self.starts[-1] == len(content):
            self.starts.pop()
        self.line_count = len(self.starts) if content else 0
        self.take: Callable[[int, int], str] = _taker(content)

    def line(self, offset: int) -> int:
        """Return the 1-based line that a byte offset lies on."""
        return bisect_right(self.starts, offset)

    def last_line(self, start: int, end: int) -> int:
        """Return the 1-based line of the last byte of a span."""
        return bisect_right(self.starts, max(start, end - 1))

    def line_text(self, line: int) -> str:
        """Return one line without its line end; lines count from 1."""
        end = self.starts[line] if line < len(self.starts) else len(self.content)
        return self.take(self.starts[line - 1], end).rstrip("\r\n")


def _taker(content: bytes) -> Callable[[int, int], str]:
    if content.isascii():
        text = content.decode("ascii")
        return lambda start, end: text[start:end]
    return lambda start, end: content[start:end].decode("utf-8", "replace")


def one_line(text: str, limit: int = SIGNATURE_LIMIT) -> str:
    """Collapse white space and cut to a limit."""
    return " ".join(text[: limit * 4].split())[:limit]


def unquote(text: str) -> str:
    """Return a string literal without its prefix and quotes, or the text itself."""
    match = STRING_START.match(text)
    if not match:
        return text.strip("<>") if text[:1] == "<" else text
    quote = match.group(1)
    return text[match.end() :].removesuffix(quote)


def clean_comment(text: str) -> str:
    """Return what a comment says, without its marks."""
    bare = MARKS.sub("", text[: DOC_LIMIT * 2])
    if XML_DOC.search(bare):
        bare = XML_TAG.sub("", XML_NAMED.sub(r"\1: ", XML_POINTER.sub(r"\1", bare)))
    lines = [line.rstrip() for line in bare.splitlines()]
    return "\n".join(lines).strip()[:DOC_LIMIT]


def clean_docstring(text: str) -> str:
    """Return what a docstring says, without its quotes and indentation."""
    lines = unquote(text).expandtabs()[: DOC_LIMIT * 2].strip().splitlines()
    indents = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    cut = min(indents, default=0)
    return "\n".join([*lines[:1], *(line[cut:].rstrip() for line in lines[1:])])[:DOC_LIMIT]
