"""Definitions of what the query names, before anything that merely mentions it."""

from __future__ import annotations

from collections.abc import Iterator

from recollect.ports import Reader
from recollect.retrieve.plain.query import Match, Query
from recollect.types import CALLABLE_KINDS, TYPE_KINDS, Item

LIMIT = 50


def search(reader: Reader, query: Query) -> list[Match]:
    """Return the items that carry the name, or the names inside a longer text, best first."""
    if query.name:
        return _named(reader, query, query.name, prefix=query.named)
    whole = _named(reader, query, query.text, prefix=False) if 0 < len(query.text) <= 120 else []
    return whole + [
        match for name in query.identifiers for match in _named(reader, query, name, prefix=False)
    ]


def _named(reader: Reader, query: Query, name: str, prefix: bool) -> list[Match]:
    found: dict[int, Match] = {}
    for spelling in _spellings(name):
        items = [item for item in reader.find(spelling, query.filters, max(LIMIT, query.limit)) if item.path]
        for item in sorted(items, key=lambda item: _order(item, spelling)):
            found.setdefault(item.number, _match(item, name, spelling))
        if found:
            break
    if prefix and not found:
        items = [
            item
            for item in reader.find(name, query.filters, max(LIMIT, query.limit), prefix=True)
            if item.path
        ]
        for item in sorted(items, key=lambda item: _order(item, name)):
            found.setdefault(item.number, Match(item.number, f"name begins with {name}"))
    return list(found.values())


def _spellings(name: str) -> Iterator[str]:
    """Yield the name as it was written, then without its leading qualifiers."""
    yield name
    while "." in name:
        name = name.partition(".")[2]
        yield name


def _match(item: Item, name: str, spelling: str) -> Match:
    last = spelling.rpartition(".")[2]
    same_case = (
        item.name == spelling or item.name.endswith(f".{spelling}") or item.name.rpartition(".")[2] == last
    )
    if spelling != name:
        return Match(item.number, f"{item.kind} named {spelling}; nothing is named {name}")
    if not same_case:
        return Match(item.number, f"{item.kind} of that name in another case")
    return Match(
        item.number, f"{'file' if item.kind == 'file' else f'defines {item.kind}'} {item.name}", certain=True
    )


def _order(item: Item, name: str) -> tuple[object, ...]:
    """Whole names first, then the same case, source before tests, types before what can be called, then the rest."""
    rank = 0 if item.kind in TYPE_KINDS else 1 if item.kind in CALLABLE_KINDS else 2
    return (
        item.name != name,
        item.name.rpartition(".")[2] != name.rpartition(".")[2],
        item.test,
        rank,
        item.path,
        item.start_line,
        item.id,
    )
