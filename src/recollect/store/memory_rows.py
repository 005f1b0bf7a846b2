"""How a memory stands in a row of any store, and what is read of it for the shelf."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from recollect.store.memories import KINDS, LAYERS, NEVER, STATUSES, LinkRow, MemoryRow, ShelfRow
from recollect.types import EDGE_TYPES

TAG_JOINT = "\n"
ABSENT = {
    "session": -1, "position": -1, "author": -1, "source": -1, "valid_from": -NEVER, "valid_until": NEVER,
    "expires": NEVER,
}  # fmt: skip
"""What stands on the shelf for a column that was never set."""
WHOLE = (
    "m.uid, m.text, m.kind, m.layer, m.priority, m.status, m.importance, m.trust, s.name, m.position, "
    "a.name, o.name, m.created, m.updated, m.accessed, m.valid_from, m.valid_until, m.expires, m.seen, m.words, "
    "m.signs, m.sketch, m.sketch_too, m.tags, m.metadata, m.pinned, m.number"
)
"""The columns of a whole memory m with the labels s, a and o of its session, author and source."""


def memory_of(row: Sequence[Any]) -> MemoryRow:
    """Return the memory that stands in a row of WHOLE."""
    uid, text, kind, layer, priority, status, importance, trust, session, position, author, source = row[:12]
    tags, metadata, pinned, number = row[23:]
    return MemoryRow._make(
        (
            uid, text, KINDS[kind], LAYERS[layer], priority, STATUSES[status], importance, trust, session or "",
            position, author or "", source or "", *row[12:20], row[20], *row[21:23],
            tuple(tags.split(TAG_JOINT)) if tags else (), metadata or "", bool(pinned), number,
        )
    )  # fmt: skip


def link_of(row: Sequence[Any]) -> LinkRow:
    """Return the link that stands in a row of source, type, target, created and detail."""
    return LinkRow(row[0], EDGE_TYPES[row[1]], row[2], row[3], row[4] or "")


def shelf_table(rows: Sequence[Sequence[int]]) -> np.ndarray:
    """Return rows for the shelf as one table."""
    return np.asarray(rows, np.int64).reshape(-1, len(ShelfRow._fields))
