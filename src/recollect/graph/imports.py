"""Says which files, symbols and packages a file imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.graph.edges import Edges
from recollect.graph.keys import last_part
from recollect.graph.modules import Module, dotted
from recollect.graph.names import FileNames
from recollect.graph.things import module_member
from recollect.ports import Definition, FileRecord

if TYPE_CHECKING:
    from recollect.facts import Import


def add_imports(names: FileNames, edges: Edges) -> None:
    """Add imports to files and symbols, and depends_on for packages from outside."""
    for entry in names.view.facts.imports:
        answer = names.imported(entry) if entry.alias else None
        module = names.module(entry)
        things = answer.things if answer else ()
        symbols = [thing for thing in things if isinstance(thing, Definition)]
        modules = [thing for thing in things if isinstance(thing, Module)] or ([module] if module else [])
        found = False
        if symbols:
            found = True
            name = f"{names.rules.family}:{entry.name or entry.module}"
            edges.point(
                names.view.number,
                symbols,
                "imports",
                answer.confidence if answer else 100,
                (entry.line, 1, name),
            )
        for target in modules:
            found = _add_module(names, edges, target, entry) or found
        if not found and not entry.level:
            package = package_name(entry.module, names.rules.modules)
            if package:
                target_number = names.scope.external("package", package)
                edges.add(names.view.number, target_number, "depends_on", ("syntax", 100), entry.line)


def _add_module(names: FileNames, edges: Edges, module: Module, entry: Import) -> bool:
    line, alias = entry.line, entry.alias or last_part(entry.module.replace("/", "."))
    for record in module.files:
        known = ("resolved", 100) if len(module.files) == 1 else ("ambiguous", 100 // len(module.files))
        edges.add(names.view.number, record.number, "imports", known, line)
    if module.files or module.package:
        return bool(module.files)
    for record in _used_files(names, module, alias):
        edges.add(names.view.number, record.number, "imports", ("resolved", 100), line)
    return bool(module.folders)


def _used_files(names: FileNames, module: Module, alias: str) -> list[FileRecord]:
    """Return the files of an imported folder that define what is used of it, else the first one."""
    facts, scope = names.view.facts, names.scope

    def find() -> dict[str, FileRecord]:
        return {
            record.path: record
            for folder in module.folders
            for record in scope.files_in(folder.rpartition("/")[2])
            if record.path.rpartition("/")[0] == folder
            and record.language == facts.language
            and not record.test
        }

    inside = scope.remembered(("in", facts.language, module.folders), find)
    found: dict[str, FileRecord] = {}
    for name in sorted(names.used_of(alias)):
        for thing in module_member(scope, module, name, facts.language).things:
            if isinstance(thing, Definition) and thing.path in inside:
                found[thing.path] = inside[thing.path]
    if found or not inside:
        return [found[path] for path in sorted(found)]
    return [inside[min(inside)]]


def package_name(module: str, strategy: str) -> str:
    """Return the name of the package that a module from outside belongs to, empty when it names a place."""
    if not module or module.startswith((".", "/", "$")):
        return ""
    module = dotted(module)
    parts = module.split("/")
    if strategy == "relative":
        return "/".join(parts[:2]) if module.startswith("@") else parts[0]
    if strategy == "folder":
        return "/".join(parts[:3]) if "." in parts[0] else module
    if strategy in ("dotted", "crate", "qualified"):
        return module.split(".")[0]
    if strategy == "package":
        return ".".join(module.split(".")[:3])
    return module if strategy in ("included", "target") else parts[0]
