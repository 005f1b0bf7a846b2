"""Bindings: what names, parameters and fields are declared to be or are made from."""

from __future__ import annotations

from recollect.facts import Binding
from recollect.parse.grammars import Grammar
from recollect.parse.matches import Captures, Matches
from recollect.parse.symbols import Draft, Outline
from recollect.parse.text import Source
from recollect.types import TYPE_KINDS

LONGEST_VALUE = 1000
VALUES = frozenset({"field", "variable", "constant", "enum_member"})


def read_bindings(
    grammar: Grammar, source: Source, found: Outline, matches: Matches
) -> tuple[tuple[Binding, ...], dict[int, set[str]]]:
    """Return the bindings of a file, and the local names of each symbol."""
    rows: dict[Binding, None] = {}
    locals_: dict[int, set[str]] = {}
    types = {draft.qualified: draft for draft in found.drafts if draft.kind in TYPE_KINDS}
    take, expression = source.take, grammar.naming.expression
    for binder, captures in matches.binds:
        for node in captures.get("bind.name", ()):
            at, end = node.start_byte, node.end_byte
            name = expression(take(at, end)) if end - at < 200 else "?"
            placed = _placed(found, types, (binder, captures), name, at)
            if placed is None:
                continue
            scope, name = placed
            if scope is not None and scope.kind not in TYPE_KINDS and "bind.field" not in captures:
                locals_.setdefault(scope.index, set()).add(name)
            kind = _type_text(grammar, source, captures)
            if kind is not None and kind[0] not in {"", "?", "[]", "?[]", "var", "auto"}:
                rows[Binding(scope.index if scope else -1, name, kind[0], kind[1])] = None
    return tuple(rows), locals_


def _type_text(grammar: Grammar, source: Source, captures: Captures) -> tuple[str, bool] | None:
    for capture, declared, suffix in (
        ("bind.type", True, ""), ("bind.many", True, "[]"), ("bind.value", False, ""), ("bind.each", False, "[]"),
    ):  # fmt: skip
        nodes = captures.get(capture)
        if not nodes:
            continue
        start, end = nodes[0].start_byte, nodes[0].end_byte
        if end - start <= LONGEST_VALUE:
            read = grammar.naming.type if declared else grammar.naming.expression
            return read(source.take(start, end)) + suffix, declared
    return None


def _scope_of(found: Outline, at: int) -> Draft | None:
    """Return the symbol in which a name is bound, not the one that the name itself defines."""
    scope = found.around(at)
    while scope is not None and (scope.name_start == at or scope.kind in VALUES):
        scope = scope.parent
        while scope is not None and not scope.kind:
            scope = scope.parent
    return scope


def _placed(
    found: Outline, types: dict[str, Draft], bound: tuple[str, Captures], name: str, at: int
) -> tuple[Draft | None, str] | None:
    """Return in which symbol a name is bound and its last part, or None where nothing is bound."""
    binder, captures = bound
    scope = _scope_of(found, at)
    own, dot, last = name.partition(".")
    if dot:
        scope = _type_of(scope, types)
        return (scope, last) if own == "self" and "." not in last and scope is not None else None
    if "bind.field" in captures:
        return _type_of(scope, types), name
    if scope is None and (owner := _nameless_around(found, at)):
        return (types[owner], name) if owner in types else None
    if scope is not None and scope.kind in TYPE_KINDS and _of_a_function_type(binder):
        return None
    return scope, name


def _nameless_around(found: Outline, at: int) -> str:
    """Return whose members stand in the nameless scope (`extension Foo`) around a byte, or nothing."""
    inside = found.container(at)
    if inside is not None and inside.kind and inside.owner:
        return inside.owner
    while inside is not None and inside.kind:
        inside = inside.parent
    return inside.name if inside is not None else ""


def _type_of(scope: Draft | None, types: dict[str, Draft]) -> Draft | None:
    """Return the type of this file in which a symbol stands or to which it belongs."""
    while scope is not None and scope.kind not in TYPE_KINDS:
        if scope.owner in types:
            return types[scope.owner]
        scope = scope.parent
    return scope


def _of_a_function_type(node_type: str) -> bool:
    """Say whether a name bound inside a type is only a parameter in the type of a field."""
    return "parameter" in node_type and not node_type.startswith("class_")
