"""What an expression can stand for, seen from outside its file: types, callables, modules, collections."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from recollect.graph.keys import folder_of, last_part
from recollect.graph.modules import Module, find_module
from recollect.graph.scope import Candidates, Scope
from recollect.graph.shape import HOLDER_KINDS
from recollect.graph.tables import LanguageRules, language_of
from recollect.ports import Definition
from recollect.types import CALLABLE_KINDS, TYPE_KINDS

MAX_CANDIDATES = 8
_BASES = 40
_SEGMENT = re.compile(r"([^.()\[\]]+)((?:\(\)|\[\])*)")
_TYPE_PARAMETER = re.compile(r"[A-Z][A-Z0-9]?$")
_OWN = frozenset({"self", "Self", "static", "this", "$this"})


class Many(NamedTuple):
    """A collection of things; what it holds is reached by indexing or iterating."""

    of: tuple[Thing, ...]


Thing: TypeAlias = Definition | Module | Many


class Answer(NamedTuple):
    """What a name or expression may be, and how sure that is in percent; no things means UNKNOWN or OUTSIDE."""

    things: tuple[Thing, ...] = ()
    confidence: int = 0


UNKNOWN = Answer()
OUTSIDE = Answer((), 100)
"""Known to be something that this repository does not define."""
First: TypeAlias = Callable[[str], Answer]


@lru_cache(maxsize=1 << 15)
def segments(text: str) -> tuple[tuple[str, str], ...]:
    """Split `a.b().c[]` into names with the calls and indexings behind them; empty when a part is not a name."""
    if "?" in text:
        return ()
    found = _SEGMENT.findall(text)
    return tuple((name, suffix) for name, suffix in found)


def evaluate(scope: Scope, text: str, first: First, declared: bool) -> Answer:
    """Return what an expression gives, or for a declared type which type that is."""
    parts = segments(text)
    if not parts:
        return UNKNOWN
    name, suffix = parts[0]
    answer = _settled(scope, first(name), suffix, declared)
    for name, suffix in parts[1:]:
        if not answer.things:
            return answer
        answer = _settled(scope, step(scope, answer, name), suffix, declared)
    return answer


def step(scope: Scope, answer: Answer, name: str) -> Answer:
    """Return what a name means on each of the things."""
    found: list[Thing] = []
    confidence = answer.confidence
    outside = False
    for thing in answer.things:
        if isinstance(thing, Many):
            outside = True
            continue
        if isinstance(thing, Module):
            inner = module_member(scope, thing, name, None)
        else:
            inner = Answer(member_things(scope, thing, name), 100)
        if inner.things:
            found += inner.things
            confidence = min(confidence, inner.confidence)
        elif isinstance(thing, Definition) and (
            thing.kind not in HOLDER_KINDS or has_unknown_base(scope, thing)
        ):
            outside = True
    if found:
        return Answer(_distinct(found), confidence)
    return OUTSIDE if outside else UNKNOWN


def _settled(scope: Scope, answer: Answer, suffix: str, declared: bool) -> Answer:
    """Apply calls and indexings, and turn variables and fields into what they hold."""
    things = answer.things
    if not things or (
        not suffix and all(isinstance(row, Definition) and row.kind in HOLDER_KINDS for row in things)
    ):
        return answer
    called = suffix.startswith("()")
    out: list[Thing] = []
    outside = False
    for thing in things:
        if isinstance(thing, Definition) and thing.kind not in HOLDER_KINDS:
            if called or thing.kind not in CALLABLE_KINDS or thing.kind == "property":
                result = result_of(scope, thing)
                outside = outside or result.confidence > 0
                out += result.things
            else:
                out.append(thing)
        else:
            out.append(thing)
    for index in range(2 if called else 0, len(suffix), 2):
        if suffix[index] == "[":
            inner = [row for thing in out if isinstance(thing, Many) for row in thing.of]
            out = [Many(tuple(out))] if declared else inner
    if out:
        return Answer(_distinct(out), answer.confidence)
    return OUTSIDE if outside else UNKNOWN


def _distinct(things: Iterable[Thing]) -> tuple[Thing, ...]:
    seen: dict[object, Thing] = {}
    for thing in things:
        seen.setdefault(thing.number if isinstance(thing, Definition) else thing, thing)
    return tuple(seen.values())


def result_of(scope: Scope, definition: Definition) -> Answer:
    """Return the types that a callable gives back or that a variable or field holds."""
    text = definition.returns
    if definition.kind == "constructor" or (not text and definition.kind == "enum_member"):
        return Answer(owner_types(scope, definition), 100)
    return types_of(scope, text, definition) if text else UNKNOWN


def types_of(scope: Scope, text: str, home: Definition, declared: bool = True) -> Answer:
    """Return what an anchored type or expression means in the file of a definition."""
    if text.startswith("="):
        text, declared = text[1:], False
    key = ("t", home.path, home.owner, home.qualified, text, declared)
    return scope.remembered(key, lambda: _types_of(scope, text, home, declared))


def _types_of(scope: Scope, text: str, home: Definition, declared: bool) -> Answer:
    guard = (home.path, home.qualified, text)
    if not scope.enter(guard):
        return UNKNOWN
    try:
        text, _, module = text.partition("@")
        if not module:
            found = evaluate(scope, text, lambda name: foreign_name(scope, name, home, declared), declared)
            return (
                found if found.things or "." not in text else _spelled_out(scope, text, home.language, found)
            )
        place = find_module(scope, home.language, module, home.path)
        if place is None:
            return OUTSIDE
        return evaluate(scope, text, lambda name: module_member(scope, place, name, home.language), declared)
    finally:
        scope.leave()


def _spelled_out(scope: Scope, text: str, language: str, otherwise: Answer) -> Answer:
    """Try a dotted type as package and name."""
    package, _, name = text.rpartition(".")
    if language_of(language).modules != "package" or not name.isidentifier():
        return otherwise
    found = module_member(scope, Module(package=package), name, language)
    return found if found.things else otherwise


def foreign_name(scope: Scope, name: str, home: Definition, declared: bool = True) -> Answer:
    """Return what a bare name means where a definition stands, as far as that can be told without its imports."""
    if name in language_of(home.language).dynamic:
        return UNKNOWN
    if name in _OWN:
        return Answer((home,) if home.kind in TYPE_KINDS else owner_types(scope, home), 100)
    rules = language_of(home.language)
    if name in rules.builtins:
        return OUTSIDE
    entry = scope.named(name, rules.family)
    for pool in (entry.by("path", home.path), visible(entry, rules, home.path, home.package)):
        near = [
            row
            for row in pool
            if row.kind != "constructor"
            and row.number != home.number
            and lexically_visible(row, home.qualified)
        ]
        if near:
            longest = max(row.qualified.count(".") for row in near)
            return Answer(tuple(row for row in near if row.qualified.count(".") == longest), 100)
    if rules.explicit or not declared:
        return OUTSIDE if declared and not _TYPE_PARAMETER.match(name) else UNKNOWN
    rest = [row for row in entry.all if row.kind in HOLDER_KINDS]
    return Answer(tuple(rest), 80 if len(rest) == 1 else 50) if 0 < len(rest) <= MAX_CANDIDATES else OUTSIDE


def visible(entry: Candidates, rules: LanguageRules, path: str, package: str) -> tuple[Definition, ...]:
    """Return the candidates that a file sees without importing them."""
    if rules.same == "folder":
        return tuple(
            row for row in entry.by("folder", folder_of(path)) if row.package == package or not package
        )
    if rules.same == "package":
        return entry.by("package", package) if package else entry.by("folder", folder_of(path))
    return entry.all if rules.same == "all" else ()


def lexically_visible(definition: Definition, inside: str) -> bool:
    """Tell whether a qualified name can be written without its containers from inside another."""
    container = definition.qualified.rpartition(".")[0]
    return not container or inside == container or inside.startswith(f"{container}.")


def owner_types(scope: Scope, definition: Definition) -> tuple[Definition, ...]:
    """Return the types that a member belongs to: in its file if it is there, else where the language looks."""
    if not definition.owner:
        return ()
    rules = language_of(definition.language)
    entry = scope.named(last_part(definition.owner), rules.family)
    holders = [row for row in entry.all if row.kind in HOLDER_KINDS and row.qualified == definition.owner]
    for near in (
        [row for row in holders if row.path == definition.path],
        [row for row in holders if folder_of(row.path) == folder_of(definition.path)],
        [row for row in holders if row.package == definition.package],
    ):
        if near:
            return tuple(near)
    return tuple(holders[:MAX_CANDIDATES])


def bases_of(scope: Scope, kind: Definition) -> tuple[tuple[str, tuple[Definition, ...]], ...]:
    """Return the relation and the repository's types of each base of a type, in order of declaration."""
    if not kind.bases:
        return ()
    return scope.remembered(("b", kind.number), lambda: tuple(_bases(scope, kind)))


