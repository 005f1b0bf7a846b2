"""Says which symbols a section of prose is about."""

from __future__ import annotations

import re

from recollect.graph.edges import Edges
from recollect.graph.names import FileNames
from recollect.graph.things import MAX_CANDIDATES
from recollect.ports import Definition

_DISTINCT = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z][A-Z]|[A-Z]{2}[a-z]|\.")
_SHORTEST = 5
_MOST = 40
"""How many symbols of one name a word can still mean; with more it is no name but a word."""


def add_prose(names: FileNames, edges: Edges) -> None:
    """Add documents for each mention of a symbol; a bare word counts only when it looks like nothing but a name."""
    for reference in names.view.facts.references:
        if reference.kind != "mention":
            continue
        quoted = reference.literal != "word"
        text = f"{reference.receiver}.{reference.name}" if reference.receiver else reference.name
        if not quoted and (len(text) < _SHORTEST or not _DISTINCT.search(text)):
            continue
        found = _meant(names, text)
        if not found or len(found) > _MOST:
            continue
        certainty = (90 if "." in text else 80) if quoted else 60
        seen = (reference.line, reference.count, f"*:{reference.name}")
        if len(found) <= MAX_CANDIDATES or quoted:
            edges.point(names.number(reference.symbol), found, "documents", certainty, seen)


def _meant(names: FileNames, text: str) -> list[Definition]:
    """Return the symbols that a name written in prose can mean: those that end in all of it, outer ones first."""
    text = text.removesuffix("()").replace("::", ".").replace("#", ".").strip(".")
    rows = names.scope.named_anywhere(text.rpartition(".")[2])
    ending = [row for row in rows if row.qualified == text or row.qualified.endswith(f".{text}")]
    if not ending and "." in text:
        ending = [
            row
            for row in rows
            if text.endswith(f".{row.qualified}") and row.path.replace("/", ".").find(_above(text, row)) >= 0
        ]
    ending = [row for row in ending if row.kind not in ("section", "enum_member")]
    for wanted in (
        [row for row in ending if row.qualified == text and not row.test],
        [row for row in ending if not row.test],
    ):
        if wanted:
            return wanted
    return ending


def _above(text: str, row: Definition) -> str:
    return text.removesuffix(f".{row.qualified}")
