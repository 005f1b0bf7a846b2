"""What a name means in the functions and types around a place, and what a function's parameters are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.graph.shape import HOLDER_KINDS
from recollect.graph.things import UNKNOWN, Answer, Thing, find_members
from recollect.ports import Definition
from recollect.types import CALLABLE_KINDS

if TYPE_CHECKING:
    from recollect.graph.names import FileNames

_PARAMETER = re.compile(r"[(,]\s*[*&.$]*([A-Za-z_]\w*)(?=[\s,)=:?])")
_BRACKET = re.compile(r"[()]")


def local(names: FileNames, name: str, index: int) -> Answer | None:
    """Return what a name is in the functions and types around a symbol, None when they do not define it."""
    symbols = names.view.facts.symbols
    at = index
    beyond = False
    while at >= 0:
        symbol = symbols[at]
        holds = symbol.kind in HOLDER_KINDS
        found = _in_type(names, name, at, at == index) if holds else _in_callable(names, name, at)
        if found is not None and not (beyond and names.rules.unnested and _is_called(found)):
            return found
        beyond = beyond or holds
        at = symbol.parent
    if index >= 0 and symbols[index].owner and names.rules.implicit:
        for kind in names.enclosing_types(index):
            rows = _implicit(names, kind, name)
            if rows:
                return Answer(rows, 100)
    return None


def _is_called(answer: Answer) -> bool:
    return any(isinstance(row, Definition) and row.kind in CALLABLE_KINDS for row in answer.things)


def _in_callable(names: FileNames, name: str, at: int) -> Answer | None:
    nested = names.children.get((at, name))
    if nested:
        return Answer(tuple(names.definition(child) for child in nested), 100)
    bound = names.outline.values.get((at, name))
    if bound is not None:
        text, declared = bound
        return names.value(text, at, declared) if text and text != name else UNKNOWN
    if names.rules.name_first and name in _parameters_of(names, at):
        return UNKNOWN
    return None


def _parameters_of(names: FileNames, at: int) -> frozenset[str]:
    known = names.parameters.get(at)
    if known is None:
        symbol = names.view.facts.symbols[at]
        known = names.parameters[at] = parameter_names(symbol.signature, symbol.name)
    return known


def _in_type(names: FileNames, name: str, at: int, direct: bool) -> Answer | None:
    module = names.view.facts.symbols[at].kind in ("module", "namespace")
    if direct or module or names.rules.implicit:
        symbols = names.view.facts.symbols
        nested = [row for row in names.children.get((at, name), ()) if symbols[row].kind != "constructor"]
        if nested:
            return Answer(tuple(names.definition(child) for child in nested), 100)
    if not names.rules.implicit:
        return None
    bound = names.outline.values.get((at, name))
    if bound is not None and bound[0] and bound[0] != name:
        return names.value(bound[0], at, bound[1])
    rows = _implicit(names, names.definition(at), name)
    return Answer(rows, 100) if rows else None


def _implicit(names: FileNames, kind: Definition, name: str) -> tuple[Thing, ...]:
    return tuple(row for row in find_members(names.scope, kind, name) if row.kind != "constructor")


def parameter_names(signature: str, name: str) -> frozenset[str]:
    """Return the names in the parameter list behind a function's name, where the name of a parameter comes first."""
    start = signature.find("(", signature.find(name) + 1)
    depth = 0
    for bracket in _BRACKET.finditer(signature, start) if start >= 0 else ():
        depth += 1 if bracket.group() == "(" else -1
        if depth == 0:
            return frozenset(_PARAMETER.findall(signature, start, bracket.end()))
    return frozenset()
