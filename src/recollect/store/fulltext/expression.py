"""Reads an FTS5 expression into what has to be found: phrases of words, in some columns, joined by AND, OR and NOT."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

from apsw import fts5query

from recollect.errors import UsageError
from recollect.store.fulltext.words import words_of
from recollect.store.sqlite.texts import text_table


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that follow each other in one of the columns; without words it matches nothing."""

    words: tuple[str, ...]
    columns: frozenset[int]
    open: frozenset[int] = frozenset()
    """Positions of the words that may go on."""
    first: bool = False
    """Whether it must stand at the beginning of its column."""


@dataclass(frozen=True, slots=True)
class Near:
    """Phrases with at most so many words between them."""

    phrases: tuple[Phrase, ...]
    distance: int


@dataclass(frozen=True, slots=True)
class All:
    """Every part matches."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """At least one part matches."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Without:
    """One matches and the other does not."""

    wanted: Node
    unwanted: Node


Node = Union[Phrase, Near, All, Any, Without]  # noqa: UP007  # the names are defined above in each other's terms


_AND = re.compile(r"\bAND\b")


def read(table: str, match: str) -> Node:
    """Return what an expression asks of a table, or raise UsageError."""
    columns = text_table(table).columns
    try:
        if "\0" in match:
            raise UsageError(unreadable(match, "it holds a NUL"))
        reading = _Reading(table, columns, _AND.search(match) is not None)
        return reading.node(fts5query.parse_query_string(match), frozenset(range(len(columns))))
    except fts5query.ParseError as error:
        raise UsageError(unreadable(match, error.message)) from error
    except KeyError as error:
        raise UsageError(unreadable(match, f"there is no column {error.args[0]}")) from error
    except RecursionError as error:
        raise UsageError(unreadable(match[:80], "it is nested too deeply")) from error


def unreadable(match: str, why: str) -> str:
    """Return the sentence about an expression that makes no sense."""
    return f"The full-text expression {match!r} cannot be read ({why}); put the words in double quotes."


def phrases_of(node: Node) -> list[Phrase]:
    """Return the phrases of an expression in their order."""
    if isinstance(node, Phrase):
        return [node]
    if isinstance(node, Near):
        return list(node.phrases)
    parts: Sequence[Node] = (node.wanted, node.unwanted) if isinstance(node, Without) else node.parts
    return [phrase for part in parts for phrase in phrases_of(part)]


@dataclass(frozen=True, slots=True)
class _Reading:
    table: str
    names: tuple[str, ...]
    strict: bool
    """Whether AND was written out."""

    def node(self, query: fts5query.QUERY, columns: frozenset[int]) -> Node:
        if isinstance(query, fts5query.PHRASE):
            return self._phrase(query, columns)
        if isinstance(query, fts5query.NEAR):
            phrases = [self._phrase(one, columns) for one in query.phrases]
            near = tuple(phrase for phrase in phrases if phrase.words) or (phrases[0],)
            return near[0] if len(near) == 1 else Near(near, query.distance)
        if isinstance(query, fts5query.COLUMNFILTER):
            return self.node(query.query, columns & self._chosen(query))
        if isinstance(query, fts5query.NOT):
            return Without(self.node(query.match, columns), self.node(query.no_match, columns))
        parts = tuple(self.node(one, columns) for one in query.queries)
        if isinstance(query, fts5query.OR):
            return Any(parts)
        # Side by side without AND, a string without words asks for nothing.
        full = parts if self.strict else tuple(part for part in parts if not _is_empty(part))
        return All(full) if full else parts[0]

    def _phrase(self, query: fts5query.PHRASE, columns: frozenset[int]) -> Phrase:
        words: list[str] = []
        going_on: set[int] = set()
        part: fts5query.PHRASE | None = query
        while part is not None:
            words += words_of(self.table, str(part.phrase), asked=True)
            # A star belongs to the last word so far, even when its own string has none.
            (going_on.add if part.prefix else going_on.discard)(len(words) - 1)
            part = part.plus
        return Phrase(tuple(words), columns, frozenset(going_on - {-1}), query.initial)

    def _chosen(self, query: fts5query.COLUMNFILTER) -> frozenset[int]:
        lowered = [name.lower() for name in query.columns]
        for name in lowered:
            if name not in self.names:
                raise KeyError(name)
        chosen = frozenset(place for place, name in enumerate(self.names) if name in lowered)
        return chosen if query.filter == "include" else frozenset(range(len(self.names))) - chosen


def _is_empty(node: Node) -> bool:
    return isinstance(node, Phrase) and not node.words
