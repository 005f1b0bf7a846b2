"""Convex combination: shares that sum to one, of scores divided by the best of their channel; silence is zero."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.fuse import linear
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates, Ranked


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many are kept."""

    limit: int = 50


def run(context: Context, parameters: Parameters, lists: Sequence[Ranked]) -> Candidates:
    """Fuse the lists and keep the best."""
    return linear.run(
        context, linear.Parameters(norm="max", redistribute=False, limit=parameters.limit), lists
    )


STAGE = Stage("convex", "fuse", Parameters, run)
