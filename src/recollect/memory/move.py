"""Moves memories from one store to another: copied, read back, compared, and only then there to be used."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from recollect.errors import StoreError
from recollect.store.moving import TABLES, Filled, Position, Rows, Sum, fingerprint, pages, summed
from recollect.types import Progress

Listener = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Moved:
    """What was moved, by table."""

    sums: dict[str, Sum]
    resumed: bool
    """Whether an earlier attempt had come part of the way."""
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        tables = {name: {"count": one.size, "checksum": one.checksum} for name, one in self.sums.items()}
        return {
            "verified": True,
            "resumed": self.resumed,
            "tables": tables,
            "seconds": round(self.seconds, 3),
        }


def move(rows: Rows, target: Filled, progress: Listener | None = None) -> Moved:
    """Copy everything, going on where an earlier attempt stopped; raise when what arrived is not what was sent."""
    started = time.monotonic()
    sent = summed(rows)
    total, done = sum(one.size for one in sent.values()), 0
    begun = target.begin(fingerprint(sent))
    for at, table in enumerate(TABLES):
        if at < begun.table:
            continue
        last = begun.last if at == begun.table else ()
        for page in pages(rows, table, last):
            target.put(table, page, Position(begun.fingerprint, at, page[-1][: table.keys]))
            done += len(page)
            if progress is not None:
                progress(Progress("moving", done, total))
    arrived = target.sums()
    wrong = [name for name, one in sent.items() if arrived[name] != one]
    if wrong:
        target.begin_again()
        raise StoreError(
            f"What arrived in {target.shown} is not what was sent ({', '.join(wrong)}), so it was thrown away; the "
            "source is as it was. Try again while nobody else writes to the target."
        )
    target.finish()
    return Moved(sent, bool(begun.last), time.monotonic() - started)
