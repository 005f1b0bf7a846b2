"""Symbols whose name a keyword is, begins or is part of; identifiers first, single words when those find little."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.names import Caps, tiered
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """When each tier still runs, and how many results it may bring the list to."""

    fallback_below: int = 5
    prefix_below: int = 15
    prefix_cap: int = 30
    substring_below: int = 5
    substring_cap: int = 20
    path_below: int = 30
    path_cap: int = 40
    exact_limit: int = 200


def found(context: Context, parameters: Parameters) -> dict[int, str]:
    """Return what the tiers find, once for a run."""
    caps = Caps(
        parameters.fallback_below,
        parameters.prefix_below,
        parameters.prefix_cap,
        parameters.substring_below,
        parameters.substring_cap,
        parameters.path_below,
        parameters.path_cap,
        parameters.exact_limit,
    )
    query = context.query
    return context.once(
        ("tiered", parameters), lambda: tiered(context.reader, query.keywords, query.filters, caps)
    )


def run(context: Context, parameters: Parameters) -> Candidates:
    """Search the tiers."""
    rows = found(context, parameters)
    return tuple(
        Candidate(number, 1.0 / rank, reason) for rank, (number, reason) in enumerate(rows.items(), 1)
    )


STAGE = Stage("tiered", "channel", Parameters, run)
