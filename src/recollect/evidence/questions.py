"""Turns the references of a file into places that a tool can be asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recollect.facts import FileFacts, Symbol
from recollect.types import TYPE_KINDS

_LINES_ON = 6
"""A chain of calls may begin some lines before the name that is called."""
_HEAD_LINES = 12
_EDGE_OF = {
    "call": "calls", "type": "type_hint_of", "throw": "throws", "decorate": "decorates", "value": "references",
    "field": "accesses_field", "implements": "implements", "extends": "extends",
}  # fmt: skip
_ABSTRACT = frozenset({"interface", "trait"})


class Question(NamedTuple):
    """Something whose definition is to be found."""

    symbol: int
    """Index of the symbol that it stands in, -1 for the file itself."""
    name: str
    edge: str
    line: int
    """1-based, as it is shown."""
    column: int
    """0-based, counted in characters."""
    times: int = 1
    method: str = "definition"
    receiver: str = ""
    """What a member is asked of, as it is written."""


def questions(facts: FileFacts, lines: Sequence[str], implementations: bool = False) -> list[Question]:
    """Return everything in a file that is worth asking, each place once."""
    found = dict.fromkeys((*_references(facts, lines), *_bases(facts, lines)))
    if implementations:
        found.update(dict.fromkeys(_implementations(facts, lines)))
    return list(found)


def utf16(line: str, column: int) -> int:
    """Return a column as language servers count it."""
    return column if line.isascii() else len(line[:column].encode("utf-16-le", "surrogatepass")) // 2


def from_utf16(line: str, column: int) -> int:
    """Return a column of a language server in characters."""
    if line.isascii():
        return column
    return len(line.encode("utf-16-le", "surrogatepass")[: 2 * column].decode("utf-16-le", "replace"))


def word_at(line: str, column: int) -> str:
    """Return the name that stands at a column."""
    found = re.match(r"[\w$#@!?]*", line[column:])
    return (found[0] if found else "").strip("#@")


def _references(facts: FileFacts, lines: Sequence[str]) -> Iterator[Question]:
    for reference in facts.references:
        edge = _EDGE_OF.get(reference.kind)
        if edge is None or not reference.name:
            continue
        place = _place(lines, reference.line, reference.name, bool(reference.receiver), edge == "calls")
        if place is not None:
            yield Question(
                reference.symbol, reference.name, edge, *place, reference.count, receiver=reference.receiver
            )


def _bases(facts: FileFacts, lines: Sequence[str]) -> Iterator[Question]:
    for index, symbol in enumerate(facts.symbols):
        for base in symbol.bases:
            relation, _, name = base.partition(" ")
            last = re.split(r"\W+", name)[-1] if name else ""
            if relation not in {"extends", "implements"} or not last:
                continue
            head = min(symbol.end_line, symbol.start_line + _HEAD_LINES)
            for number in range(symbol.start_line, head + 1):
                place = _place(lines, number, last, False, False, reach=0)
                if place is not None and not _defines(symbol, lines, place):
                    yield Question(index, last, relation, *place)
                    break


def _implementations(facts: FileFacts, lines: Sequence[str]) -> Iterator[Question]:
    for index, symbol in enumerate(facts.symbols):
        if symbol.kind in _ABSTRACT:
            place = _place(lines, symbol.start_line, symbol.name, False, False)
            if place is not None:
                yield Question(index, symbol.name, "implements", *place, method="implementation")


def _defines(symbol: Symbol, lines: Sequence[str], place: tuple[int, int]) -> bool:
    """Say whether a name in a head is that of the type itself, as in `class Client(base.Client)`."""
    first = re.search(rf"(?<!\w){re.escape(symbol.name)}(?!\w)", lines[place[0] - 1])
    return symbol.kind in TYPE_KINDS and first is not None and place == (symbol.start_line, first.start())


def _place(
    lines: Sequence[str], line: int, name: str, member: bool, called: bool, reach: int = _LINES_ON
) -> tuple[int, int] | None:
    """Return line and column of the use that fits best: a member behind a dot, a call before its arguments."""
    pattern = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    for number in range(line, min(line + reach, len(lines)) + 1):
        text = lines[number - 1] if number else ""
        best = max(pattern.finditer(text), key=lambda found: _fit(text, found, member, called), default=None)
        if best is not None:
            return number, best.start()
    return None


def _fit(text: str, found: re.Match[str], member: bool, called: bool) -> tuple[int, int]:
    before, after = text[: found.start()].rstrip(), text[found.end() :].lstrip()
    behind_dot = before.endswith((".", "::", "->", "?."))
    fits = 2 * (behind_dot == member) + (called and after.startswith(("(", "<", "!", "[", "`", "{")))
    return fits, -found.start()