def _bases(scope: Scope, kind: Definition) -> Iterable[tuple[str, tuple[Definition, ...]]]:
    for base in kind.bases:
        relation, _, text = base.partition(" ")
        things = types_of(scope, text, kind).things
        types = [row for row in things if isinstance(row, Definition) and row.kind in HOLDER_KINDS]
        yield relation, tuple(row for row in without_companions(types) if row.number != kind.number)


def without_companions(rows: Sequence[Definition]) -> Sequence[Definition]:
    """Leave out objects that only accompany a type of the same name in the same file (Scala)."""
    if len(rows) < 2:
        return rows
    types = {(row.path, row.qualified) for row in rows if row.kind != "object"}
    return [row for row in rows if row.kind != "object" or (row.path, row.qualified) not in types]


def lineage(scope: Scope, kind: Definition) -> tuple[Definition, ...]:
    """Return every type above a type, nearest first, depth first in order of declaration, each once."""
    if not kind.bases:
        return ()
    return scope.remembered(("l", kind.number), lambda: _lineage(scope, kind))


def _lineage(scope: Scope, kind: Definition) -> tuple[Definition, ...]:
    seen: dict[int, Definition] = {}
    waiting = [kind]
    while waiting and len(seen) < _BASES:
        current = waiting.pop(0)
        above = [row for _, rows in bases_of(scope, current) if len(rows) <= 2 for row in rows]
        fresh = [row for row in above if row.number not in seen and row.number != kind.number]
        seen.update((row.number, row) for row in fresh)
        waiting = fresh + waiting
    return tuple(seen.values())


