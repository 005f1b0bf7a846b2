"""What happened to a memory, and how its status is changed by hand."""

from __future__ import annotations

import json
from typing import Any

from recollect.errors import NotFoundError, UsageError
from recollect.memory.show import public_id
from recollect.memory.times import shown
from recollect.store.ids import uid_of
from recollect.store.memories import HistoryRow, MemoryRow
from recollect.store.memory_port import MemoryReader, MemoryWriter

BY_HAND = ("active", "archived")


def history(reader: MemoryReader, public: str) -> list[dict[str, Any]]:
    """Return every change of a memory, oldest first, beginning with how it was written."""
    uid = uid_of(public)
    row, changes = reader.memory(uid), reader.history(uid)
    if row is None and not changes:
        raise NotFoundError(f"There is no memory {public}; recall shows the ids.")
    told: list[dict[str, Any]] = []
    if row is not None:
        told.append({"time": shown(row.created), "action": "remembered", "text": row.text})
        if row.seen > 1:
            told[0]["seen"] = row.seen
    return told + [_told(change) for change in changes]


def set_status(writer: MemoryWriter, row: MemoryRow, status: str, now: int) -> bool:
    """Archive a memory or make it active again; other statuses come from links."""
    if status not in BY_HAND:
        raise UsageError(
            f"The status {status!r} cannot be set; it is one of {', '.join(BY_HAND)}, others come from links."
        )
    if row.status == status:
        return False
    writer.set_status(row.number, status, max(now, row.created))
    detail = json.dumps({"status": [row.status, status]})
    writer.add_history(HistoryRow(row.uid, row.number, now, "status", detail))
    return True


def set_pinned(writer: MemoryWriter, row: MemoryRow, pinned: bool, now: int) -> bool:
    """Pin a memory, which then never fades, or let it go; tell whether that changed anything."""
    if row.pinned == pinned:
        return False
    writer.replace(row, row._replace(pinned=pinned), None)
    writer.add_history(HistoryRow(row.uid, row.number, now, "pinned" if pinned else "unpinned"))
    return True


def _told(change: HistoryRow) -> dict[str, Any]:
    detail = json.loads(change.detail) if change.detail else {}
    if "other" in detail:
        detail["other"] = public_id(detail["other"])
    return {"time": shown(change.time), "action": change.action, **detail}
