"""Says which types, fields and values the symbols of a file use, what they throw and what decorates them."""

from __future__ import annotations

from recollect.facts import Reference
from recollect.graph.edges import Edges
from recollect.graph.keys import last_part
from recollect.graph.modules import Module
from recollect.graph.names import FileNames
from recollect.graph.shape import HOLDER_KINDS
from recollect.graph.things import MAX_CANDIDATES, UNKNOWN, Answer, Many, find_members, module_member
from recollect.ports import Definition
from recollect.types import CALLABLE_KINDS

_EDGE_OF = {"type": "type_hint_of", "throw": "throws", "decorate": "decorates", "value": "references"}
_USES = frozenset({*_EDGE_OF, "field", "implements", "extends"})
_FIELD_KINDS = frozenset({"field", "property", "constant", "variable", "enum_member"})
_BY_NAME = 40


def add_uses(names: FileNames, edges: Edges) -> None:
    """Add type_hint_of, throws, decorates, references and accesses_field; implements and extends told elsewhere."""
    family = names.rules.family
    known: dict[tuple[str, str, str, int], tuple[list[Definition], int]] = {}
    for reference in names.view.facts.references:
        kind = reference.kind
        if kind not in _USES:
            continue
        key = (kind, reference.receiver, reference.name, reference.symbol)
        used = known.get(key)
        if used is None:
            answer = _used(names, reference)
            rows = [row for row in answer.things if isinstance(row, Definition)]
            used = known[key] = (rows, answer.confidence)
        found, confidence = used
        if not found:
            continue
        seen = (reference.line, reference.count, f"{family}:{reference.name}")
        if kind in ("implements", "extends"):
            for owner in names.value(reference.receiver, reference.symbol, declared=True).things[:1]:
                if isinstance(owner, Definition):
                    edges.point(owner.number, found, kind, confidence, seen)
        else:
            edge = _EDGE_OF.get(kind) or _edge_of(found)
            edges.point(names.number(reference.symbol), found, edge, confidence, seen)


def _edge_of(found: list[Definition]) -> str:
    return "accesses_field" if all(row.owner and row.kind in _FIELD_KINDS for row in found) else "references"


def _used(names: FileNames, reference: Reference) -> Answer:
    if reference.kind == "field":
        return _field(names, reference)
    if reference.kind == "value":
        return _value(names, reference.name, reference.symbol)
    receiver = "" if reference.kind in ("implements", "extends") else reference.receiver
    text = f"{receiver}.{reference.name}" if receiver else reference.name
    if reference.kind == "decorate":
        around = names.view.facts.symbols[reference.symbol].parent if reference.symbol >= 0 else -1
        return _raw(names, receiver, reference.name, around)
    answer = names.value(text, reference.symbol, declared=True)
    types = tuple(row for row in answer.things if isinstance(row, Definition) and row.kind in HOLDER_KINDS)
    if types or answer.confidence or names.rules.explicit:
        return Answer(types, answer.confidence)
    rows = [
        row for row in names.scope.named(reference.name, names.rules.family).all if row.kind in HOLDER_KINDS
    ]
    return Answer(tuple(rows), _BY_NAME)


def _raw(names: FileNames, receiver: str, name: str, symbol: int) -> Answer:
    """Return the definition itself that a name means, where a value would be what it holds."""
    if not receiver:
        return names.name(name, symbol)
    held = names.value(receiver, symbol)
    rows: list[Definition] = []
    for thing in held.things:
        if isinstance(thing, Module):
            inner = module_member(names.scope, thing, name, names.view.facts.language).things
            rows += [row for row in inner if isinstance(row, Definition)]
        elif not isinstance(thing, Many) and thing.kind in HOLDER_KINDS:
            rows += find_members(names.scope, thing, name)
    if rows:
        return Answer(tuple(rows), held.confidence)
    return Answer((), 100) if held.things else held


def _field(names: FileNames, reference: Reference) -> Answer:
    if not reference.receiver:
        return _value(names, reference.name, reference.symbol)
    answer = _raw(names, reference.receiver, reference.name, reference.symbol)
    if answer.things or answer != UNKNOWN or reference.name in names.rules.methods:
        return answer
    rows = [
        row
        for row in names.scope.named(reference.name, names.rules.family).all
        if row.owner and row.kind in _FIELD_KINDS
    ]
    return Answer(tuple(rows), _BY_NAME) if 0 < len(rows) <= MAX_CANDIDATES else UNKNOWN


def _value(names: FileNames, name: str, symbol: int) -> Answer:
    """Return what a plain name passed on refers to, unless it is a local variable or a parameter."""
    symbols = names.view.facts.symbols
    at = symbol
    while at >= 0:
        if symbols[at].kind in CALLABLE_KINDS and (at, name) in names.outline.values:
            return UNKNOWN
        at = symbols[at].parent
    if name == last_part(symbols[symbol].qualified if symbol >= 0 else ""):
        return UNKNOWN
    children = names.children.get((-1, name))
    if children:
        return Answer(tuple(names.definition(child) for child in children), 100)
    return names.name(name, symbol)