def has_unknown_base(scope: Scope, kind: Definition) -> bool:
    """Tell whether a type has, anywhere above it, a base that is not in the repository."""
    return any(not rows for row in (kind, *lineage(scope, kind)) for _, rows in bases_of(scope, row))


def members(scope: Scope, kind: Definition, name: str) -> tuple[Definition, ...]:
    """Return the members of that name that the type itself defines, wherever its parts stand."""
    rules = language_of(kind.language)
    rows = scope.owned(last_part(kind.qualified), rules.family).by("name", name)
    return (
        tuple(row for row in rows if row.owner == kind.qualified and same_type(row, kind, rules))
        if rows
        else ()
    )


def same_type(member: Definition, kind: Definition, rules: LanguageRules) -> bool:
    """Tell whether a member's owner is this very type and not another one of that name."""
    if member.path == kind.path:
        return True
    if rules.same == "folder":
        return folder_of(member.path) == folder_of(kind.path)
    if rules.same == "package":
        return member.package == kind.package and bool(kind.package)
    return rules.same in ("all", "includes") or rules.family == "rust"


def find_members(scope: Scope, kind: Definition, name: str, own: bool = True) -> tuple[Definition, ...]:
    """Return the members of that name as the type has them: its own, else those of the nearest type above."""
    key = ("f", kind.number, name, own)
    return scope.remembered(key, lambda: _find_members(scope, kind, name, own))


def _find_members(scope: Scope, kind: Definition, name: str, own: bool) -> tuple[Definition, ...]:
    for holder in ((kind,) if own else ()) + lineage(scope, kind):
        rows = members(scope, holder, name)
        if rows:
            return rows
    return ()


def member_things(scope: Scope, thing: Definition, name: str) -> tuple[Thing, ...]:
    """Return what a name means on a type: a member, the type of a field, or the type itself for a creator."""
    if thing.kind not in HOLDER_KINDS:
        return ()
    for holder in (thing, *lineage(scope, thing)):
        for field, text, declared in holder.fields:
            if field == name:
                things = types_of(scope, text, holder, declared).things
                if things:
                    return things
        rows = members(scope, holder, name)
        if rows:
            return rows
    return (thing,) if name in language_of(thing.language).creators else ()


def module_member(scope: Scope, module: Module, name: str, language: str | None) -> Answer:
    """Return what a name means inside a module: its own symbol, a module below it, or one it passes on."""
    language = language or _language_of_module(module)
    rules = language_of(language)
    entry = scope.named(name, rules.family)
    rows = [row for file in module.files for row in entry.by("path", file.path) if row.qualified == name]
    if not rows and rules.tabled:
        rows = [row for file in module.files for row in entry.by("path", file.path) if row.owner]
    if not rows and module.folders and not module.files:
        rows = [
            row for folder in module.folders for row in entry.by("folder", folder) if row.qualified == name
        ]
    if not rows and module.package:
        rows = _packaged(scope, module, name, rules, entry)
    if rows:
        return Answer(tuple(rows), 100)
    if rules.modules in ("dotted", "crate") and module.name and module.files + module.folders:
        path = module.files[0].path if module.files else f"{module.folders[0]}/_"
        below = _below(scope, name, language, path)
        if below is not None:
            return Answer((below,), 100)
    passed = [
        row
        for row in entry.all
        if row.qualified == name
        and any(row.path.startswith(f"{folder}/") or not folder for folder in module.folders)
    ]
    return Answer(tuple(passed), 90) if 0 < len(passed) <= MAX_CANDIDATES else UNKNOWN


def _below(scope: Scope, name: str, language: str, path: str) -> Module | None:
    if language_of(language).modules == "dotted":
        folder = folder_of(path)
        return find_module(scope, language, f".{name}", f"{folder}/_" if folder else "_")
    return find_module(scope, language, f"self.{name}", path)


def _packaged(
    scope: Scope, module: Module, name: str, rules: LanguageRules, entry: Candidates
) -> list[Definition]:
    rows = [row for row in entry.by("package", module.package) if row.qualified == name]
    if rows:
        return rows
    package, _, holder = module.package.rpartition(".")
    holders = scope.named(holder, rules.family).by("package", package) if holder else ()
    return [row for kind in holders if kind.kind in HOLDER_KINDS for row in find_members(scope, kind, name)]


def _language_of_module(module: Module) -> str:
    if module.files:
        return module.files[0].language
    return "go" if module.folders else "java"
