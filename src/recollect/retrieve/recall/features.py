"""What learning looks at in a memory under a question: ten numbers."""

from __future__ import annotations

import numpy as np

from recollect.errors import ModelError
from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.chosen import meaning_of
from recollect.store.memories import LAYERS
from recollect.store.shelf import Column

DAY = 86_400_000.0
FEATURES = ("cosine", "importance", "uses", "age", *LAYERS, "codebase", "retention")
"""Of the layers one is 1; `codebase` is none of ours and always 0."""
_HALF_LIFE = 30.0


def uses_of(context: Context, rows: Column) -> Column:
    """Return how often each memory was of use; being shown is no use."""
    uses = context.once("uses", asked(context).view.reader.uses)
    uids = asked(context).shelf.column("uid")[rows].tolist()
    return np.array([uses.get(uid, (0, 0.0))[0] for uid in uids], np.float64)


def features_of(context: Context, rows: Column) -> np.ndarray:
    """Return a line of features for each memory, as they are before it is shown."""
    question = asked(context)
    shelf = question.shelf
    ages = np.maximum(question.view.moment - shelf.column("created")[rows], 0) / DAY
    layers = shelf.column("layer")[rows][:, None] == np.arange(len(LAYERS) + 1)[None]
    columns = [
        _cosines(context, rows),
        shelf.column("importance")[rows] / 100.0,
        np.log1p(uses_of(context, rows)) / 5.0,
        np.log1p(ages) / 5.0,
        *layers.T.astype(np.float64),
        0.5 ** (ages / _HALF_LIFE),
    ]
    return np.stack(columns, axis=1)


def _cosines(context: Context, rows: Column) -> Column:
    found = np.zeros(len(rows))
    meant = meaning_of(context, False)
    if meant is None:
        return found
    try:
        near = meant[0].near()
        at = np.searchsorted(near.rows, rows).clip(0, max(len(near) - 1, 0))
        there = near.rows[at] == rows
        found[there] = near.cosines(meant[1], at[there])
    except ModelError:
        return found
    return found
