"""Finds the files, folders or package that an import names; one strategy per family of languages, chosen by data."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from typing import NamedTuple

from recollect.graph.keys import folder_of, stem_of
from recollect.graph.scope import Scope
from recollect.graph.tables import LanguageRules, language_of
from recollect.ports import FileRecord


class Module(NamedTuple):
    """What a module name stands for in this repository."""

    files: tuple[FileRecord, ...] = ()
    folders: tuple[str, ...] = ()
    package: str = ""
    name: str = ""
    """As written, without leading dots."""


class Wanted(NamedTuple):
    """An import as a strategy sees it."""

    scope: Scope
    rules: LanguageRules
    name: str
    """The module as written, without the leading dots of a relative import."""
    level: int
    folder: str
    """The folder of the importing file."""
    path: str


def find_module(scope: Scope, language: str, module: str, path: str) -> Module | None:
    """Return what a module stands for when a file imports it; leading dots of the text are its level."""
    rules = language_of(language)
    module = dotted(module)
    strategy = _STRATEGIES.get(rules.modules)
    if strategy is None or not module:
        return None
    name = module.lstrip(".") if rules.modules == "dotted" else module
    origin = "" if rules.modules in _BY_NAME else path if rules.modules in _BY_FILE else folder_of(path)

    def find() -> Module | None:
        return strategy(Wanted(scope, rules, name, len(module) - len(name), folder_of(path), path))

    return scope.remembered(("m", language, module, origin), find)


def dotted(module: str) -> str:
    """Return a module's name with its separators as dots."""
    if "::" in module or "\\" in module:
        return module.replace("::", ".").replace("\\", ".").lstrip(".")
    return module


def _join(*parts: str) -> str:
    return posixpath.normpath(posixpath.join(*parts)) if any(parts) else ""


def _exact(wanted: Wanted, target: str) -> tuple[FileRecord, ...]:
    """Return the file that a path without suffix stands for, trying suffixes and then index files in order."""
    target = "" if target == "." else target
    name = posixpath.basename(target)
    suffixes = wanted.rules.suffixes
    spelled = {target + suffix: rank for rank, suffix in enumerate(suffixes)} | {target: -1}
    for other in (".js", ".jsx", ".mjs", ".cjs"):
        if target.endswith(other) and ".ts" in suffixes:
            spelled |= {target.removesuffix(other) + suffix: rank for rank, suffix in enumerate(suffixes)}
    stems = {stem_of(path) for path in spelled}
    found = [
        record
        for stem in sorted(stems)
        for record in wanted.scope.files_named(stem)
        if record.path in spelled
    ]
    if found:
        return (min(found, key=lambda record: (spelled[record.path], record.path)),)
    inside = {
        _join(target, index) + suffix for index in wanted.rules.indexes for suffix in suffixes if suffix
    }
    return tuple(record for record in wanted.scope.files_in(name) if record.path in inside)[:1]


def _ending(wanted: Wanted, tail: str, spelled: bool = False) -> list[tuple[str, FileRecord]]:
    """Return (what stands before, file) of each file whose path ends in the tail, as a file or as an index."""
    tail = tail.strip("/")
    name = posixpath.basename(tail)
    endings = [tail] if spelled else [tail + suffix for suffix in wanted.rules.suffixes]
    found = []
    for record in wanted.scope.files_named(stem_of(tail) if spelled else name):
        found += [(record.path.removesuffix(end), record) for end in endings if _ends(record.path, end)]
    inside = [f"{tail}/{index}{suffix}" for index in wanted.rules.indexes for suffix in wanted.rules.suffixes]
    if inside and not spelled:
        for record in wanted.scope.files_in(name):
            found += [(record.path.removesuffix(end), record) for end in inside if _ends(record.path, end)]
    return found


def _ends(path: str, tail: str) -> bool:
    return path == tail or path.endswith("/" + tail)


def _closest(wanted: Wanted, found: Iterable[tuple[str, FileRecord]]) -> tuple[FileRecord, ...]:
    """Return the files whose root shares most folders with the importer and is shortest; several when they tie."""
    ranked: dict[tuple[int, int], list[FileRecord]] = {}
    here = wanted.folder.split("/")
    for root, record in found:
        parts = root.strip("/").split("/") if root.strip("/") else []
        shared = 0
        while shared < min(len(parts), len(here)) and parts[shared] == here[shared]:
            shared += 1
        ranked.setdefault((-shared, len(parts)), []).append(record)
    return tuple(ranked[min(ranked)]) if ranked else ()


