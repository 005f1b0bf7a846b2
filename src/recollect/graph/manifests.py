"""Says what manifests declare: packages, deployments, owners, and the remote calls of service definitions."""

from __future__ import annotations

import posixpath
import re
from functools import cache
from typing import Any

import pathspec

from recollect.facts import FileFacts
from recollect.graph.edges import Edges
from recollect.graph.keys import folder_of, stem_of
from recollect.graph.names import FileNames
from recollect.graph.scope import Scope
from recollect.ports import Definition

_SERVICE = re.compile(
    r"^(?:Unimplemented|Unsafe|I)?(\w+?)(?:Servicer|Server|ImplBase|CoroutineImplBase|Base|Handler)?$"
)
_STUB = re.compile(r"(?i)(stub|client|service|rpc)(\(\))?$")
_OWNERS = "CODEOWNERS"
_OWNER_PLACES = ("", ".github", ".gitlab", "docs")


def add_manifest(names: FileNames, edges: Edges) -> None:
    """Add depends_on of a manifest, and deployed_by of the files that a deployment builds, copies or runs."""
    for reference in names.view.facts.references:
        if reference.kind == "depends":
            node = names.scope.external("package", reference.name)
            edges.add(names.view.number, node, "depends_on", ("manifest", 100), reference.line)
        elif reference.kind == "deploys" and reference.receiver in ("path", "command"):
            _add_deployed(names, edges, reference.name)
        elif reference.kind == "deploys":
            node = names.scope.external("deployment", reference.name)
            edges.add(names.view.number, node, "depends_on", ("manifest", 100), reference.line)


def _add_deployed(names: FileNames, edges: Edges, text: str) -> None:
    """Add deployed_by for each file that a path or command names; a folder stands for the Dockerfile in it."""
    for word in text.split():
        if "." not in word and "/" not in word:
            continue
        for base in dict.fromkeys((folder_of(names.view.path), "")):
            target = posixpath.normpath(posixpath.join(base, word.strip("\"',;")))
            within = "Dockerfile" if target == "." else f"{target}/Dockerfile"
            found = [row for row in names.scope.files_named(stem_of(target)) if row.path == target]
            found += [row for row in names.scope.files_named("Dockerfile") if row.path == within]
            for record in found:
                edges.add(record.number, names.view.number, "deployed_by", ("manifest", 100))
            if found:
                break


def add_owners(names: FileNames, edges: Edges) -> None:
    """Add owned_by by the last rule of CODEOWNERS that matches the file."""
    rules = owner_rules(names.scope)
    for pattern, owners in reversed(rules):
        if _pattern(pattern).match_file(names.view.path):
            for owner in owners:
                edges.add(
                    names.view.number, names.scope.external("person", owner), "owned_by", ("manifest", 100)
                )
            return


def owner_rules(scope: Scope) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return pattern and owners of each rule of the CODEOWNERS file that counts, in its order."""

    def read() -> tuple[tuple[str, tuple[str, ...]], ...]:
        found = {folder_of(path): facts for path, facts in scope.singletons(_OWNERS)}
        facts = next((found[place] for place in _OWNER_PLACES if place in found), None)
        return _rules(facts) if facts is not None else ()

    return scope.remembered("owners", read)


def _rules(facts: FileFacts) -> tuple[tuple[str, tuple[str, ...]], ...]:
    rules: dict[tuple[int, str], list[str]] = {}
    for reference in facts.references:
        if reference.kind == "owns":
            pattern = reference.literal or reference.receiver
            rules.setdefault((reference.line, pattern), []).append(reference.name)
    return tuple((pattern, tuple(owners)) for (_, pattern), owners in sorted(rules.items()))


@cache
def _pattern(pattern: str) -> pathspec.PathSpec[Any]:
    return pathspec.PathSpec.from_lines("gitignore", [pattern])


def add_remote_calls(names: FileNames, edges: Edges) -> None:
    """Add implements_rpc and consumes_rpc for the services of proto files."""
    facts = names.view.facts
    for index, symbol in enumerate(facts.symbols):
        if symbol.bases and symbol.kind in ("class", "struct"):
            _add_implemented(names, edges, index)
    for reference in facts.references:
        if reference.kind == "call" and reference.receiver and _STUB.search(reference.receiver):
            for row in _remote(names.scope, reference.name):
                service = row.owner.rpartition(".")[2].lower()
                receiver = reference.receiver.lower().replace("_", "")
                known = ("inferred", 80 if service.removesuffix("service") in receiver else 40)
                edges.add(names.number(reference.symbol), row.number, "consumes_rpc", known, reference.line)


def _add_implemented(names: FileNames, edges: Edges, index: int) -> None:
    symbols = names.view.facts.symbols
    for base in symbols[index].bases:
        match = _SERVICE.match(base.rpartition(" ")[2].rpartition(".")[2])
        if match is None:
            continue
        wanted = {match.group(1), match.group(0)}
        calls = [
            row
            for name in sorted(wanted)
            for row in names.scope.owned(name, "proto").all
            if row.kind == "rpc"
        ]
        by_name = {_folded(row.name): row for row in calls}
        for child, symbol in enumerate(symbols) if by_name else ():
            row = by_name.get(_folded(symbol.name))
            if row is not None and (symbol.parent == index or symbol.owner == symbols[index].qualified):
                edges.add(
                    names.number(child), row.number, "implements_rpc", ("inferred", 90), symbol.start_line
                )


def _remote(scope: Scope, name: str) -> list[Definition]:
    spelled = name if name[:1].isupper() else "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    spelled = spelled.removesuffix("Async")
    return [row for row in scope.named(spelled, "proto").all if row.kind == "rpc"]


def _folded(name: str) -> str:
    return name.replace("_", "").lower()
