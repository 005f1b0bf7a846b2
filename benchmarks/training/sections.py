"""Reads from a repository's documentation which symbols each section shows: a task in words, and what one needs for it.

The names that a section shows are taken out of what is asked, so that the words around them have to find them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from recollect.ports import Reader
from recollect.retrieve.allowed import is_test_path
from recollect.retrieve.evidence import sites
from recollect.types import CALLABLE_KINDS, TYPE_KINDS

MOST_SECTIONS = 40
FEWEST_SHOWN, MOST_SHOWN = 2, 12
MOST_PLACES = 3
"""A name that is defined more often may mean any of them."""
FEWEST_WORDS, MOST_WORDS = 8, 40
SHOWN = CALLABLE_KINDS | TYPE_KINDS
_PROSE = frozenset({"markdown", "rst", "text", "asciidoc"})
_NEWS = re.compile(
    r"(change|release|history|news|migrat|upgrad|contribut|licen[cs]e|security|code_of|todo)", re.I
)
_HEADING = re.compile(r"^(?:#{1,6} +(?P<hash>.+?)#*|(?P<under>\S.*)\n(?:=+|-+|~+|\^+)) *$", re.MULTILINE)
_BLOCK = re.compile(r"^(?:```|~~~).*?^(?:```|~~~) *$|^(?: {4}|\t).*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"``?(?P<code>[^`\n]+)``?")
_NAME = re.compile(r"[A-Za-z_][\w.:]*\w\(?")
_TELLING = re.compile(r"[A-Z]|_|\(|\.")
"""A plain word in code may be anything."""
_MARKUP = re.compile(
    r"<[^>\n]+>|!?\[([^\]\n]*)\]\([^)\n]*\)|:\w+:|https?://\S+|[*_#|>]+|^\.\. .*$", re.MULTILINE
)


class Shown(NamedTuple):
    """A section as a task."""

    text: str
    symbols: tuple[tuple[str, str], ...]
    """Path and name."""


def sections(reader: Reader, root: Path) -> list[Shown]:
    """Return what the sections of a repository's documentation ask and show, evenly taken from all of them."""
    found: dict[str, Shown] = {}
    for row in sorted(reader.files(), key=lambda row: row.path):
        if row.language in _PROSE and not row.skipped and not _NEWS.search(row.path):
            text = (root / row.path).read_text(encoding="utf-8", errors="replace")
            for shown in _shown(reader, text):
                found.setdefault(shown.text, shown)
    rows = list(found.values())
    step = max(1, len(rows) // MOST_SECTIONS)
    return rows[::step][:MOST_SECTIONS]


def _shown(reader: Reader, text: str) -> Iterator[Shown]:
    heads = list(_HEADING.finditer(text))
    for place, head in enumerate(heads):
        end = heads[place + 1].start() if place + 1 < len(heads) else len(text)
        body = text[head.end() : end]
        symbols = _symbols(reader, body)
        said = _said(head["hash"] or head["under"], body)
        if FEWEST_SHOWN <= len(symbols) <= MOST_SHOWN and len(said.split()) >= FEWEST_WORDS:
            yield Shown(said, tuple(symbols))


def _said(heading: str, body: str) -> str:
    """Return the heading and the beginning of the prose, without code."""
    prose = _BLOCK.sub(" ", body)
    whole = f"{_plain(heading)}. {_plain(prose)}"
    return " ".join(whole.split()[:MOST_WORDS])


def _plain(text: str) -> str:
    return _MARKUP.sub(lambda found: found[1] or " ", _CODE.sub(" ", text)).strip()


def _symbols(reader: Reader, body: str) -> dict[tuple[str, str], None]:
    """Return the types and callables of the code whose names stand in code, in their order."""
    written = dict.fromkeys(
        name.replace("::", ".").removesuffix("(")
        for found in _CODE.finditer(body)
        for name in _NAME.findall(found["code"])
        if _TELLING.search(name)
    )
    symbols: dict[tuple[str, str], None] = {}
    for name in written:
        places = [
            one
            for one in reader.definitions(name.rpartition(".")[2])
            if one.kind in SHOWN and f".{one.qualified}".endswith(f".{name}") and not _aside(one.path)
        ]
        if len(places) <= MOST_PLACES:
            symbols |= dict.fromkeys((one.path, one.qualified) for one in places)
    return symbols


def _aside(path: str) -> bool:
    return is_test_path(path) or sites().example.search(f"/{path}") is not None
