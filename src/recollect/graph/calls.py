"""Says what a call reaches: by the type of its receiver where that can be told, else by name as a possibility."""

from __future__ import annotations

from recollect.graph.edges import Edges
from recollect.graph.imported import in_namespace
from recollect.graph.keys import folder_of, stem_of
from recollect.graph.names import FileNames
from recollect.graph.scope import Scope
from recollect.graph.shape import DECLARATION, HOLDER_KINDS
from recollect.graph.tables import language_of
from recollect.graph.things import Answer, find_members, members, step
from recollect.ports import Definition
from recollect.types import CALLABLE_KINDS

_BY_NAME = 50
_BY_COMMON_NAME = 20
_CALL_OPERATORS = ("__call__", "call", "invoke", "apply", "__invoke")
_UNCALLED = frozenset({"interface", "type", "namespace", "module"})
"""Kinds that give way when something else of the same name can be called."""
_FUNCTIONS = CALLABLE_KINDS - {"property"}


def add_calls(names: FileNames, edges: Edges) -> None:
    """Add the calls of a file."""
    known: dict[tuple[str, str, int], tuple[tuple[Definition, ...], int]] = {}
    family = names.rules.family
    for reference in names.view.facts.references:
        if reference.kind != "call":
            continue
        key = (reference.receiver, reference.name, reference.symbol)
        found = known.get(key)
        if found is None:
            found = known[key] = callees(names, *key)
        if found[0]:
            seen = (reference.line, reference.count, f"{family}:{reference.name}")
            edges.point(names.number(reference.symbol), found[0], "calls", found[1], seen)
            names.called.append((reference.symbol, reference.line, *found))


def callees(names: FileNames, receiver: str, name: str, symbol: int) -> tuple[tuple[Definition, ...], int]:
    """Return what a call may reach and how sure that is in percent, before it is shared among several."""
    if not receiver:
        if name == "super" and name in names.rules.builtins:
            return (), 0
        answer = names.name(name, symbol)
        if not answer.things and name in names.rules.creators:
            answer = Answer(names.enclosing_types(symbol), 100)
        if answer.things and _holds_instance(names, name, symbol):
            return _operators(names.scope, answer), answer.confidence
    else:
        held = names.value(receiver, symbol)
        answer = step(names.scope, held, name) if held.things else held
        if not held.things and names.rules.modules == "included" and "(" not in receiver:
            found = in_namespace(names, receiver, name)
            answer = found if found.things else held
    if answer.things:
        targets = _reached(names.scope, answer)
        if targets:
            return targets, answer.confidence
    if answer.confidence and not answer.things:
        return (), 0
    return _by_name(names, receiver, name, symbol)


def _holds_instance(names: FileNames, name: str, symbol: int) -> bool:
    symbols = names.view.facts.symbols
    while symbol >= 0:
        bound = names.outline.values.get((symbol, name))
        if bound is not None:
            return bound[1] or "(" in bound[0]
        symbol = symbols[symbol].parent
    return False


def _operators(scope: Scope, answer: Answer) -> tuple[Definition, ...]:
    types = [row for row in answer.things if isinstance(row, Definition) and row.kind in HOLDER_KINDS]
    return tuple(row for kind in types for name in _CALL_OPERATORS for row in find_members(scope, kind, name))


def _reached(scope: Scope, answer: Answer) -> tuple[Definition, ...]:
    """Turn types into their constructors; modules and collections are not called."""
    rows: dict[int, Definition] = {}
    called = [row for row in answer.things if isinstance(row, Definition) and row.kind not in _UNCALLED]
    for thing in called or answer.things:
        if isinstance(thing, Definition):
            for row in constructors(scope, thing) if thing.kind in HOLDER_KINDS else (thing,):
                for body in bodies(scope, row):
                    rows.setdefault(body.number, body)
    return tuple(rows.values())


def bodies(scope: Scope, declared: Definition) -> tuple[Definition, ...]:
    """Return where a callable that is only declared is defined, the nearest first choice; itself when it has a body."""
    if declared.bases != (DECLARATION,):
        return (declared,)

    def find() -> tuple[Definition, ...]:
        entry = scope.named(declared.name, language_of(declared.language).family)
        rows = [row for row in entry.by("qualified", declared.qualified) if row.bases != (DECLARATION,)]
        rows = [row for row in rows if row.kind in _FUNCTIONS]
        stem, folder = stem_of(declared.path), folder_of(declared.path)
        for near in (
            [row for row in rows if stem_of(row.path) == stem and folder_of(row.path) == folder],
            [row for row in rows if stem_of(row.path) == stem],
            [row for row in rows if folder_of(row.path) == folder],
        ):
            if near:
                return tuple(near)
        return tuple(rows) or (declared,)

    return scope.remembered(("bo", declared.number), find)


def constructors(scope: Scope, kind: Definition) -> tuple[Definition, ...]:
    """Return the constructors that a type defines, or the type itself."""
    for name in language_of(kind.language).constructors:
        rows = members(scope, kind, kind.name if name == "*" else name)
        rows = tuple(row for row in rows if row.kind in _FUNCTIONS)
        if rows:
            return rows
    return (kind,)


def _by_name(names: FileNames, receiver: str, name: str, symbol: int) -> tuple[tuple[Definition, ...], int]:
    rules = names.rules
    if name in rules.builtins and not receiver:
        return (), 0
    symbols = names.view.facts.symbols
    in_test = names.view.facts.test or (symbol >= 0 and symbols[symbol].test)
    rows = names.scope.named(name, rules.family).all
    if receiver:
        found = [row for row in rows if row.owner and row.kind in _FUNCTIONS]
    else:
        if rules.explicit and not names.wildcards:
            return (), 0
        found = [row for row in rows if row.kind in _FUNCTIONS or row.kind in HOLDER_KINDS]
    if not in_test:
        found = [row for row in found if not row.test]
    if rules.declares:
        found = list({body.number: body for row in found for body in bodies(names.scope, row)}.values())
    common = name in rules.methods or name in rules.builtins
    return tuple(found), _BY_COMMON_NAME if common else _BY_NAME
