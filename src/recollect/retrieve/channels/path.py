"""Types that live in a folder or file which the query names: structural anchors for a walk to their methods."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from recollect.ports import NameRow
from recollect.retrieve.context import Context
from recollect.retrieve.names import allowed_row
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.retrieve.words import split_identifier
from recollect.types import CALLABLE_KINDS, EDGE_TYPES, TYPE_KINDS


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many of each sort a term may bring, and how many there may be in all."""

    rich: int = 5
    lean: int = 10
    other: int = 15
    methods: int = 10
    limit: int = 30
    files: int = 30
    symbols: int = 300


def run(context: Context, parameters: Parameters) -> Candidates:
    """Look every path term up."""
    found: dict[int, str] = {}
    for term in context.query.path_terms:
        rows = _symbols(context, term, parameters)
        if not rows:
            continue
        rich, lean, other = _by_sort(context, rows)
        kept = (*rich[: parameters.rich], *lean[: parameters.lean], *other[: parameters.other])
        for row in kept:
            found.setdefault(row.number, f"{term} is in its path {row.path}")
        for row, method in _types_with_methods(context, rows, term)[: parameters.methods]:
            found.setdefault(row.number, f"{term} is in its path and its {method} matches the query")
    ranked = list(found.items())[: parameters.limit]
    return tuple(Candidate(number, 1.0 / rank, reason) for rank, (number, reason) in enumerate(ranked, 1))


def in_path(path: str, term: str) -> bool:
    """Say whether a folder or a stem begins with the term, at a border of words."""
    stem = path.rpartition(".")[0] or path
    return re.search(rf"(?:^|[/._\-]){re.escape(term)}", stem, re.I) is not None


def _symbols(context: Context, term: str, parameters: Parameters) -> Sequence[NameRow]:
    files = context.reader.files_with(term, 4 * parameters.files)
    homes = [number for number, path in files if in_path(path, term)][: parameters.files]
    if not homes:
        return ()
    rows = context.reader.symbols_in(homes, TYPE_KINDS | CALLABLE_KINDS, parameters.symbols)
    return [row for row in rows if allowed_row(row, context.query.filters)]


def _by_sort(context: Context, rows: Iterable[NameRow]) -> tuple[list[NameRow], list[NameRow], list[NameRow]]:
    """Return types that contain something, types that do not, and the rest."""
    containers = context.snapshot.memo("containers", lambda: _containers(context))
    types = [row for row in rows if row.kind in TYPE_KINDS]
    rich = [row for row in types if row.number in containers]
    lean = [row for row in types if row.number not in containers]
    return rich, lean, [row for row in rows if row.kind not in TYPE_KINDS]


def _containers(context: Context) -> frozenset[int]:
    graph = context.graph
    inside = np.asarray(graph.types) == EDGE_TYPES.index("contains")
    return frozenset(np.asarray(graph.numbers)[np.unique(np.asarray(graph.sources)[inside])].tolist())


def _types_with_methods(context: Context, rows: Sequence[NameRow], term: str) -> list[tuple[NameRow, str]]:
    """Return the types of which a method matches a keyword other than the term itself."""
    words = {word.lower() for word in context.query.keywords.all} - {term}
    types = {(row.path, row.qualified): row for row in rows if row.kind in TYPE_KINDS}
    found: dict[int, tuple[NameRow, str]] = {}
    for row in rows:
        owner = types.get((row.path, row.qualified.rpartition(".")[0]))
        if owner is None or row.kind in TYPE_KINDS:
            continue
        if words & {row.name.lower(), *(part.lower() for part in split_identifier(row.name))}:
            found.setdefault(owner.number, (owner, row.name))
    return list(found.values())


STAGE = Stage("path", "channel", Parameters, run)
