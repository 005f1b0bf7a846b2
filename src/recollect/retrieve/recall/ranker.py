"""Ranks memories by a profile: runs the one pipeline over their columns and says of each hit why it is there."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

import numpy as np

from recollect.errors import UsageError
from recollect.ports import Reader
from recollect.retrieve.context import Context, Learned, Nothing, Snapshot
from recollect.retrieve.pipeline import Answer, run
from recollect.retrieve.profile import Profile, own_profiles
from recollect.retrieve.recall.asked import MET, SERVICE, Asked
from recollect.retrieve.recall.confidence import chance, chances, held
from recollect.retrieve.recall.features import FEATURES
from recollect.retrieve.recall.options import recall_profile
from recollect.retrieve.trace import Trace
from recollect.retrieve.values import Candidate, Query
from recollect.store.memories import MemoryRow
from recollect.store.postings import Posting
from recollect.store.shelf import Column
from recollect.store.view import MemoryQuestion, MemoryView, RankedMemories, RankedMemory

KEPT = 100


class _NoItems:
    """Stands for the index in a pipeline over memories, which have rows instead of items."""

    def items(self, _: Sequence[int]) -> tuple[()]:
        """Return nothing."""
        return ()

    def __getattr__(self, name: str) -> Any:
        """Refuse a stage that looks into the index."""
        raise UsageError(
            "This profile has stages for code, so it cannot rank memories; take the profile memory or one like it."
        )


@dataclass
class PipelineRanker:
    """Ranks memories; any thread may ask."""

    folders: tuple[Path, ...] = ()
    """Where the project's own profiles may lie."""
    learned: Learned = field(default_factory=Nothing)
    services: Mapping[str, Any] = field(default_factory=dict)
    _profiles: dict[str, Profile] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def id_of(self, question: MemoryQuestion) -> str:
        """Return the id of a question: the same for the same question with the same options."""
        parts = (question.text, str(question.limit), question.restricted, self.profile(question).digest)
        return "q_" + blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()

    def profile(self, question: MemoryQuestion) -> Profile:
        """Return the profile of a question with what it overrides."""
        if question.profile.endswith(".toml"):
            return recall_profile(question.profile, question.overrides, self.folders)
        own = own_profiles(self.folders)
        key = repr((question.profile, sorted(question.overrides.items()), own))
        with self._guard:
            if key not in self._profiles:
                if len(self._profiles) >= KEPT:
                    self._profiles.clear()
                self._profiles[key] = recall_profile(question.profile, question.overrides, self.folders)
            return self._profiles[key]

    def derived(self, question: MemoryQuestion) -> str:
        """Return what a profile shows of what dreams made: nothing, everything, or only that."""
        for use in self.profile(question).of("boost"):
            if use.stage.name == "reflections":
                shown = "reflections" if use.parameters.include_reflections else ""
                return "only" if use.parameters.only else shown
        return ""

    def answer(self, view: MemoryView, question: MemoryQuestion) -> tuple[Answer, Asked]:
        """Run the pipeline; its trace says what every stage did."""
        profile = self.profile(question)
        context = Context(
            reader=cast(Reader, _NoItems()),
            query=Query(question.text, self.id_of(question), limit=question.limit),
            snapshot=Snapshot(),
            now=view.moment / 1000,
            trace=Trace(),
            learned=self.learned,
            services={**self.services, SERVICE: view},
        )
        answer = run(context, profile, pack=False)
        return answer, answer.trace.shared[SERVICE]

    def rank(self, view: MemoryView, question: MemoryQuestion) -> RankedMemories:
        """Return the best memories with why they are there."""
        answer, read = self.answer(view, question)
        rows = {row.number: row for row in view.reader.memories([row.number for row in answer.candidates])}
        found = [(row, rows[row.number]) for row in answer.candidates if row.number in rows]
        places = view.shelf.places(np.array([memory.number for _, memory in found], np.int64))
        measured = held(read, [row for row, _ in found], places)
        sure = _confidences(
            [row for row, _ in found], read, chances(measured), answer.trace.shared.get(MET, ())
        )
        ranked = tuple(
            RankedMemory(
                memory,
                round(row.score, 6),
                sure[at],
                _reasons(row, memory, int(places[at]), read),
                int(row.signals.get("alike.others", 0)),
                _features(row),
                round(float(measured.own[at] + measured.near[at]) / 2, 4),
            )
            for at, (row, memory) in enumerate(found)
        )
        channels = answer.channels if ranked else ()
        likely = max([round(chance(measured), 4), *sure])
        return RankedMemories(answer.query.id, answer.profile.name, channels, answer.degraded, ranked, likely)


def _confidences(
    rows: Sequence[Candidate], read: Asked, likely: Column, met: Collection[int]
) -> Sequence[float]:
    """Return how likely each hit answers the question, where nothing surer than its words says so."""
    found: list[float] = []
    for row, chance_of_it in zip(rows, likely.tolist(), strict=True):
        sure = chance_of_it
        if row.number in met:
            sure = 1.0
        elif "cross" in row.signals:
            sure = row.signals["cross"]
        elif not read.question.terms:
            sure = max(0.5, sure)
        found.append(round(sure, 4))
    for at in range(len(rows) - 2, -1, -1):
        if rows[at].signals.get("succession.newer"):
            # It stands in the place of the next one.
            found[at] = max(found[at], found[at + 1])
    return [
        round(sure * (0.5 if row.signals.get("standing.outdated") else 1.0), 4)
        for row, sure in zip(rows, found, strict=True)
    ]


def _features(row: Candidate) -> tuple[float, ...]:
    """Return what learning needs to know of a hit, when the profile learns."""
    names = [f"feature.{name}" for name in FEATURES]
    known = any(name in row.signals for name in names)
    return tuple(round(row.signals.get(name, 0.0), 6) for name in names) if known else ()


def _reasons(row: Candidate, memory: MemoryRow, place: int, read: Asked) -> tuple[str, ...]:
    if row.signals.get("succession.newer"):
        return ()
    written, leads = read.question.written, row.signals
    matched = [written[stem] for stem in read.question.terms if _holds(read.find(stem), place)]
    reasons = [f"says {', '.join(matched)}"] if matched else []
    if leads.get("share.moment"):
        reasons.append("it is of the time that the question names")
    if leads.get("share.author"):
        reasons.append(f"said by {memory.author}, whom the question names")
    if not matched:
        found = [text for name, text in LEADS.items() if leads.get(f"share.{name}")]
        reasons += [f"found by {' and '.join(found)}"] if found else []
    return tuple(reasons)


LEADS = {
    "vector": "what it means",
    "dense": "what it means",
    "graph": "whom and what it names",
    "association": "what the question reminds of",
    "neighbours": "what it is linked to",
    "around": "what was said around it",
    "answer": "what it answers",
    "session": "its session",
    "related": "words of the best answers",
}


def _holds(posting: Posting, row: int) -> bool:
    at = int(np.searchsorted(posting.rows, row))
    return at < len(posting.rows) and int(posting.rows[at]) == row
