"""Clauses: functions that are written as several equations, joined to one symbol."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.parse.matches import Captures
from recollect.parse.naming import split_top
from recollect.parse.text import Source
from recollect.types import CALLABLE_KINDS

if TYPE_CHECKING:
    from recollect.parse.symbols import Draft

OPEN_ENDED = re.compile(
    r"(?:^|,)\s*(?:\*\w|\*\*\w|\.\.\.|&\w)|\.\.\.|\bvararg\b|\bparams\b|:[^,]*[\w\]]\*\s*(?:,|$)"
)


def join_clauses(source: Source, drafts: list[Draft]) -> list[Draft]:
    """Join neighbours of one name, place and number of parameters; the first lends its signature, the last its end."""
    kept: list[Draft] = []
    last: dict[int, Draft] = {}
    for draft in drafts:
        before = last.get(id(draft.parent))
        if before is not None and before.name == draft.name and _fit(source, before, draft):
            before.joined = before.joined or before.end
            before.end = max(before.end, draft.end)
            before.captures = {**draft.captures, **before.captures}
            continue
        last[id(draft.parent)] = draft
        kept.append(draft)
    return kept


def _fit(source: Source, first: Draft, second: Draft) -> bool:
    if not {first.kind, second.kind} <= CALLABLE_KINDS:
        return False
    counts = [count_parameters(source, draft.captures) for draft in (first, second)]
    return counts[0] == counts[1] or -1 in counts


def count_parameters(source: Source, captures: Captures) -> int:
    """Return how many parameters a callable declares without its receiver; -1 when unknown or open-ended."""
    nodes = captures.get("params")
    if not nodes:
        return -1
    text = source.take(nodes[0].start_byte, min(nodes[-1].end_byte, nodes[0].start_byte + 4000)).strip()
    if text[:1] in {"(", "|", "["}:
        text = text[1:-1]
    if OPEN_ENDED.search(text):
        return -1
    parts = [part.strip() for part in split_top(text, ",")]
    receiver = {"self", "cls", "&self", "&mut self", "mut self", "*", "/", "", "void"}
    return sum(part not in receiver for part in parts)
