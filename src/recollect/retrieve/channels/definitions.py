"""Symbols that bear a name which the question writes as an identifier, types before what can be called."""

from __future__ import annotations

from msgspec import Struct

from recollect.ports import NameRow
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.terms import is_shaped, names_in
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import CALLABLE_KINDS, TYPE_KINDS


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many results, and what a definition counts by what it is."""

    limit: int = 60
    types: float = 1.0
    callables: float = 0.8
    rest: float = 0.4


def run(context: Context, parameters: Parameters) -> Candidates:
    """Look up the names that can only be identifiers, and a question that is nothing but a name."""
    query = context.query
    names = names_in(query)
    wanted = {name for name in names if query.shape == "identifier" or is_shaped(name)}
    if not wanted:
        return ()
    rows = context.reader.named(sorted(wanted), query.filters, 400)
    found = [(_worth(row, parameters), row) for row in rows if row.name in wanted]
    found.sort(key=lambda pair: (-pair[0], pair[1].test, pair[1].path, pair[1].qualified))
    return tuple(
        Candidate(row.number, worth, f"defines {row.qualified}", {"definition": worth})
        for worth, row in found[: parameters.limit]
    )


def _worth(row: NameRow, parameters: Parameters) -> float:
    if row.kind in TYPE_KINDS:
        return parameters.types
    return parameters.callables if row.kind in CALLABLE_KINDS else parameters.rest


STAGE = Stage("definitions", "channel", Parameters, run)
