"""Reads what reaches outside the source: environment, processes, flags, routes, endpoints and remote calls."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeAlias

from recollect.facts import Reference
from recollect.graph.edges import Edges
from recollect.graph.names import FileNames
from recollect.graph.routes import as_route, client_path, prefix_of
from recollect.graph.tables import table
from recollect.graph.things import Answer
from recollect.ports import Definition

Adder: TypeAlias = "Callable[[FileNames, Edges, Reference, Rule], None]"
_VERBS = frozenset({"get", "post", "put", "delete", "patch", "head", "options", "any", "all"})


class Rule(NamedTuple):
    """How one way of reaching outside is recognised."""

    effect: str
    """env, process, flag, route or client."""
    families: frozenset[str]
    kind: str
    receiver: re.Pattern[str] | None
    verb: str
    """For routes and clients: the method, or `name` when the called name says it."""
    handler: str
    """For routes: symbol, arguments, or text when the literal names the handler."""
    subject: str
    """literal when the string is what is meant, name when the referenced name is."""


@cache
def rules_by_name() -> dict[tuple[str, str], tuple[Rule, ...]]:
    """Return the rules of data/effects.toml by (reference kind, name)."""
    made: dict[tuple[str, str], list[Rule]] = {}
    for effect, rows in table("effects").items():
        for row in rows:
            rule = Rule(
                effect,
                frozenset(row["families"].split()),
                row.get("kind", "call"),
                re.compile(row["receiver"]) if "receiver" in row else None,
                row.get("verb", ""),
                row.get("handler", "symbol"),
                row.get("subject", "literal"),
            )
            for name in row["names"].split():
                made.setdefault((rule.kind, name), []).append(rule)
    return {key: tuple(found) for key, found in made.items()}


@cache
def _named_and_starred() -> tuple[frozenset[str], frozenset[str]]:
    """Return the names that any rule is for, and the kinds of reference with a rule for any name."""
    keys = rules_by_name().keys()
    return frozenset(name for _, name in keys), frozenset(kind for kind, name in keys if name == "*")


def add_effects(names: FileNames, edges: Edges) -> None:
    """Add reads_env, executes_process, gated_by_flag, handles_route and consumes_endpoint."""
    by_name = rules_by_name()
    named, starred = _named_and_starred()
    family = names.rules.family
    for reference in names.view.facts.references:
        if reference.name not in named and reference.kind not in starred:
            continue
        rules = by_name.get((reference.kind, reference.name))
        if rules is None:
            rules = by_name.get((reference.kind, "*"), ())
        for rule in rules:
            fits = family in rule.families or "*" in rule.families
            if fits and (rule.receiver is None or rule.receiver.search(reference.receiver)):
                _ADD[rule.effect](names, edges, reference, rule)
                break


def _subject(reference: Reference, rule: Rule) -> str:
    return reference.literal if rule.subject == "literal" else reference.name


def _add_node(kind: str, edge: str) -> Adder:
    def add(names: FileNames, edges: Edges, reference: Reference, rule: Rule) -> None:
        subject = _subject(reference, rule)
        if kind == "process":
            subject = _program(subject)
        if subject:
            node = names.scope.external(kind, subject)
            edges.add(
                names.number(reference.symbol), node, edge, ("syntax", 100), reference.line, reference.count
            )

    return add


def _program(command: str) -> str:
    """Return the program that a command line begins with, nothing when that is only known when it runs."""
    first = command.split()[0].strip("\"'") if command.split() else ""
    return "" if first.startswith(("{", "$", "%", "#{")) else first


def _add_route(names: FileNames, edges: Edges, reference: Reference, rule: Rule) -> None:
    path = reference.literal
    verb = rule.verb if rule.verb != "name" else reference.name.upper()
    if rule.verb == "name" and reference.name.lower() not in _VERBS:
        verb = "ANY"
    prefix = prefix_of(names, reference)
    if not (path.startswith("/") or prefix or rule.handler == "text" or rule.kind == "decorate"):
        return
    route = names.scope.external("route", f"{verb} {as_route(prefix, path)}")
    if rule.handler == "symbol":
        edges.add(names.number(reference.symbol), route, "handles_route", ("convention", 90), reference.line)
        return
    for handler in reference.arguments[-1:]:
        for thing in _handler(names, handler, reference.symbol).things:
            if isinstance(thing, Definition):
                edges.add(thing.number, route, "handles_route", ("convention", 90), reference.line)
                return
    edges.add(names.number(reference.symbol), route, "handles_route", ("convention", 50), reference.line)


def _handler(names: FileNames, text: str, symbol: int) -> Answer:
    receiver, _, name = text.rpartition(".")
    if not receiver:
        return names.name(name, symbol)
    return names.value(text, symbol)


def _add_client(names: FileNames, edges: Edges, reference: Reference, rule: Rule) -> None:
    path = client_path(reference.literal)
    if not path:
        return
    verb = rule.verb
    if verb == "name":
        called = reference.name.lower().removesuffix("async")
        verb = next((known.upper() for known in _VERBS if called.startswith(known)), "ANY")
    node = names.scope.external("route", f"{verb} {path}")
    edges.add(names.number(reference.symbol), node, "consumes_endpoint", ("convention", 80), reference.line)


_ADD: dict[str, Adder] = {
    "env": _add_node("environment", "reads_env"),
    "process": _add_node("process", "executes_process"),
    "flag": _add_node("flag", "gated_by_flag"),
    "route": _add_route,
    "client": _add_client,
}
