"""Links between memories, and what a link says about the status of its target."""

from __future__ import annotations

import json

from recollect.errors import UsageError
from recollect.store.memories import HistoryRow, LinkRow, MemoryRow
from recollect.store.memory_port import MemoryWriter

BECOMES = {"supersedes": "superseded", "contests": "contested"}
"""The status that the target of a link gets."""
PASSIVE = {
    "supersedes": "superseded by", "contests": "contested by", "resolves": "resolved by", "part_of": "has part",
    "see_also": "see also from", "derived_from": "led to", "consolidated_from": "consolidated in",
    "similar_to": "similar to",
}  # fmt: skip
"""What a link is called at its target."""


def relate(writer: MemoryWriter, source: MemoryRow, type_name: str, target: MemoryRow, now: int) -> bool:
    """Link one memory to another and change the status of what is superseded or contested; tell whether it is new."""
    if source.uid == target.uid:
        raise UsageError("A memory cannot be linked to itself; give two different ids.")
    if type_name == "supersedes" and _leads_to(writer, target.uid, source.uid):
        raise UsageError("The second memory already supersedes the first; one of them must stay the newer.")
    if not writer.put_link(LinkRow(source.uid, type_name, target.uid, now)):
        return False
    _note(writer, source, now, type_name, target.uid)
    _note(writer, target, now, PASSIVE[type_name], source.uid)
    if type_name in BECOMES and target.status != "superseded":
        writer.set_status(target.number, BECOMES[type_name], max(now, target.created))
    if type_name == "resolves" and target.status == "contested":
        writer.set_status(target.number, "active", max(now, target.created))
    return True


def unrelate(writer: MemoryWriter, source: MemoryRow, type_name: str, target: MemoryRow, now: int) -> bool:
    """Take a link back, with the status that it gave; tell whether it was there."""
    if not writer.remove_link(source.uid, type_name, target.uid):
        return False
    _note(writer, source, now, f"no longer {type_name}", target.uid)
    _note(writer, target, now, f"no longer {PASSIVE[type_name]}", source.uid)
    left = {link.type for link in writer.links(target.uid) if link.target == target.uid}
    status = next((status for name, status in BECOMES.items() if name in left), "active")
    if type_name in BECOMES and target.status in BECOMES.values() and status != target.status:
        writer.set_status(target.number, status, max(now, target.created))
    return True


def _leads_to(writer: MemoryWriter, start: int, goal: int) -> bool:
    """Tell whether one memory supersedes another, directly or step by step."""
    seen, waiting = {start}, [start]
    while waiting:
        current = waiting.pop()
        for link in writer.links(current):
            if link.type == "supersedes" and link.source == current and link.target not in seen:
                if link.target == goal:
                    return True
                seen.add(link.target)
                waiting.append(link.target)
    return False


def _note(writer: MemoryWriter, row: MemoryRow, now: int, action: str, other: int) -> None:
    writer.add_history(HistoryRow(row.uid, row.number, now, action, json.dumps({"other": other})))