def _dotted(wanted: Wanted) -> Module | None:
    parts = wanted.name.split(".") if wanted.name else []
    if wanted.level:
        base = wanted.folder
        for _ in range(wanted.level - 1):
            base = folder_of(base)
        target = _join(base, *parts) if parts else base
        files = _exact(wanted, target) if target else wanted.scope.files_named("__init__")
        files = tuple(record for record in files if target or "/" not in record.path)
        index = bool(files) and stem_of(files[0].path) in wanted.rules.indexes
        inside = wanted.scope.files_in(posixpath.basename(target))
        if index or any(record.path.startswith(f"{target}/") for record in inside):
            return Module(files, (target,), name=wanted.name)
        return Module(files, name=wanted.name) if files else None
    tail = "/".join(parts)
    found = [row for row in _ending(wanted, tail) if len(parts) > 1 or _rooted(wanted, row[0])]
    if found:
        files = _closest(wanted, found)
        folders = tuple(folder_of(file.path) for file in files if stem_of(file.path) in wanted.rules.indexes)
        return Module(files, folders, name=wanted.name)
    spaces = {folder_of(record.path) for record in wanted.scope.files_in(parts[-1])}
    folders = tuple(
        sorted(space for space in spaces if _ends(space, tail) and _rooted(wanted, space[: -len(tail)]))
    )
    return Module((), folders, name=wanted.name) if folders else None


def _rooted(wanted: Wanted, root: str) -> bool:
    root = root.strip("/")
    return (
        not root
        or posixpath.basename(root) in wanted.rules.roots
        or f"{wanted.folder}/".startswith(f"{root}/")
        or any(
            record.path == f"{root}/{name}"
            for name in wanted.rules.manifests
            for record in wanted.scope.files_named(stem_of(name))
        )
    )


def _relative(wanted: Wanted) -> Module | None:
    name = wanted.name
    if name.startswith(".") or wanted.rules.family != "javascript":
        files = _exact(wanted, _join(wanted.folder, name))
        return Module(files, _index_folders(wanted, files), name=name) if files else None
    files = _from_paths(wanted) or _from_workspace(wanted)
    if not files and name[:2] in ("@/", "~/"):
        files = _closest(wanted, _ending(wanted, name[2:]))
    if not files and "/" in name and name[0] != "@":
        files = tuple(record for root, record in _ending(wanted, name) if root in ("", "src/"))
    return Module(files, _index_folders(wanted, files), name=name) if files else None


def _index_folders(wanted: Wanted, files: Iterable[FileRecord]) -> tuple[str, ...]:
    return tuple(folder_of(file.path) for file in files if stem_of(file.path) in wanted.rules.indexes)


def _from_paths(wanted: Wanted) -> tuple[FileRecord, ...]:
    """Apply the `paths` of the nearest settings of the compiler: references of kind `path`."""
    for manifest in ("tsconfig.json", "tsconfig.base.json", "jsconfig.json"):
        nearest = sorted(wanted.scope.singletons(manifest), key=lambda row: -len(folder_of(row[0])))
        for path, facts in nearest:
            root = folder_of(path)
            if root and not f"{wanted.folder}/".startswith(f"{root}/"):
                continue
            for row in facts.references:
                start, star, end = row.name.partition("*")
                if row.kind != "path" or not wanted.name.startswith(start) or not wanted.name.endswith(end):
                    continue
                middle = wanted.name[len(start) : len(wanted.name) - len(end) or None] if star else ""
                files = _exact(wanted, _join(root, row.literal.replace("*", middle)))
                if files:
                    return files
    return ()


def _from_workspace(wanted: Wanted) -> tuple[FileRecord, ...]:
    """Find a package of the same repository by the name in its package.json."""
    parts = wanted.name.split("/")
    size = 2 if wanted.name.startswith("@") else 1
    package, rest = "/".join(parts[:size]), "/".join(parts[size:])
    for record in wanted.scope.files_named("package"):
        if record.path.endswith("package.json") and record.package == package:
            root = folder_of(record.path)
            entries = [*_entries(wanted, record), "src/index", "index", "lib/index", "src/main"]
            for base in [rest, f"src/{rest}"] if rest else entries:
                files = _exact(wanted, _join(root, base))
                if files:
                    return files
    return ()


def _entries(wanted: Wanted, package: FileRecord) -> list[str]:
    """Return the files that a package.json names as what an import of the package gives."""
    facts = dict(wanted.scope.singletons("package.json")).get(package.path)
    rows = facts.references if facts else ()
    return [row.literal for row in rows if row.kind == "path" and row.name == "."]


def _folder(wanted: Wanted) -> Module | None:
    """Go: the folder under the module root whose go.mod is the longest prefix, else the longest matching tail."""
    name = wanted.name
    roots = [
        record
        for record in wanted.scope.files_named("go")
        if record.path.endswith("go.mod") and record.package
    ]
    owning = [record for record in roots if f"{name}/".startswith(f"{record.package}/")]
    files = [record for record in wanted.scope.files_in(posixpath.basename(name)) if record.language == "go"]
    if owning:
        best = max(owning, key=lambda record: len(record.package))
        target = _join(folder_of(best.path), name[len(best.package) :].strip("/"))
        target = "" if target == "." else target
        if not target:
            return Module((), ("",), name=name)
        return (
            Module((), (target,), name=name) if any(folder_of(row.path) == target for row in files) else None
        )
    if roots:
        return _standard(roots, name, files)
    if name in _required_modules(wanted) or any(
        name.startswith(f"{one}/") for one in _required_modules(wanted)
    ):
        return None
    tails = {folder_of(record.path) for record in files}
    matching = [tail for tail in tails if tail != name and _ends(name, tail)]
    return Module((), (max(matching, key=len),), name=name) if matching else None


