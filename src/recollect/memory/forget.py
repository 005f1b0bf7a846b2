"""Forgets: what is selected goes from every table, every file and every backup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from recollect.errors import NotFoundError, UsageError
from recollect.memory.show import public_id, title
from recollect.memory.tools import Tools
from recollect.memory.traces import wipe_journals
from recollect.store.ids import uid_of
from recollect.store.memories import HistoryRow, MemoryRow
from recollect.store.memory_port import MemoryKeeper, MemoryReader, MemoryWriter

SURE = 0.8
"""A query forgets what answers so much of it."""


SPOKEN = 4
"""Letters of a word that may tell what was forgotten; shorter ones are in everything."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to be forgotten: memories that meet everything that is given."""

    ids: tuple[str, ...] = ()
    tag: str = ""
    source: str = ""
    session: str = ""
    author: str = ""
    query: str = ""
    at_least: float = SURE
    """How much of the query a memory must answer."""
    before: int | None = None
    since: int | None = None
    everything: bool = False

    def with_ids(self, ids: Iterable[str]) -> Selection:
        """Return the same selection among some memories only."""
        found = tuple(ids)
        kept = tuple(one for one in found if one in self.ids) if self.ids else found
        return replace(self, ids=kept or ("",), query="")


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was removed, or with a dry run what would be."""

    ids: tuple[str, ...]
    titles: tuple[str, ...]
    """Shown in a dry run only: what is forgotten must not come back in a log."""
    dry_run: bool
    notes: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    """What dreams had made of the forgotten, and therefore went with it."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return asdict(self)


class Reach(NamedTuple):
    """What forgetting needs besides the store."""

    tools: Tools
    wait: float
    journals: tuple[Path, ...] = ()
    """Folders in which sessions note what was said."""


def refuse_nothing(selection: Selection, exists: bool) -> None:
    """Raise an error when nothing was selected or there is nothing to select from."""
    if selection == Selection():
        raise UsageError("Nothing was selected; give ids, a tag, a source, a query or a date.")
    if not exists:
        raise NotFoundError("There is nothing to forget, because nothing was remembered here yet.")


def forget(store: MemoryKeeper, selection: Selection, now: int, dry_run: bool, reach: Reach) -> Forgotten:
    """Remove what is selected in one transaction, then wipe the files."""
    refuse_nothing(selection, True)
    if dry_run:
        rows, derived = store.read(lambda reader: _with_derived(reader, selection))
        return Forgotten(_ids(rows), tuple(title(row.text) for row in rows), True, derived=_ids(derived))

    words: set[str] = set()

    def work(writer: MemoryWriter) -> tuple[list[MemoryRow], list[MemoryRow]]:
        rows, derived = _with_derived(writer, selection)
        if rows:
            writer.remove([*rows, *derived])
            words.update(_said_no_more(writer, rows, reach.tools))
            writer.silence(words)
        for row in (*rows, *derived):
            writer.add_history(HistoryRow(row.uid, row.number, now, "forgotten"))
        return rows, derived

    rows, derived = store.write(work, reach.wait)
    notes = store.wipe(reach.wait) if rows else []
    wipe_journals(reach.journals, words)
    return Forgotten(_ids(rows), (), False, tuple(notes), _ids(derived))


def _said_no_more(reader: MemoryReader, rows: Iterable[MemoryRow], tools: Tools) -> set[str]:
    """Return the words of removed memories that no other one holds: questions about them are noted with events."""
    texts = ("\n".join((row.text, *row.tags, row.source, row.author, row.metadata)) for row in rows)
    said = {
        word: stem for text in texts for word, stem in zip(tools.cut(text), tools.stem(text), strict=True)
    }
    return {
        word
        for word, stem in said.items()
        if len(word) >= SPOKEN and not len(reader.newest_with(word, stem, 1))
    }


def _with_derived(reader: MemoryReader, selection: Selection) -> tuple[list[MemoryRow], list[MemoryRow]]:
    rows = _selected(reader, selection)
    return rows, derived_from(reader, rows)


def derived_from(reader: MemoryReader, rows: Sequence[MemoryRow]) -> list[MemoryRow]:
    """Return the reflections and cards that tell of some memories, and those made of these in turn."""
    seen = {row.uid for row in rows}
    waiting, found = list(seen), list[MemoryRow]()
    while waiting:
        for uid in reader.sources_of("consolidated_from", waiting.pop()):
            row = None if uid in seen else reader.memory(uid)
            if row is not None:
                seen.add(uid)
                waiting.append(uid)
                found.append(row)
    return found


def _ids(rows: Iterable[MemoryRow]) -> tuple[str, ...]:
    return tuple(public_id(row.uid) for row in rows)


def _selected(reader: MemoryReader, selection: Selection) -> list[MemoryRow]:
    sets = list(_sets(reader, selection))
    numbers = set.intersection(*sets) if sets else set(reader.numbers_where("number", ">=", 0))
    return reader.memories(sorted(numbers))


def _sets(reader: MemoryReader, selection: Selection) -> Iterable[set[int]]:
    if selection.ids:
        yield {_number(reader, one) for one in selection.ids if one}
    if selection.tag:
        code = reader.label("tag", selection.tag)
        yield set() if code is None else set(reader.tagged(code))
    for sort in ("source", "session", "author"):
        name = getattr(selection, sort)
        if name:
            code = reader.label(sort, name)
            yield set() if code is None else set(reader.numbers_where(sort, "=", code))
    if selection.before is not None:
        yield set(reader.numbers_where("created", "<", selection.before))
    if selection.since is not None:
        yield set(reader.numbers_where("created", ">=", selection.since))


def _number(reader: MemoryReader, public: str) -> int:
    row = reader.memory(uid_of(public)) if public.startswith("m") else None
    if row is None:
        raise NotFoundError(f"There is no memory {public}; recall shows the ids. Nothing was forgotten.")
    return row.number
