"""Definitions of the names in the query, before anything that merely mentions them."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.plain import exact
from recollect.retrieve.plain.query import read
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many results."""

    limit: int = 50


def run(context: Context, parameters: Parameters) -> Candidates:
    """Look up the whole query as a name, or every name in it."""
    query = read(context.query.text, parameters.limit, context.query.filters)
    found = exact.search(context.reader, query)[: parameters.limit]
    return tuple(
        Candidate(match.number, 1.0 / rank, match.reason, {"certain": 1.0} if match.certain else {})
        for rank, match in enumerate(found, 1)
    )


STAGE = Stage("defined", "channel", Parameters, run)
