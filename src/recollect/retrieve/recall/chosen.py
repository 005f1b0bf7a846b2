"""What channels share that bring the best few of all memories."""

from __future__ import annotations

import numpy as np

from recollect.errors import ModelError
from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.columns import Columns
from recollect.store.shelf import Column, Shelf
from recollect.store.view import Meaning

NO_MODEL = "no embedder is configured, so meaning was not compared"


def how_many(context: Context, limit: int, times: int) -> int:
    """Return how many a channel may bring: so many times what was asked for, or a fixed number."""
    return times * (context.query.limit or 1) if times else limit


def best(
    shelf: Shelf, rows: Column, scores: Column, limit: int, allowed: Column | None = None, reason: str = ""
) -> Columns:
    """Return the best of some rows that may be shown, best first; ties break by uid."""
    if allowed is not None:
        rows, scores = rows[allowed[rows]], scores[allowed[rows]]
    if limit < len(rows):
        head = np.argpartition(-scores, limit - 1)[:limit]
        # All that score like the last one are looked at, so that the cut does not depend on the order of rows.
        head = np.flatnonzero(scores >= scores[head].min())
        rows, scores = rows[head], scores[head]
    return Columns(shelf, rows, scores, reason=reason).scored(scores)[:limit]


def places(shelf: Shelf, numbers: Column) -> tuple[Column, Column]:
    """Return the rows of memories by number, and which of them are on the shelf."""
    rows = shelf.places(numbers)
    there = rows >= 0
    return rows[there], there


def meaning_of(context: Context, needed: bool) -> tuple[Meaning, np.ndarray] | None:
    """Return the vectors of a view and that of the question, or say why there are none."""
    return _told(context, context.once("meaning", lambda: _meaning(context)), needed)


def _meaning(context: Context) -> tuple[Meaning, np.ndarray] | str:
    try:
        meaning = asked(context).view.means.meaning()
        if meaning is None:
            return NO_MODEL
        if not len(meaning.near()):
            return meaning.behind or NO_MODEL
        return meaning, meaning.of(context.query.text)
    except ModelError as error:
        return f"{error} So meaning was not compared."


def _told(
    context: Context, found: tuple[Meaning, np.ndarray] | str, needed: bool
) -> tuple[Meaning, np.ndarray] | None:
    if isinstance(found, str):
        context.trace.absent(found if needed or found != NO_MODEL else "")
        return None
    if found[0].behind:
        context.trace.degrade(found[0].behind)
    return found


def bounded(scores: Column) -> Column:
    """Bring scores back below 1 without changing their order."""
    top = float(scores.max(initial=0.0))
    return scores / top if top > 1.0 else scores
