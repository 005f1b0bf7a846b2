"""The memories of one scope, open: their store, the shelf that recall reads, and the clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from recollect import plugins
from recollect.errors import SecretError, UsageError
from recollect.memory import show
from recollect.memory.answer import answer
from recollect.memory.code import Code
from recollect.memory.forget import Forgotten, Reach, Selection, forget, refuse_nothing
from recollect.memory.living import LivingMemory
from recollect.memory.meaning import Embedded, Listener
from recollect.memory.means import Models, Offered
from recollect.memory.narrow import FILTERS, Narrow, allowed, narrow
from recollect.memory.note import Note, note
from recollect.memory.shown import shown_of
from recollect.memory.timeline import Timeline, timeline
from recollect.memory.write import Prepared, Written, is_said, numbered, prepare, uid_of_note, write
from recollect.ports import Event
from recollect.store.memory_port import MemoryPlace, MemoryReader, MemoryWriter
from recollect.store.postings import Postings
from recollect.store.shelf import renew, shelve
from recollect.store.view import Cut, MemoryQuestion, MemoryRanker, MemoryView
from recollect.types import Hits, Item

Before = TypeVar("Before")
After = TypeVar("After")

PROFILE = "memory"
MOST_HITS = 1000
BATCH = 2000
"""How many memories are written in one transaction."""
FOLLOWED = 500
"""Of up to so many new memories the words are added to those that are kept; of more they are read anew."""
STATES = 2
"""So many states of the shelf are kept, the latest asked for first: a question may have begun before a write."""
FEW = 20
"""Up to so many at once are compared with their neighbours, and weigh more when they say something new."""


class OpenMemory(LivingMemory):
    """Writes, recalls and forgets; any thread may use it."""

    def __init__(
        self,
        place: Path | MemoryPlace,
        wait: float = 30.0,
        clock: Callable[[], float] = time.time,
        ranker: MemoryRanker | None = None,
        models: Models | None = None,
    ) -> None:
        super().__init__(place, wait, clock)
        self._states: tuple[Postings, ...] = ()
        self._offered = Offered(models or Models())
        self._given_ranker = ranker
        self.journals: tuple[Path, ...] = ()
        """Folders in which sessions note what was said."""

    def remember(self, text: str, fields: Mapping[str, Any], code: Code | None, redact: bool = False) -> Item:
        """Write one memory and say in its metadata what became of it."""
        (written,) = self.remember_many([{**fields, "text": text}], code, redact)
        return written

    def remember_many(
        self, rows: Iterable[Mapping[str, Any] | str], code: Code | None, redact: bool = False
    ) -> list[Item]:
        """Write many memories, some thousand in one transaction; when one cannot be written, none is."""
        _, tools = self._open()
        notes = numbered(note(*_text_and_fields(row)) for row in rows)
        return self._write([prepare(one, tools.cut, code, redact, self._now()) for one in notes])

    def take_in(
        self, rows: Iterable[Mapping[str, Any]], code: Code | None, redact: bool
    ) -> tuple[list[Item | None], list[str]]:
        """Write what can be written of many rows; return it, None for a row that was refused, and why it was."""
        _, tools = self._open()
        refused: list[str] = []
        notes = _kept(rows, lambda row: note(*_text_and_fields(row)), refused)
        counted = iter(numbered(one for one in notes if one is not None))
        again = [None if one is None else next(counted) for one in notes]

        def taken(one: Note | None) -> Prepared | None:
            return (
                None
                if one is None
                else prepare(one, tools.cut, code, redact, self._now())._replace(counted=False)
            )

        prepared = _kept(again, taken, refused)
        written = iter(self._write([one for one in prepared if one is not None]))
        return [None if one is None else next(written) for one in prepared], refused

    def recall(self, query: str, limit: int, given: Mapping[str, Any], code: Code | None) -> Hits:
        """Answer a question; filters and overrides of the ranking come by name."""
        question, chosen = self._question(query, limit, given)
        if not self.place.exists():
            query_id = self._ranker.id_of(question)
            nothing = ("There are no memories here yet; remember stores one.",)
            return Hits(query_id, question.profile, (), nothing, ())
        store, _ = self._open()
        learning: list[Event] = []

        def work(reader: MemoryReader) -> Hits:
            learning.clear()
            view = self._view(reader, chosen)
            ranked = self._ranker.rank(view, question)
            learning.extend(shown_of(ranked, self._clock()))
            return answer(reader, ranked, view.moment, len(view.shelf), code)

        hits = store.read(work)
        if learning:
            self._shown.add(store, learning)
        notes = store.notes()
        return replace(hits, degraded=(*hits.degraded, *notes)) if notes else hits

    def embed(self, listener: Listener | None = None) -> Embedded | None:
        """Make the vectors that are missing, all of them; None when no embedder is configured."""
        meanings = self._offered.meanings
        if meanings.embedder() is None or not self.place.exists():
            return None
        store, _ = self._open()
        shelf = store.read(self._up_to_date).shelf
        meanings.fill(store, shelf, listener=listener)
        return store.read(lambda reader: meanings.state(shelf, meanings.near(reader, shelf)))

    def timeline(self, first: int, length: int, given: Mapping[str, Any]) -> Timeline:
        """Return a page of all memories that filters let through, newest first."""
        chosen = narrow({key: value for key, value in given.items() if value is not None})
        if not self.place.exists():
            return Timeline((), 0)
        store, _ = self._open()

        def work(reader: MemoryReader) -> Timeline:
            shelf = self._up_to_date(reader).shelf
            return timeline(reader, shelf, chosen, self._now(), (first, length))

        return store.read(work)

    def forget(self, selection: Selection, dry_run: bool) -> Forgotten:
        """Remove what is selected from every file, or say what would be removed."""
        refuse_nothing(selection, self.place.exists())
        store, tools = self._open()
        self._shown.file(store)
        if selection.query:
            question, chosen = self._question(selection.query, MOST_HITS, {})
            ranked = store.read(lambda reader: self._ranker.rank(self._view(reader, chosen), question))
            selection = selection.with_ids(
                show.public_id(one.row.uid) for one in ranked.memories if one.covered >= selection.at_least
            )
        reach = Reach(tools, self._wait, self.journals)
        return forget(store, selection, self._now(), dry_run, reach)

    def close(self) -> None:
        """Close the database; it opens again when it is needed."""
        self._states = ()
        self._offered.close()
        super().close()

    def _write(self, prepared: Sequence[Prepared]) -> list[Item]:
        store, _ = self._open()
        told: list[Item] = []
        for start in range(0, len(prepared), BATCH):
            part = prepared[start : start + BATCH]
            told += map(_told, store.write(partial(self._put, part=part), self._wait))
        return told

    def _put(self, writer: MemoryWriter, part: Sequence[Prepared]) -> list[Written]:
        _, tools = self._open()
        now = self._now()
        alike = [one.sketches for one in part if not is_said(one.note)]
        writer.expect([uid_of_note(one.note) for one in part], alike)
        # Many at once are taken as they are: to look at the neighbours of each would take too long.
        stem = tools.stem if len(part) <= FEW else None
        return [write(writer, one, now, tools.cut, stem) for one in part]

    def _up_to_date(self, reader: MemoryReader) -> Postings:
        """Return the shelf as it is in a snapshot; only what was written or changed since is read."""
        with self._guard:
            seen = reader.last_numbers()
            found = next((one for one in self._states if one.shelf.seen == seen), None)
            if found is None:
                base = next((one for one in self._states if not _later(one.shelf.seen, seen)), None)
                stem = self._open()[1].stem
                found = _renewed(base, reader, seen, stem) if base else Postings(shelve(reader.shelf(), seen))
            self._states = (found, *(one for one in self._states if one is not found))[:STATES]
            return found

    @cached_property
    def _ranker(self) -> MemoryRanker:
        """Return what ranks; the one that is installed when none was given."""
        made: MemoryRanker = self._given_ranker or plugins.load("rankers", "pipeline")()
        return made

    def _view(self, reader: MemoryReader, chosen: Narrow) -> MemoryView:
        """Return the memories that a question may be answered from, as they are in a snapshot."""
        store, tools = self._open()
        postings, now = self._up_to_date(reader), self._now()
        return MemoryView(
            reader=reader,
            postings=postings,
            stem=tools.stem,
            cut=tools.cut,
            allowed=allowed(postings.shelf, reader, chosen, now),
            moment=now if chosen.as_of is None else chosen.as_of,
            dated=chosen.as_of is not None,
            superseded={link.target: link.created for link in reader.links_of(("supersedes",))},
            means=self._offered.of(store, reader, postings.shelf),
        )

    def _question(self, query: str, limit: int, given: Mapping[str, Any]) -> tuple[MemoryQuestion, Narrow]:
        if not 1 <= limit <= MOST_HITS:
            raise UsageError(f"The limit must lie between 1 and {MOST_HITS}, not {limit}.")
        if not query.strip():
            raise UsageError("The question is empty; say what you want to know.")
        chosen = narrow({key: value for key, value in given.items() if key in FILTERS and value is not None})
        others = {key: value for key, value in given.items() if key not in FILTERS and value is not None}
        profile = others.pop("profile", PROFILE)
        question = MemoryQuestion(query, limit, profile, others, repr(chosen))
        if "derived" not in given:
            chosen = replace(chosen, dreamt=self._ranker.derived(question))
        return question, chosen


def _kept(
    given: Iterable[Before], make: Callable[[Before], After | None], refused: list[str]
) -> list[After | None]:
    """Return what can be made of each; what cannot be is None, and told in a sentence."""
    made: list[After | None] = []
    for number, one in enumerate(given, start=1):
        try:
            made.append(make(one))
        except (UsageError, SecretError) as error:
            made.append(None)
            refused.append(f"Memory {number} was left out: {error}")
    return made


def _later(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Tell whether a state, given as its last memory and change, is after another; forgetting lowers the first."""
    return one[::-1] > other[::-1]


