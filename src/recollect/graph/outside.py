"""What a name means at the level of its file: own symbols, imports, and what the language makes visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.graph.imported import of_module
from recollect.graph.modules import dotted
from recollect.graph.shape import HOLDER_KINDS
from recollect.graph.things import OUTSIDE, UNKNOWN, Answer, lexically_visible, module_member, visible
from recollect.ports import Definition
from recollect.types import CALLABLE_KINDS

if TYPE_CHECKING:
    from recollect.graph.names import FileNames

_ONLY_TYPE = 70


def outside(names: FileNames, name: str, index: int) -> Answer:
    """Return what a name is where no function or type around the place defines it."""
    own = names.children.get((-1, name))
    if own:
        return Answer(tuple(names.definition(child) for child in own), 100)
    if name in names.outline.imports:
        return names.imported(names.outline.imports[name])
    bound = names.outline.values.get((-1, name))
    if bound is not None:
        return names.value(bound[0], -1, bound[1]) if bound[0] and bound[0] != name else UNKNOWN
    if names.rules.modules == "sourced" and (sourced := _from_wildcards(names, name)).things:
        return sourced
    entry = names.scope.named(name, names.rules.family)
    qualified = names.view.facts.symbols[index].qualified if index >= 0 else ""
    near = [
        row
        for row in visible(entry, names.rules, names.view.path, names.view.facts.package)
        if lexically_visible(row, qualified)
        and not (names.rules.unnested and row.kind in CALLABLE_KINDS and _is_beyond(row, qualified))
    ]
    if near:
        longest = max(row.qualified.count(".") for row in near)
        return Answer(tuple(row for row in near if row.qualified.count(".") == longest), 100)
    if name in names.rules.builtins:
        return OUTSIDE
    return _from_wildcards(names, name)


def _is_beyond(definition: Definition, inside: str) -> bool:
    """Tell whether something is a member of a type around the one in which a symbol stands."""
    container = definition.qualified.rpartition(".")[0]
    return container not in {"", inside, inside.rpartition(".")[0]}


def _from_wildcards(names: FileNames, name: str) -> Answer:
    for entry in names.wildcards:
        module = names.module(entry)
        if module is not None:
            found = module_member(names.scope, module, name, names.view.facts.language)
            if found.things:
                return found
        elif names.rules.modules in ("qualified", "included"):
            found = of_module(names, dotted(entry.module), name)
            if found.things:
                return found
    found = _from_includes(names, name) if names.rules.same == "includes" else UNKNOWN
    return found if found.things else _only_type(names, name)


def _only_type(names: FileNames, name: str) -> Answer:
    """Return the repository's one type of that name, where an import that takes everything may have brought it."""
    if not name[:1].isupper() or (names.rules.explicit and not names.wildcards):
        return UNKNOWN
    rows = [row for row in names.scope.named(name, names.rules.family).all if row.kind in HOLDER_KINDS]
    return Answer(tuple(rows), _ONLY_TYPE) if len(rows) == 1 else UNKNOWN


def _from_includes(names: FileNames, name: str) -> Answer:
    candidates = names.scope.named(name, names.rules.family)
    rows: list[Definition] = []
    for entry in names.view.facts.imports:
        module = names.module(entry)
        for file in module.files if module else ():
            rows += [row for row in candidates.by("path", file.path) if row.qualified == name]
    return Answer(tuple(rows), 100) if rows else UNKNOWN
