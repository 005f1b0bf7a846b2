"""Files which memories of an answer were of use."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.errors import NotFoundError
from recollect.memory.kept import known
from recollect.ports import Event
from recollect.store.memory_port import MemoryKeeper, MemoryWriter


def judge(store: MemoryKeeper, query_id: str, ids: Sequence[str], useful: bool, now: float) -> None:
    """File memories as used, or as of no use."""
    if not query_id.strip():
        raise NotFoundError("No answer was named; give the query_id that recall shows.")

    def work(writer: MemoryWriter) -> None:
        for one in ids:
            known(writer, one)
        kind = "used" if useful else "discarded"
        writer.add_events(Event(query_id, one, kind, now) for one in ids)

    store.write(work)