def _renewed(known: Postings, reader: MemoryReader, seen: tuple[int, int], stem: Cut) -> Postings:
    """Return the shelf with what was written since, and the words that are kept, unless known memories changed."""
    old = known.shelf
    changed = reader.changed_since(old.seen[1])
    new = reader.shelf(after=old.seen[0])
    again = reader.shelf_of(number for number in changed if number <= old.seen[0])
    shelf = renew(old, changed, np.concatenate([again, new]), seen)
    if changed or len(new) > FOLLOWED:
        return Postings(shelf)
    rows = reader.memories(shelf.column("number")[len(old) :].tolist())
    return known.grown(shelf, (stem("\n".join((row.text, *row.tags))) for row in rows))


def _text_and_fields(row: Mapping[str, Any] | str) -> tuple[Any, dict[str, Any]]:
    if isinstance(row, str):
        return row, {}
    fields = dict(row)
    text = fields.pop("text", None)
    content = fields.pop("content", None)
    return (content if text is None else text), fields


def _told(written: Written) -> Item:
    more: dict[str, Any] = {"action": written.action}
    if written.similar:
        more["similar"] = [show.public_id(uid) for uid in written.similar]
    if written.surprise is not None:
        more["surprise"] = written.surprise
    if written.redacted:
        more["redacted"] = list(written.redacted)
    return show.item(written.row, more)
