"""Memories by their priority, P1 to P4."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.stage import Stage


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What each priority is worth."""

    p1: float = 1.0
    p2: float = 0.6
    p3: float = 0.3
    p4: float = 0.0


def run(context: Context, parameters: Parameters) -> Columns:
    """Return all memories with what their priority is worth."""
    shelf = asked(context).shelf
    worth = np.array([0.0, parameters.p1, parameters.p2, parameters.p3, parameters.p4])
    return Columns(shelf, np.arange(len(shelf)), worth[shelf.column("priority")])


STAGE = Stage("priority", "channel", Parameters, run)
