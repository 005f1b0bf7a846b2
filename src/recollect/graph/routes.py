"""Writes paths of routes and of the requests that reach them in one form, so that both meet at one node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.facts import Reference
    from recollect.graph.names import FileNames

_PARAMETER = re.compile(r"\$?\{[^{}]*\}|<[^<>]*>|\[\.{0,3}[^\[\]]*\]|#\{[^}]*\}")
_NAMED = re.compile(r"/[:*][^/]+")
_NUMBER = re.compile(r"/\d+(?=/|$)")
_FORMAT = re.compile(r"%[sdv]")
_HOST = re.compile(r"^(?:[a-z]+:)?//[^/]+|^\$?\{[^{}]*\}(?=/)", re.IGNORECASE)
_VERB = re.compile(r"^(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\s+")
_PREFIXES = frozenset({"RequestMapping", "Controller", "Path", "Route", "RoutePrefix", "Blueprint", "route"})


def as_route(prefix: str, path: str) -> str:
    """Return prefix and path joined, with every parameter written `{}` and no trailing slash."""
    path = _VERB.sub("", path)
    whole = "/" + "/".join(part.strip("/^$") for part in (prefix, path) if part.strip("/^$"))
    whole = _NAMED.sub("/{}", _FORMAT.sub("{}", _PARAMETER.sub("{}", whole)))
    return _NUMBER.sub("/{}", whole).rstrip("/") or "/"


def client_path(url: str) -> str:
    """Return the path of a request's address in the form of `as_route`, empty when it names none."""
    path = _HOST.sub("", url).partition("?")[0]
    return as_route("", path) if path.startswith("/") else ""


def prefix_of(names: FileNames, reference: Reference) -> str:
    """Return the path that the class around a handler puts before its own."""
    symbols = names.view.facts.symbols
    parent = symbols[reference.symbol].parent if reference.symbol >= 0 else -1
    if parent < 0 or reference.kind != "decorate":
        return ""
    for row in names.view.facts.references:
        if row.symbol == parent and row.kind == "decorate" and row.name in _PREFIXES and row.literal:
            return row.literal
    return ""
