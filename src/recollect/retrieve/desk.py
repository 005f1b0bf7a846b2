"""What an open project keeps between questions: caches of one generation, its own vocabulary, what was learned."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from recollect.ports import Reader
from recollect.retrieve.ask import Surroundings, ask, profile_for
from recollect.retrieve.classes import EquivalenceClass, project_classes
from recollect.retrieve.context import Learned, Nothing, Snapshot
from recollect.retrieve.pipeline import Answer
from recollect.retrieve.profile import Profile, own_profiles
from recollect.retrieve.query import Request
from recollect.retrieve.remembered import Cache, packed
from recollect.types import Pack

CLASSES = "classes.toml"
PROFILES = "profiles"
KEPT_PROFILES = 200


@dataclass(frozen=True, slots=True)
class Means:
    """What the desk is given once, when a project is opened."""

    folder: Path
    """The project's own folder: it may hold classes.toml and profiles/."""
    learned: Learned = field(default_factory=Nothing)
    services: Mapping[str, Any] = field(default_factory=dict)
    count_tokens: Callable[[str], int] | None = None
    """How tokens are counted; as the profile says when it is None."""


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that a caller says."""

    text: str
    request: Request
    profile: str
    overrides: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Return whether it is about a task, files or a change."""
        return self.request.kind or ("files" if self.request.files and not self.text.strip() else "task")


class Desk:
    """Answers questions of an open project, from any thread."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._lock = threading.Lock()
        self._generation = ""
        self._snapshot = Snapshot()
        self._profiles: dict[Any, Profile] = {}
        self._classes: tuple[Any, tuple[EquivalenceClass, ...]] = (None, ())

    def answer(
        self,
        reader: Reader,
        question: Question,
        pack: bool = True,
        record: bool = True,
        services: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Answer about a task, about files, or about a change, as the question says."""
        profile = self.profile_of(question)
        if not record:
            profile = replace(profile, stages=tuple(use for use in profile.stages if use.phase != "record"))
        around = self.around(reader)
        around = replace(around, services={**around.services, **(services or {})})
        return ask(reader, question.text, question.request, profile, around, pack)

    def pack(
        self, reader: Reader, question: Question, cache: Cache, services: Mapping[str, Any] | None = None
    ) -> Pack:
        """Answer inside the budget, from the cache when nothing changed since."""
        around = self.around(reader)
        around = replace(around, services={**around.services, **(services or {})})
        return packed(reader, question.text, question.request, self.profile_of(question), around, cache)

    def profile_of(self, question: Question) -> Profile:
        """Return the profile that answers a question; files are read again only when they changed."""
        key = (
            question.kind,
            question.profile,
            repr(sorted(question.overrides.items())),
            own_profiles(self.folders),
        )
        if question.profile.endswith(".toml"):
            return self._load(question)
        if key not in self._profiles:
            if len(self._profiles) >= KEPT_PROFILES:
                self._profiles.clear()
            self._profiles[key] = self._load(question)
        return self._profiles[key]

    @property
    def folders(self) -> tuple[Path, ...]:
        """Return where the project's own profiles may lie."""
        return (self._means.folder / PROFILES,)

    def around(self, reader: Reader) -> Surroundings:
        """Return what a question needs beside itself; a new generation of the store begins with empty caches."""
        return Surroundings(
            snapshot=self._snapshot_of(reader),
            learned=self._means.learned,
            count_tokens=self._means.count_tokens,
            classes=self._own_classes(),
            services=self._means.services,
            profile_folders=self.folders,
        )

    def _load(self, question: Question) -> Profile:
        return profile_for(question.kind, question.profile, question.overrides, self.folders)

    def _own_classes(self) -> tuple[EquivalenceClass, ...]:
        file = self._means.folder / CLASSES
        stamp = _stamp(file)
        if self._classes[0] != stamp:
            self._classes = (stamp, project_classes(file))
        return self._classes[1]

    def _snapshot_of(self, reader: Reader) -> Snapshot:
        generation = f"{reader.meta('space') or ''}/{reader.generation()}"
        with self._lock:
            if generation != self._generation:
                self._generation, self._snapshot = generation, Snapshot()
            return self._snapshot


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)
