"""What names mean inside one file: locals, nested symbols, members, imports, and what the language makes visible."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recollect.graph.imported import by_path, imported
from recollect.graph.inside import local
from recollect.graph.modules import Module, find_module
from recollect.graph.outside import outside
from recollect.graph.scope import Scope
from recollect.graph.shape import HOLDER_KINDS, Outline, outline
from recollect.graph.tables import language_of
from recollect.graph.things import UNKNOWN, Answer, evaluate, lineage, owner_types
from recollect.ports import Definition
from recollect.types import TYPE_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.facts import FileFacts, Import

_SELF = frozenset({"self", "this", "Self", "static"})
_DEPTH = 20


class FileView(NamedTuple):
    """A file that is being resolved."""

    path: str
    facts: FileFacts
    numbers: Sequence[int]
    """Dense item number of each symbol."""
    number: int
    """Dense item number of the file."""


class FileNames:
    """Answers what names and expressions mean at a place in one file; it lives while that file is resolved."""

    def __init__(self, view: FileView, scope: Scope) -> None:
        facts = view.facts
        self.view = view
        self.scope = scope
        self.rules = language_of(facts.language)
        self.outline: Outline = outline(facts)
        self.children: dict[tuple[int, str], list[int]] = {}
        for index, symbol in enumerate(facts.symbols):
            if symbol.parent >= 0 or not symbol.owner:
                self.children.setdefault((symbol.parent, symbol.name), []).append(index)
        self.wildcards = [entry for entry in facts.imports if entry.name == "*" and not entry.alias]
        self.called: list[tuple[int, int, tuple[Definition, ...], int]] = []
        """Symbol, line, targets and confidence of each call, for the tests among them."""
        self.parameters: dict[int, frozenset[str]] = {}
        """The names of a function's parameters, as far as they were asked for."""
        self._definitions: dict[int, Definition] = {}
        self._answers: dict[tuple[str, int, bool], Answer] = {}
        self._outer: dict[tuple[str, int], Answer] = {}
        self._imports: dict[str, Answer] = {}
        self._open: set[tuple[str, int, bool]] = set()
        self._used: dict[str, set[str]] | None = None

    def number(self, index: int) -> int:
        """Return the item number of a symbol, or of the file for -1."""
        return self.view.numbers[index] if index >= 0 else self.view.number

    def definition(self, index: int) -> Definition:
        """Return a symbol of this file as other files see it."""
        known = self._definitions.get(index)
        if known is None:
            known = self.outline.definition(index, self.view.numbers[index], self.view.path)
            self._definitions[index] = known
        return known

    def enclosing_types(self, index: int) -> tuple[Definition, ...]:
        """Return the type in whose body or as whose member a symbol stands."""
        symbols = self.view.facts.symbols
        while index >= 0:
            symbol = symbols[index]
            if symbol.kind in TYPE_KINDS or (symbol.kind in HOLDER_KINDS and symbol.kind != "namespace"):
                return (self.definition(index),)
            if symbol.owner:
                found = owner_types(self.scope, self.definition(index))
                if found:
                    return found
            index = symbol.parent
        return ()

    def value(self, text: str, index: int, declared: bool = False) -> Answer:
        """Return what an expression gives where a symbol stands."""
        key = (text, index, declared)
        known = self._answers.get(key)
        if known is None:
            if key in self._open or len(self._open) >= _DEPTH:
                return UNKNOWN
            self._open.add(key)
            try:
                known = _value(self, text, index, declared)
            finally:
                self._open.discard(key)
            self._answers[key] = known
        return known

    def name(self, name: str, index: int) -> Answer:
        """Return what a bare name means where a symbol stands; unknown locals hide what is outside."""
        if name in _SELF:
            found = self.enclosing_types(index)
            if found or name != "self":
                return Answer(found, 100 if len(found) == 1 else 80)
        if name == "super":
            return _above(self, index)
        if name in self.rules.dynamic:
            return UNKNOWN
        within = local(self, name, index)
        return within if within is not None else self.outside(name, index)

    def outside(self, name: str, index: int) -> Answer:
        """Return what a name is at the level of the file: its symbols, imports, and what is visible without them."""
        key = (name, index if self.rules.implicit else -1)
        known = self._outer.get(key)
        if known is None:
            known = self._outer[key] = outside(self, name, index)
        return known

    def used_of(self, alias: str) -> set[str]:
        """Return the names that the file takes directly from what an alias stands for."""
        if self._used is None:
            self._used = {}
            for row in self.view.facts.references:
                if row.receiver:
                    first, _, rest = row.receiver.partition(".")
                    taken = rest.partition(".")[0] if rest else row.name
                    self._used.setdefault(first, set()).add(taken.rstrip("()[]"))
        return self._used.get(alias, set())

    def module(self, entry: Import) -> Module | None:
        """Return what the module of an import stands for."""
        text = "." * entry.level + entry.module
        return find_module(self.scope, self.view.facts.language, text, self.view.path)

    def imported(self, entry: Import) -> Answer:
        """Return what an import binds."""
        known = self._imports.get(entry.alias)
        if known is None:
            known = self._imports[entry.alias] = imported(self, entry)
        return known


def _value(names: FileNames, text: str, index: int, declared: bool) -> Answer:
    text = text.removeprefix("=")
    found = evaluate(names.scope, text, lambda name: names.name(name, index), declared)
    if not found.things and "." in text and "(" not in text:
        return by_path(names, text)
    return found


def _above(names: FileNames, index: int) -> Answer:
    above = tuple(row for kind in names.enclosing_types(index) for row in lineage(names.scope, kind)[:1])
    return Answer(above, 100) if above else UNKNOWN
