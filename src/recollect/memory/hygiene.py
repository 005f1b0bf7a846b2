"""Puts away what has faded or expired, and deletes only what has been put away for long."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from recollect.memory.code import Code
from recollect.memory.fading import Life, has_faded, idle_days, keep_score, life, rules
from recollect.memory.forget import derived_from
from recollect.memory.show import public_id, title
from recollect.store.memories import DERIVED, HistoryRow, LinkRow, MemoryRow
from recollect.store.memory_port import MemoryKeeper, MemoryReader, MemoryWriter

ROUNDS = "hygiene rounds"
"""Under this key stands how often hygiene was done."""
_DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What hygiene did, or with a dry run would do."""

    dry_run: bool
    round: int
    looked_at: int
    protected: int
    """How many would have gone, but are pinned or of priority P1."""
    archived: tuple[dict[str, Any], ...]
    """Id, reason and keep score; with a dry run the title too."""
    deleted: tuple[str, ...]
    left: int = 0
    """How many more wait for the next round."""
    stale: tuple[dict[str, Any], ...] = ()
    """Memories whose code changed or went; nothing is done about them."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return asdict(self)


class _Plan(NamedTuple):
    looked_at: int
    protected: int
    archive: list[tuple[MemoryRow, str, float]]
    delete: list[MemoryRow]


class Wish(NamedTuple):
    """What hygiene is asked for."""

    dry_run: bool = False
    delete: bool = False
    """Whether what has been put away for long is deleted."""
    shape: str = "huber"


def clean(store: MemoryKeeper, wish: Wish, now: int, wait: float) -> Cleaned:
    """Do a round of hygiene; what it archives comes back with one call, what it deletes was archived long ago."""
    if wish.dry_run:
        return store.read(lambda reader: _told(_plan(reader, wish, now), wish, _rounds(reader) + 1))

    def work(writer: MemoryWriter) -> Cleaned:
        plan = _plan(writer, wish, now)
        done = _told(plan, wish, _rounds(writer) + 1)
        writer.set_meta(ROUNDS, str(done.round))
        _archive(writer, plan, done, now)
        if plan.delete:
            gone = [*plan.delete, *derived_from(writer, plan.delete)]
            writer.remove(gone)
            for row in gone:
                writer.add_history(HistoryRow(row.uid, row.number, now, "forgotten"))
        return done

    done = store.write(work, wait)
    notes = store.wipe(wait) if done.deleted else []
    return replace(done, notes=tuple(notes))


def _rounds(reader: MemoryReader) -> int:
    return int(reader.meta(ROUNDS) or 0)


def _plan(reader: MemoryReader, wish: Wish, now: int) -> _Plan:
    numbers, used, put_away = rules()["hygiene"], reader.uses(), reader.archived_at()
    looked_at = protected = 0
    archive: list[tuple[MemoryRow, str, float]] = []
    delete: list[MemoryRow] = []
    for row in reader.each_memory():
        looked_at += 1
        one = life(row, used.get(row.uid, (0, 0.0)))
        reason = _reason(one, wish, now)
        if row.status == "archived":
            if wish.delete and not _is_protected(row) and _long_ago(reader, put_away.get(row.uid), now):
                delete.append(row)
        elif reason and _is_protected(row):
            protected += 1
        elif reason:
            archive.append((row, reason, keep_score(one, now)))
    archive.sort(key=lambda found: (found[2], found[0].uid))
    return _Plan(looked_at, protected, archive, delete[: int(numbers["at_once"])])


def _is_protected(row: MemoryRow) -> bool:
    return row.pinned or row.priority == 1


def _reason(one: Life, wish: Wish, now: int) -> str:
    """Return why a memory should be put away, empty when it should not."""
    numbers = rules()["hygiene"]
    if one.row.expires is not None and one.row.expires <= now:
        return "expired"
    if one.row.kind in DERIVED or idle_days(one, now) < numbers["idle_days"]:
        return ""
    if has_faded(one, now, wish.shape):
        return "faded"
    return "hardly worth keeping" if keep_score(one, now) < numbers["archive_below"] else ""


def _long_ago(reader: MemoryReader, put_away: tuple[int, str] | None, now: int) -> bool:
    """Tell whether hygiene put a memory away so many days and so many rounds ago; by hand is for good."""
    if put_away is None:
        return False
    numbers = rules()["hygiene"]
    time, detail = put_away
    done = json.loads(detail).get("round", 0) if detail else 0
    rounds: int = _rounds(reader) + 1 - done
    return now - time >= numbers["delete_days"] * _DAY and rounds >= numbers["delete_rounds"]


def _told(plan: _Plan, wish: Wish, number: int) -> Cleaned:
    most = int(rules()["hygiene"]["at_once"])
    archived = []
    for row, reason, keep in plan.archive[:most]:
        one: dict[str, Any] = {"id": public_id(row.uid), "reason": reason, "keep": round(keep, 4)}
        archived.append(one | ({"title": title(row.text)} if wish.dry_run else {}))
    deleted = tuple(public_id(row.uid) for row in plan.delete)
    left = max(0, len(plan.archive) - most)
    return Cleaned(wish.dry_run, number, plan.looked_at, plan.protected, tuple(archived), deleted, left)


def _archive(writer: MemoryWriter, plan: _Plan, done: Cleaned, now: int) -> None:
    for row, reason, _ in plan.archive[: len(done.archived)]:
        writer.set_status(row.number, "archived", max(now, row.created))
        detail = json.dumps({"status": [row.status, "archived"], "reason": reason, "round": done.round})
        writer.add_history(HistoryRow(row.uid, row.number, now, "archived", detail))


def stale(reader: MemoryReader, code: Code) -> Iterable[dict[str, Any]]:
    """Yield the memories whose code changed or went since, with what happened to it."""
    tied: dict[int, list[LinkRow]] = {}
    for link in reader.links_of(("mentions",)):
        tied.setdefault(link.source, []).append(link)
    for uid in sorted(tied):
        said = code.news(tied[uid])
        if said:
            yield {"id": public_id(uid), "news": said}
