"""Keeps as many memories as were asked for, whatever they say and however little they score."""

from __future__ import annotations

from recollect.retrieve.context import Context
from recollect.retrieve.stage import NoParameters, Stage
from recollect.retrieve.values import Candidates


def run(context: Context, _: NoParameters, candidates: Candidates) -> Candidates:
    """Return the first ones."""
    return tuple(candidates[: context.query.limit or 1])


STAGE = Stage("first", "collapse", NoParameters, run)
