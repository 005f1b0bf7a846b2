"""What a definition says to other files: its types, written so that they can be looked up from anywhere.

A type or expression that starts with an imported name is anchored: `Client` imported from `app.http` becomes
`Client@app.http`, with a Python relative level kept as leading dots. Whoever reads it resolves the part behind the
`@` as an import made by the file that holds the definition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from recollect.graph.keys import last_part
from recollect.graph.tables import language_of
from recollect.ports import Definition
from recollect.types import CALLABLE_KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from recollect.facts import FileFacts, Import

HOLDER_KINDS = TYPE_KINDS | {"module", "namespace"}
"""Kinds that have members."""
DECLARATION = "declaration"
"""The only base of a callable that is declared without a body and defined somewhere else."""
_VALUE_KINDS = frozenset({"variable", "constant", "field", "property", "object", "enum_member"})
_FIRST = re.compile(r"[^.()\[\]]+")
_FLAT = re.compile(r"[^()\[\]{}<>]*+(?=[)\]}>])")
"""A parameter list in which no bracket is opened."""
Parts: TypeAlias = tuple[str, tuple[str, ...], tuple[tuple[str, str, bool], ...], int]
_encode = msgspec.msgpack.Encoder().encode


class Outline:
    """What is read out of one file's facts for its definitions: fields by type, values by scope, imports by name."""

    __slots__ = ("_members", "_parts", "_rules", "facts", "fields", "imports", "values")

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self._members: dict[int, list[int]] | None = None
        self._parts: dict[int, Parts] = {}
        self.imports: Mapping[str, Import] = {entry.alias: entry for entry in facts.imports if entry.alias}
        self.values: dict[tuple[int, str], tuple[str, bool]] = {}
        self.fields: dict[int, list[tuple[str, str, bool]]] = {}
        symbols = facts.symbols
        rules = self._rules = language_of(facts.language)
        for binding in facts.bindings:
            name = binding.name
            scope = binding.symbol
            if name.startswith("self."):
                scope, name = self._holder(scope), name[5:]
            declared = binding.declared and binding.type not in rules.dynamic
            if declared or (scope, name) not in self.values or self.values[scope, name][0] in rules.dynamic:
                self.values[scope, name] = (binding.type, binding.declared)
        for (scope, name), (text, declared) in self.values.items():
            if scope >= 0 and symbols[scope].kind in HOLDER_KINDS:
                known = text if declared else self._through_parameter(scope, text)
                self.fields.setdefault(scope, []).append((name, self.anchored(known), declared))

    def _through_parameter(self, scope: int, text: str) -> str:
        """Write the declared type of a method's parameter in place of its name, for a field that it is kept in."""
        first = _FIRST.match(text)
        if first is None or first.group() in self.imports or (-1, first.group()) in self.values:
            return text
        for method in self._methods().get(scope, ()):
            known = self.values.get((method, first.group()))
            if known is not None and known[1]:
                return known[0] + text[first.end() :]
        return text

    def _methods(self) -> dict[int, list[int]]:
        if self._members is None:
            self._members = {}
            symbols = self.facts.symbols
            for index in sorted(range(len(symbols)), key=lambda at: symbols[at].kind != "constructor"):
                if symbols[index].kind in CALLABLE_KINDS:
                    self._members.setdefault(symbols[index].parent, []).append(index)
        return self._members

    def _holder(self, symbol: int) -> int:
        symbols = self.facts.symbols
        while symbol >= 0 and symbols[symbol].kind not in TYPE_KINDS:
            symbol = symbols[symbol].parent
        return symbol

    def anchored(self, text: str) -> str:
        """Return the type or expression with the module it came from behind an `@`, when its first name is imported."""
        if not text or not self.imports or "@" in text:
            return text
        found = _FIRST.match(text)
        if found is None:
            return text
        entry = self.imports.get(found.group())
        if entry is None:
            return text
        rest = text[found.end() :]
        module = "." * entry.level + entry.module
        if entry.name and entry.name != "*":
            name = entry.alias if entry.name == "default" else entry.name
            return f"{name}{rest}@{module}"
        if self._rules.modules in ("package", "qualified"):
            holder, _, last = entry.module.replace("\\", ".").rpartition(".")
            return f"{last}{rest}@{holder}" if holder else text
        whole = f"{entry.module}."
        if text.startswith(whole):
            rest = text[len(whole) - 1 :]
        return f"{rest[1:]}@{module}" if rest.startswith(".") else text

    def definition(self, index: int, number: int, path: str) -> Definition:
        """Return the symbol as other files see it."""
        symbol = self.facts.symbols[index]
        returns, bases, fields, parameters = self.parts(index)
        return Definition(
            number, symbol.name, symbol.qualified, symbol.kind, path, self.facts.language, self.owner(index),
            self.facts.package, symbol.visibility, symbol.test, returns, bases, fields, parameters,
        )  # fmt: skip

    def owner(self, index: int) -> str:
        """Return the qualified name of the type or module that the symbol is a member of, empty for none."""
        symbol = self.facts.symbols[index]
        if symbol.owner or symbol.parent < 0:
            return symbol.owner
        parent = self.facts.symbols[symbol.parent]
        return parent.qualified if parent.kind in HOLDER_KINDS else ""

    def parts(self, index: int) -> Parts:
        """Return the result type, bases, fields and number of parameters of a symbol, anchored."""
        known = self._parts.get(index)
        if known is None:
            known = self._parts[index] = self._read_parts(index)
        return known

    def _read_parts(self, index: int) -> Parts:
        symbol = self.facts.symbols[index]
        returns = symbol.returns
        if not returns and symbol.kind in _VALUE_KINDS:
            returns = self.values.get((symbol.parent, symbol.name), ("", False))[0]
        bases = tuple(self._base(base) for base in symbol.bases)
        if self._rules.declares and symbol.kind in CALLABLE_KINDS and symbol.signature.endswith(";"):
            bases = (DECLARATION,)
        fields = tuple(sorted(set(self.fields.get(index, ())))) if index in self.fields else ()
        parameters = parameter_count(symbol.signature, symbol.name) if symbol.kind in CALLABLE_KINDS else -1
        return self.anchored(returns), bases, fields, parameters

    def _base(self, base: str) -> str:
        relation, _, name = base.partition(" ")
        return f"{relation} {self.anchored(name)}" if name else f"extends {self.anchored(relation)}"