def _standard(roots: Iterable[FileRecord], name: str, files: Iterable[FileRecord]) -> Module | None:
    """Return a package of Go's own library, whose module is called std and is no part of the paths."""
    for root in roots:
        target = _join(folder_of(root.path), name)
        if root.package == "std" and any(folder_of(row.path) == target for row in files):
            return Module((), (target,), name=name)
    return None


def _required_modules(wanted: Wanted) -> frozenset[str]:
    """Return the modules that any go.mod requires: they come from outside, whatever their last part is."""

    def read() -> frozenset[str]:
        manifests = wanted.scope.singletons("go.mod")
        return frozenset(
            row.name for _, facts in manifests for row in facts.references if row.kind == "depends"
        )

    return wanted.scope.remembered("required modules", read)


def _package(wanted: Wanted) -> Module | None:
    return Module((), (), wanted.name, wanted.name)


def _crate(wanted: Wanted) -> Module | None:
    """Rust: `crate`, `self`, `super` or a crate of the workspace, then files below as far as they exist."""
    parts = wanted.name.split(".")
    start = here = _module_folder(wanted.path)
    if parts[0] == "crate":
        start = _crate_root(wanted)
        parts = parts[1:]
    elif parts[0] in ("self", "super"):
        while parts and parts[0] in ("self", "super"):
            start = folder_of(start) if parts[0] == "super" else start
            parts = parts[1:]
    else:
        named = _crate_named(wanted, parts[0])
        start, parts = (here, parts) if named is None else (named, parts[1:])
    if not parts:
        files = _rust_files(wanted, start)
        return Module(files, (start,), name=wanted.name)
    files = _exact(wanted, _join(start, *parts))
    return Module(files, (_join(start, *parts),), name=wanted.name) if files else None


def _rust_files(wanted: Wanted, folder: str) -> tuple[FileRecord, ...]:
    names = {_join(folder, f"{index}.rs") for index in ("mod", "lib", "main")} | {f"{folder}.rs"}
    stems = ("lib", "main", "mod", posixpath.basename(folder))
    return tuple(
        record for stem in stems for record in wanted.scope.files_named(stem) if record.path in names
    )[:1]


def _module_folder(path: str) -> str:
    folder = folder_of(path)
    return folder if stem_of(path) in ("mod", "lib", "main") else _join(folder, stem_of(path))


def _crate_root(wanted: Wanted) -> str:
    roots = {
        folder_of(record.path)
        for stem in ("lib", "main")
        for record in wanted.scope.files_named(stem)
        if record.path.endswith(".rs")
        and f"{wanted.folder}/".startswith(f"{folder_of(record.path)}/".lstrip("/"))
    }
    return max(roots, key=len) if roots else wanted.folder


def _crate_named(wanted: Wanted, crate: str) -> str | None:
    """Return the source folder of a crate by the name in its Cargo.toml, or else by the name of its folder."""
    libraries = [row.path for row in wanted.scope.files_named("lib") if row.path.endswith(".rs")]
    for record in wanted.scope.files_named("Cargo"):
        source = _join(folder_of(record.path), "src")
        if record.package == crate and record.path.endswith(".toml") and f"{source}/lib.rs" in libraries:
            return source
    for path in libraries:
        name = posixpath.basename(folder_of(folder_of(path))).replace("-", "_")
        if path.endswith("src/lib.rs") and name == crate:
            return folder_of(path)
    return None


def _required(wanted: Wanted) -> Module | None:
    name = wanted.name
    if name.startswith((".", "/")):
        files = _exact(wanted, _join(wanted.folder, name.lstrip("/")))
        return Module(files, name=name) if files else None
    tail = name.replace(".", "/") if wanted.rules.family == "lua" else name
    tail = tail.removesuffix(wanted.rules.suffixes[0])
    found = [row for row in _ending(wanted, tail) if "/" in tail or _rooted(wanted, row[0])]
    files = _closest(wanted, found)
    return Module(files, name=name) if files else None


def _included(wanted: Wanted) -> Module | None:
    beside = _join(wanted.folder, wanted.name)
    found = _ending(wanted, wanted.name.lstrip("./"), spelled=True)
    exact = tuple(record for _, record in found if record.path == beside)
    files = exact or _closest(wanted, found)
    return Module(files, name=wanted.name) if files else None


def _sourced(wanted: Wanted) -> Module | None:
    parts = [part for part in wanted.name.split("/") if part and "$" not in part and part not in (".", "..")]
    if not parts:
        return None
    tail = "/".join(parts)
    files = _closest(wanted, _ending(wanted, tail, spelled=True) or _ending(wanted, tail))
    return Module(files, name=wanted.name) if files else None


_BY_NAME = frozenset({"folder"})
"""Strategies that do not look at who imports."""
_BY_FILE = frozenset({"crate"})
_STRATEGIES: dict[str, Callable[[Wanted], Module | None]] = {
    "dotted": _dotted,
    "relative": _relative,
    "folder": _folder,
    "package": _package,
    "crate": _crate,
    "required": _required,
    "included": _included,
    "sourced": _sourced,
}
