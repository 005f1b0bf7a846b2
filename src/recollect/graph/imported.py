"""What an import binds, and what a dotted path stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.graph.keys import last_part
from recollect.graph.modules import Module, dotted, find_module
from recollect.graph.shape import HOLDER_KINDS
from recollect.graph.things import MAX_CANDIDATES, OUTSIDE, UNKNOWN, Answer, module_member, step

if TYPE_CHECKING:
    from recollect.facts import Import
    from recollect.graph.names import FileNames


def imported(names: FileNames, entry: Import) -> Answer:
    """Return what an import binds: things of this repository, or OUTSIDE."""
    language = names.view.facts.language
    if not entry.name or entry.name == "*":
        return _whole_module(names, entry)
    module = names.module(entry)
    if module is not None:
        found = module_member(names.scope, module, entry.name, language)
        if found.things:
            return found
        if entry.name == "default":
            return _default(names, module, entry.alias)
    below = by_path(names, f"{entry.module}.{entry.name}") if not entry.level else UNKNOWN
    if below.things:
        return below
    if names.rules.modules in ("qualified", "included"):
        return of_module(names, dotted(entry.module), entry.name)
    if names.rules.modules != "dotted":
        return UNKNOWN if module is not None and names.rules.modules != "package" else OUTSIDE
    text = "." * entry.level + (f"{entry.module}.{entry.name}" if entry.module else entry.name)
    inner = find_module(names.scope, language, text, names.view.path)
    if inner is None:
        return OUTSIDE if module is None else UNKNOWN
    return Answer((inner,), 100)


def of_module(names: FileNames, path: str, name: str) -> Answer:
    """Return what a module or namespace that is known by its name alone holds under a name."""
    holder = by_path(names, path)
    found = step(names.scope, holder, name) if holder.things else in_namespace(names, path, name)
    return found if found.things or holder.things else OUTSIDE


def in_namespace(names: FileNames, path: str, name: str) -> Answer:
    """Return what a namespace holds, seen from inside of the file's own namespace."""
    entry = names.outline.imports.get(path)
    path = dotted(entry.module) if entry is not None and not entry.name else path
    parts = names.view.facts.package.split(".") if names.view.facts.package else []
    for size in range(len(parts), -1, -1):
        package = ".".join([*parts[:size], path])
        found = module_member(names.scope, Module(package=package), name, names.view.facts.language)
        if found.things:
            return found
    return UNKNOWN


def _whole_module(names: FileNames, entry: Import) -> Answer:
    whole_name = dotted(entry.module)
    first, _, rest = entry.module.partition(".")
    if rest and entry.alias == first and names.rules.modules == "dotted" and not entry.level:
        found = find_module(names.scope, names.view.facts.language, first, names.view.path)
        return Answer((found,), 100) if found else OUTSIDE
    if names.rules.modules in ("package", "qualified", "target", "none"):
        whole = by_path(names, whole_name) if "." in whole_name else _symbol(names, whole_name)
        if whole.things:
            return whole
    module = names.module(entry)
    return Answer((module,), 100) if module else OUTSIDE


def _symbol(names: FileNames, name: str) -> Answer:
    rows = [row for row in names.scope.named(name, names.rules.family).all if row.qualified == name]
    return Answer(tuple(rows), 90) if 0 < len(rows) <= MAX_CANDIDATES else UNKNOWN


def _default(names: FileNames, module: Module, alias: str) -> Answer:
    """Return what a module exports by default: what is called as imported, else its only public symbol."""
    found = module_member(names.scope, module, alias, names.view.facts.language)
    return found if found.things else Answer((module,), 50)


def by_path(names: FileNames, text: str) -> Answer:
    """Try a dotted text as a module path or as the qualified name of a module or type."""
    text = dotted(text)
    entry = names.scope.named(last_part(text), names.rules.family)
    whole = [row for row in entry.all if row.kind in HOLDER_KINDS and row.qualified == text]
    whole += [row for row in names.scope.named(text, names.rules.family).all if row.kind in HOLDER_KINDS]
    if whole:
        return Answer(tuple(whole[:MAX_CANDIDATES]), 100)
    if names.rules.modules == "crate":
        module = find_module(names.scope, names.view.facts.language, text, names.view.path)
        return Answer((module,), 100) if module else UNKNOWN
    head, _, tail = text.rpartition(".")
    if names.rules.modules == "package":
        return module_member(names.scope, Module(package=head), tail, names.view.facts.language)
    return UNKNOWN