_kept: list[tuple[FileFacts, Outline]] = []


def outline(facts: FileFacts) -> Outline:
    """Return the outline of the facts; the last one is kept, since a file's symbols are asked for in a row."""
    if _kept and _kept[0][0] is facts:
        return _kept[0][1]
    made = Outline(facts)
    _kept[:] = [(facts, made)]
    return made


def shape(facts: FileFacts, index: int) -> bytes:
    """Return msgpack of (returns, bases, fields, parameters) of a symbol, empty when there is nothing to say."""
    parts = outline(facts).parts(index)
    if parts == ("", (), (), -1):
        return b""
    return _encode(parts)


def parameter_count(signature: str, name: str) -> int:
    """Return how many parameters the list behind a callable's name has, -1 when the signature has none."""
    start = signature.find("(", max(signature.find(f"{name}("), 0))
    if start < 0:
        return -1
    if flat := _FLAT.match(signature, start + 1):
        return sum(not part.isspace() for part in flat.group().split(",") if part)
    depth, count, filled = 0, 0, False
    for character in signature[start + 1 :]:
        if character in "([{<":
            depth += 1
        elif character in ")]}>":
            if depth == 0:
                break
            depth -= 1
        elif character == "," and depth == 0:
            count += filled
            filled = False
            continue
        filled = filled or not character.isspace()
    return count + filled


def is_member(definition: Definition) -> bool:
    """Tell whether a definition is reached through its owner rather than by its bare name."""
    return bool(definition.owner) and last_part(definition.qualified) != definition.qualified
