"""Dreams: writes what was thought up in one transaction, tells of it, and takes any dream back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from recollect.errors import NotFoundError
from recollect.memory.dream.made import Made
from recollect.memory.dream.plan import Plan, Tools, members_of, plan
from recollect.memory.relate import relate, unrelate
from recollect.memory.show import public_id
from recollect.memory.times import shown
from recollect.store.memories import DERIVED, DreamtRow, HistoryRow, LinkRow, MemoryRow
from recollect.store.memory_port import MemoryKeeper, MemoryWriter

_RENEWED = 0.5
"""A reflection with so many members of an older one takes its place."""


@dataclass(frozen=True, slots=True)
class Dream:
    """What a dream did, or with a dry run would do."""

    number: int
    """Under which it can be taken back; 0 in a dry run."""
    dry_run: bool
    looked_at: int
    clusters: int
    rejected: Mapping[str, int]
    """How many clusters each quality gate kept out."""
    reflections: tuple[str, ...]
    cards: tuple[str, ...]
    known: int
    """How many reflections and cards were there already."""
    links: int
    promoted: tuple[dict[str, str], ...]
    raised: tuple[str, ...]
    """Memories that got the highest priority."""
    time: str = ""
    undone: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return asdict(self)


def dream(store: MemoryKeeper, tools: Tools, now: int, dry_run: bool, wait: float) -> Dream:
    """Consolidate memories; what was written while it was thought up is left for the next dream."""
    planned = store.read(lambda reader: plan(reader, tools, now))
    if dry_run:
        return _told(0, planned, planned.made, True, now)

    def work(writer: MemoryWriter) -> Dream:
        number = writer.add_dream(now)
        did: list[DreamtRow] = []
        made = [one for one in planned.made if _make(writer, one, number, now, did)]
        _link(writer, planned, now, did)
        _move(writer, planned, number, now, did)
        done = _told(number, planned, made, False, now)
        writer.finish_dream(number, json.dumps(done.to_dict()), did)
        return done

    return store.write(work, wait)


def undo(store: MemoryKeeper, number: int, now: int, wait: float) -> dict[str, Any]:
    """Take a dream back: what it made goes, what it moved comes back unless it was moved again since."""

    def work(writer: MemoryWriter) -> list[MemoryRow]:
        known = {row.number: row for row in writer.dreams()}
        if number not in known or known[number].undone is not None:
            raise NotFoundError(
                f"There is no dream {number} to take back; 'recollect dream --list' has them."
            )
        did = writer.dreamt(number)
        made = [row for one in did if one.action == "made" and (row := writer.memory(one.uid)) is not None]
        for row in made:
            _let_go(writer, row, now)
        if made:
            writer.remove(made)
        for one in did:
            _take_back(writer, one, number, now)
        writer.note_undone(number, now)
        return made

    made = store.write(work, wait)
    notes = store.wipe(wait) if made else []
    return {"number": number, "removed": [public_id(row.uid) for row in made], "notes": notes}


def told(store: MemoryKeeper) -> list[Dream]:
    """Return every dream, oldest first."""
    rows = store.read(lambda reader: reader.dreams())
    found = []
    for row in rows:
        values = json.loads(row.report)
        for name in ("reflections", "cards", "promoted", "raised"):
            values[name] = tuple(values[name])
        values["undone"] = shown(row.undone) or ""
        found.append(Dream(**values))
    return found


def _told(number: int, planned: Plan, made: Iterable[Made], dry_run: bool, now: int) -> Dream:
    kinds = [(one.row.kind, public_id(one.row.uid)) for one in made]
    return Dream(
        number, dry_run, planned.looked_at, planned.clusters, planned.rejected,
        tuple(uid for kind, uid in kinds if kind == "reflection"),
        tuple(uid for kind, uid in kinds if kind == "entity"),
        planned.known, len(planned.links),
        tuple({"id": public_id(uid), "from": old, "to": new} for uid, old, new in planned.moves),
        tuple(map(public_id, planned.raised)), shown(now) or "",
    )  # fmt: skip


def _make(writer: MemoryWriter, one: Made, number: int, now: int, did: list[DreamtRow]) -> bool:
    """Write what a dream made, unless a member is gone by now; tell whether it was written."""
    if writer.memory(one.row.uid) is not None or any(writer.memory(uid) is None for uid in one.members):
        return False
    older = [row for row in _derived(writer, one) if _is_renewed(writer, row, one)]
    metadata = json.loads(one.row.metadata) | {"dream": number}
    row = one.row._replace(metadata=json.dumps(metadata, ensure_ascii=False))
    row = row._replace(number=writer.add(row, ()))
    for uid in one.members:
        writer.put_link(LinkRow(row.uid, "consolidated_from", uid, now))
    for old in older:
        relate(writer, row, "supersedes", old, now)
    did.append(DreamtRow(row.uid, "made"))
    return True


def _derived(writer: MemoryWriter, one: Made) -> list[MemoryRow]:
    """Return what was made of the same members before."""
    sources = {
        link.source for uid in one.members for link in writer.links(uid) if link.type == "consolidated_from"
    }
    rows = [row for uid in sorted(sources) if (row := writer.memory(uid)) is not None]
    return [row for row in rows if row.kind == one.row.kind and row.status != "superseded"]


def _is_renewed(writer: MemoryWriter, old: MemoryRow, one: Made) -> bool:
    if old.kind == "entity":
        return bool(json.loads(old.metadata).get("entity") == json.loads(one.row.metadata).get("entity"))
    members = members_of(writer, old.uid)
    return len(members & set(one.members)) >= _RENEWED * len(members)


def _link(writer: MemoryWriter, planned: Plan, now: int, did: list[DreamtRow]) -> None:
    for source, target, weight in planned.links:
        if writer.memory(source) is None or writer.memory(target) is None:
            continue
        if writer.put_link(LinkRow(source, "similar_to", target, now, json.dumps({"weight": weight}))):
            did.append(DreamtRow(source, "linked", json.dumps(target)))


def _move(writer: MemoryWriter, planned: Plan, number: int, now: int, did: list[DreamtRow]) -> None:
    for uid, old, new in planned.moves:
        if _set(writer, uid, ("layer", old, new), number, now):
            did.append(DreamtRow(uid, "moved", json.dumps(["layer", old, new])))
    for uid in planned.raised:
        row = writer.memory(uid)
        if row is not None and _set(writer, uid, ("priority", row.priority, 1), number, now):
            did.append(DreamtRow(uid, "moved", json.dumps(["priority", row.priority, 1])))


def _set(writer: MemoryWriter, uid: int, change: tuple[str, Any, Any], number: int, now: int) -> bool:
    """Give a memory another layer or priority if it still has the old one."""
    field, old, new = change
    row = writer.memory(uid)
    if row is None or getattr(row, field) != old:
        return False
    writer.replace(row, row._replace(**{field: new}), None)
    detail = json.dumps({field: [old, new], "dream": number})
    writer.add_history(HistoryRow(uid, row.number, now, "dreamt", detail))
    return True


def _let_go(writer: MemoryWriter, row: MemoryRow, now: int) -> None:
    """Give what was superseded by something dreamt its status back."""
    for link in writer.links(row.uid):
        old = writer.memory(link.target) if link.source == row.uid and link.type == "supersedes" else None
        if old is not None and old.kind in DERIVED:
            unrelate(writer, row, "supersedes", old, now)


def _take_back(writer: MemoryWriter, one: DreamtRow, number: int, now: int) -> None:
    if one.action == "linked":
        writer.remove_link(one.uid, "similar_to", json.loads(one.detail))
    elif one.action == "moved":
        field, old, new = json.loads(one.detail)
        _set(writer, one.uid, (field, new, old), number, now)
