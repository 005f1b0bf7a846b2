"""Symbols whose meaning is near, when an embedder is at hand."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many results."""

    limit: int = 30


def run(context: Context, parameters: Parameters) -> Candidates:
    """Ask the service `nearest`, if there is one."""
    nearest = context.services.get("nearest")
    if nearest is None:
        context.trace.degrade("no embedder is installed")
        return ()
    rows = nearest(context.query.text, parameters.limit, context.query.filters)
    return tuple(Candidate(number, score, "its meaning is near") for number, score in rows)


STAGE = Stage("vector", "channel", Parameters, run)
