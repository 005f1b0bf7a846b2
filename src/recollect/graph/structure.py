"""Says what contains what, and how types and their members relate to the types above them."""

from __future__ import annotations

from recollect.graph.edges import Edges
from recollect.graph.keys import last_part
from recollect.graph.names import FileNames
from recollect.graph.scope import Scope
from recollect.graph.shape import HOLDER_KINDS
from recollect.graph.tables import language_of
from recollect.graph.things import bases_of, lineage, members, owner_types, same_type
from recollect.ports import Definition
from recollect.types import CALLABLE_KINDS

_INHERITED = 200
_INTERFACES = 32
_UNINHERITED = frozenset({"constructor"})


def add_structure(names: FileNames, edges: Edges) -> None:
    """Add contains, member_of, extends, implements, overrides and inherits."""
    for index, symbol in enumerate(names.view.facts.symbols):
        _add_place(names, edges, index)
        if symbol.kind in HOLDER_KINDS and symbol.kind != "namespace":
            _add_bases(names, edges, index)


def _add_place(names: FileNames, edges: Edges, index: int) -> None:
    symbols = names.view.facts.symbols
    symbol = symbols[index]
    number = names.number(index)
    edges.add(names.number(symbol.parent), number, "contains", ("syntax", 100), symbol.start_line)
    if symbol.parent >= 0 and symbols[symbol.parent].kind in HOLDER_KINDS:
        edges.add(number, names.number(symbol.parent), "member_of", ("syntax", 100), symbol.start_line)
    elif symbol.owner:
        owners = owner_types(names.scope, names.definition(index))
        for owner in owners:
            known = ("resolved", 100) if len(owners) == 1 else ("ambiguous", 100 // len(owners))
            edges.add(owner.number, number, "contains", known, symbol.start_line)
            edges.add(number, owner.number, "member_of", known, symbol.start_line)


def _add_bases(names: FileNames, edges: Edges, index: int) -> None:
    scope = names.scope
    kind = names.definition(index)
    line = names.view.facts.symbols[index].start_line
    for relation, above in bases_of(scope, kind):
        for row in above:
            name = "implements" if relation == "implements" or _is_contract(kind, row) else "extends"
            known = ("resolved", 100) if len(above) == 1 else ("ambiguous", 100 // len(above))
            edges.add(kind.number, row.number, name, known, line)
    parents = lineage(scope, kind)
    if parents:
        _add_inherited(scope, edges, kind, parents, line)
    if names.rules.structural and kind.kind != "interface":
        _add_structural(scope, edges, kind, line)


def _is_contract(kind: Definition, above: Definition) -> bool:
    return above.kind in ("interface", "trait") and kind.kind not in ("interface", "trait")


def _add_inherited(
    scope: Scope, edges: Edges, kind: Definition, parents: tuple[Definition, ...], line: int
) -> None:
    seen = {row.name: row for row in own_members(scope, kind)}
    added = 0
    for parent in parents:
        for row in own_members(scope, parent):
            if row.kind in _UNINHERITED or row.name == parent.name:
                continue
            mine = seen.get(row.name)
            if mine is None:
                seen[row.name] = row
                if added < _INHERITED:
                    edges.add(kind.number, row.number, "inherits", ("resolved", 100), line)
                    added += 1
            elif mine.owner == kind.qualified and mine.number != row.number:
                for own in members(scope, kind, row.name):
                    edges.add(own.number, row.number, "overrides", ("resolved", 100), line)


def own_members(scope: Scope, kind: Definition) -> tuple[Definition, ...]:
    """Return the callables that a type itself defines, by path and name."""

    def read() -> tuple[Definition, ...]:
        rules = language_of(kind.language)
        rows = scope.owned(last_part(kind.qualified), rules.family).by("owner", kind.qualified)
        return tuple(row for row in rows if row.kind in CALLABLE_KINDS and same_type(row, kind, rules))

    return scope.remembered(("om", kind.number), read)


def _add_structural(scope: Scope, edges: Edges, kind: Definition, line: int) -> None:
    """Add implements and overrides for each interface whose methods the type has all of."""
    mine = {
        row.name: row
        for parent in (*reversed(lineage(scope, kind)), kind)
        for row in own_members(scope, parent)
    }
    if not mine:
        return
    family = language_of(kind.language).family
    contracts: dict[int, Definition] = {}
    for name in mine:
        for contract in contracts_with(scope, name, family):
            contracts.setdefault(contract.number, contract)
    fitting = [row for row in contracts.values() if _fits(scope, row, mine)]
    for contract in sorted(fitting, key=lambda row: (row.path, row.qualified))[:_INTERFACES]:
        edges.add(kind.number, contract.number, "implements", ("inferred", 90), line)
        for method in own_members(scope, contract):
            own = mine[method.name]
            if own.owner == kind.qualified:
                edges.add(own.number, method.number, "overrides", ("inferred", 90), line)


def contracts_with(scope: Scope, name: str, family: str) -> tuple[Definition, ...]:
    """Return the interfaces that declare a method of that name."""

    def read() -> tuple[Definition, ...]:
        found: dict[int, Definition] = {}
        for row in scope.named(name, family).all:
            if row.owner and row.kind in CALLABLE_KINDS:
                for kind in owner_types(scope, row):
                    if kind.kind == "interface":
                        found[kind.number] = kind
        return tuple(found.values())

    return scope.remembered(("ci", name, family), read)


def _fits(scope: Scope, contract: Definition, mine: dict[str, Definition]) -> bool:
    for holder in (contract, *lineage(scope, contract)):
        for method in own_members(scope, holder):
            own = mine.get(method.name)
            if own is None or (
                own.parameters != method.parameters and -1 not in (own.parameters, method.parameters)
            ):
                return False
    return bool(own_members(scope, contract))
