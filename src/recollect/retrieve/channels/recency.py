"""How lately memories were written, counted in cycles or by the clock; silent until one of them is given."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
from msgspec import Struct

from recollect.decay import decay
from recollect.errors import UsageError
from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.chosen import places
from recollect.retrieve.recall.columns import Columns, nothing
from recollect.retrieve.stage import Stage
from recollect.store.view import MemoryView

CYCLE = "cycle"
"""The key of the metadata that tells in which cycle a memory was last written."""


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What counts as now, and after how much half of it is left."""

    current_cycle: int | None = None
    current_time: float | str | None = None
    """Seconds since 1970, a date and time, or `now`."""
    half_life_cycles: float = 50.0
    half_life_seconds: float = 604_800.0


def run(context: Context, parameters: Parameters) -> Columns:
    """Return everything whose age is known, the newest first."""
    shelf, view = asked(context).shelf, asked(context).view
    if parameters.current_cycle is not None and parameters.current_time is not None:
        raise UsageError(
            "Recency is counted by current_cycle or by current_time, not by both; give one of them."
        )
    if parameters.current_cycle is not None:
        return _by_cycle(view, parameters.current_cycle, parameters.half_life_cycles)
    if parameters.current_time is None:
        return nothing(shelf)
    now = view.moment if parameters.current_time == "now" else _milliseconds(parameters.current_time)
    ages = np.maximum(now - shelf.column("created"), 0) / 1000.0
    return Columns(
        shelf, np.arange(len(shelf)), 0.5 ** (ages / parameters.half_life_seconds), reason="it is new"
    )


def _by_cycle(view: MemoryView, current: int, half_life: float) -> Columns:
    said = [
        (number, value) for number, value in view.reader.values_of(CYCLE) if isinstance(value, int | float)
    ]
    rows, there = places(view.shelf, np.array([number for number, _ in said], np.int64))
    left = np.array([decay(current - float(value), half_life) for _, value in said])[there]
    order = np.argsort(rows)
    return Columns(view.shelf, rows[order], left[order], reason="it is of a late cycle")


def _milliseconds(given: float | str) -> int:
    if isinstance(given, int | float):
        return int(given * 1000)
    try:
        read = datetime.fromisoformat(given)
    except ValueError as error:
        raise UsageError(
            f"current_time is a date, a time, seconds since 1970 or now, not {given!r}."
        ) from error
    return int((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp() * 1000)


STAGE = Stage("recency", "channel", Parameters, run)
