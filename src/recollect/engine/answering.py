"""Answers questions about an open index from text as it is on disk, and files what was shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from recollect.engine.beside import Recall, with_memories
from recollect.engine.judging import Judging
from recollect.engine.telling import TOLD
from recollect.evidence.history.view import PastView
from recollect.evidence.outside import Outside
from recollect.evidence.runtime.known import Running
from recollect.index import freshness
from recollect.index.opened import OpenIndex
from recollect.learn.kept import EventFile
from recollect.learn.views import Views
from recollect.ports import Reader
from recollect.retrieve.answer import hits_of
from recollect.retrieve.compare import diff_profiles, list_profiles, show_profile
from recollect.retrieve.contrast import contrast
from recollect.retrieve.desk import Desk, Means, Question
from recollect.retrieve.explain import why
from recollect.retrieve.formats.write import format_named, write
from recollect.retrieve.narrowed import impossible
from recollect.retrieve.own_profile import check_profile, save_profile
from recollect.retrieve.packs import PackFile
from recollect.retrieve.pipeline import Answer
from recollect.retrieve.profile import load_profile, read_profile
from recollect.retrieve.sessions import SeenFile
from recollect.retrieve.tokens import counter
from recollect.retrieve.told import ToldFile
from recollect.source.lines import Lines
from recollect.types import Explanation, Hit, Hits, Pack

PACKS = "packs.cache"
SEEN = "seen.cache"

Made = TypeVar("Made")


class Checked(NamedTuple):
    """What the files of an answer are like now, and what had to be done for it."""

    found: freshness.Freshness
    reread: tuple[str, ...]
    notes: tuple[str, ...]


class Answering(Judging):
    """Lives as long as the project is open; any thread may ask."""

    def __init__(self, index: OpenIndex, past: PastView, running: Running) -> None:
        self._index = index
        self._root = index.project.root
        self._events = EventFile(index.shared.events() if index.shared else index.project.memory_db)
        self._views = Views(self._events)
        self._packs = PackFile(index.project.folder / PACKS)
        self._seen = SeenFile(index.project.folder / SEEN)
        self._lines = Lines(self._root)
        self._outside = Outside(index.project.evidence_db)
        services = {
            "folder": index.project.folder,
            "committed": past.committed,
            "past": past,
            "ran": running.ran,
            "outside": self._outside,
            "told": ToldFile(index.project.folder / TOLD),
        }
        self._desk = Desk(Means(index.project.folder, self._views, services))

    def search(self, question: Question, notes: Sequence[str] = ()) -> Hits:
        """Return the best candidates with their text; what is no longer on disk is left out."""
        limit = question.request.limit or 1

        def once(reader: Reader) -> tuple[Hits, set[str]]:
            lines = self._lines.of
            answer = self._desk.answer(reader, question, pack=False, services={"text": lines})
            hits = hits_of(answer, lines, limit)
            said = () if hits.hits else tuple(impossible(reader, question.request.filters))
            return replace(hits, degraded=(*hits.degraded, *said, *_unfinished(reader))), _paths(hits.hits)

        hits, checked = self._checked(once, notes)
        shown = tuple(
            _marked(hit, checked.found.changed) for hit in hits.hits if hit.path not in checked.found.deleted
        )
        return replace(hits, hits=shown, reread=checked.reread, degraded=(*hits.degraded, *checked.notes))

    def context(
        self, question: Question, form: str, notes: Sequence[str] = (), recall: Recall | None = None
    ) -> Pack:
        """Return what fits into the budget when it is written in a format, memories in front where they are asked."""
        framing = format_named(form)

        def once(reader: Reader) -> tuple[Pack, set[str]]:
            services = {"framing": framing, "text": self._lines.of}
            if question.request.session:
                services["seen"] = self._seen.begun(question.request.session, time.time())
            pack = self._desk.pack(reader, question, self._packs, services)
            pack = replace(pack, degraded=(*pack.degraded, *_unfinished(reader)))
            return pack, _paths(item.hit for item in pack.items)

        pack, checked = self._checked(once, notes)
        items = tuple(
            replace(item, hit=_marked(item.hit, checked.found.changed))
            if item.hit.path in checked.found.changed
            else item
            for item in pack.items
            if item.hit.path not in checked.found.deleted
        )
        pack = replace(pack, items=items, reread=checked.reread, degraded=(*pack.degraded, *checked.notes))
        if recall is None:
            return pack
        count = counter(self._desk.profile_of(question).tokens)
        return with_memories(pack, question.text, recall, framing, count)

    def why(self, question: Question, symbol: str) -> Explanation:
        """Explain a symbol's place from the trace of the run that answers the question."""
        return self._index.ask(lambda reader: why(self._traced(reader, question), reader, symbol))

    def contrast(self, question: Question, profile: str) -> list[dict[str, Any]]:
        """Return what another profile would change."""
        other = replace(question, profile=profile, overrides={})
        return self._index.ask(
            lambda reader: contrast(self._traced(reader, question), self._traced(reader, other))
        )

    def write(self, pack: Pack, form: str) -> str:
        """Return a pack in a format, counted as its profile says."""
        profile = load_profile(pack.profile, folders=self._desk.folders)
        return write(pack, form, counter(profile.tokens))

    def profiles(self) -> list[dict[str, Any]]:
        """Return every profile with its description and stages."""
        return list_profiles(self._desk.folders)

    def profile(self, name: str, overrides: Mapping[str, Any]) -> dict[str, Any]:
        """Return a profile in full."""
        return show_profile(load_profile(name, overrides, self._desk.folders))

    def profile_text(self, name: str) -> str:
        """Return the file of a profile as it is written."""
        return read_profile(name, self._desk.folders)[0]

    def check_profile(self, name: str, text: str) -> None:
        """Raise with a sentence when a profile could not be used under this name."""
        check_profile(name, text, self._desk.folders[0])

    def save_profile(self, name: str, text: str) -> Path:
        """Check a profile and write it among the project's own."""
        return save_profile(name, text, self._desk.folders[0])

    def profile_diff(self, first: str, second: str) -> list[dict[str, Any]]:
        """Return every key in which two profiles differ."""
        a, b = (load_profile(name, folders=self._desk.folders) for name in (first, second))
        return diff_profiles(a, b)

    def close(self) -> None:
        """Write what was shown and packed."""
        self._events.close()
        self._packs.close()
        self._seen.close()
        self._outside.close()

    def _traced(self, reader: Reader, question: Question) -> Answer:
        services = {"text": self._lines.of}
        return self._desk.answer(reader, question, record=False, services=services)

    def _checked(
        self, once: Callable[[Reader], tuple[Made, set[str]]], notes: Sequence[str]
    ) -> tuple[Made, Checked]:
        """Answer, and again after a look at the tree when files of the answer changed or nothing was found in haste."""

        def ask(reader: Reader) -> tuple[Made, freshness.Freshness, bool]:
            made, paths = once(reader)
            return made, freshness.check(reader, self._root, paths), not paths

        made, found, empty = self._index.ask(ask)
        before: frozenset[str] = frozenset()
        said = tuple(notes)
        if not found.fresh or (empty and self._index.trusts_last_look):
            before = found.changed
            said = tuple(dict.fromkeys((*said, *self._index.keep_up(always=True))))
            made, found, _ = self._index.ask(ask)
        return made, Checked(found, tuple(sorted(before - found.changed - found.deleted)), said)


def _marked(hit: Hit, changed: frozenset[str]) -> Hit:
    """Return a hit that says whether its file is no longer what was indexed."""
    return replace(hit, stale=True) if hit.path in changed else hit


def _unfinished(reader: Reader) -> tuple[str, ...]:
    if reader.meta("complete") == "0":
        return ("The first index is still being built; answers come from what is there so far.",)
    told: tuple[str, ...] = reader.notes().get("degraded", ())
    return told


def _paths(hits: Iterable[Any]) -> set[str]:
    return {hit.path for hit in hits}
