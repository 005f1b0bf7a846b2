"""The one door: opens a project and answers from it; wiring only, every rule lives below."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from recollect import config
from recollect.engine.changing import Changing
from recollect.engine.observing import Observed
from recollect.engine.telling import Telling
from recollect.errors import UsageError
from recollect.index.opened import Listener, OpenIndex
from recollect.index.project import Project, project_at
from recollect.memory.face import Remembering
from recollect.memory.show import is_id
from recollect.source.git import find_repository, project_root
from recollect.source.walk import check_root
from recollect.types import Around, Diagnosis, Explanation, Hits, Impact, IndexReport, Item, Pack, Status

if TYPE_CHECKING:
    from recollect.engine.answering import Answering
    from recollect.index.watch import Watched
    from recollect.memory.scopes import Memories
    from recollect.ports import Reader

PROFILE = "code"
"""Answers questions about code when no other profile is named."""


def open(path: str | Path | None = None, **settings: Any) -> Recollect:  # noqa: A001  # recollect.open reads well
    """Open the project around a path, or around the current folder; it is indexed when it is first asked.

    With `store=URL` it is kept on PostgreSQL; a URL in place of the path means the project around the current folder.
    """
    text = str(path or ".")
    if "://" in text:
        settings.setdefault("store", text)
        text = "."
    place = Path(text).expanduser()
    if not _is_there(place):
        raise UsageError(f"Cannot open {text}: there is no such folder. Give the folder of a project.")
    if place.is_file() and find_repository(place) is None:
        raise UsageError(
            f"Cannot open {text}: it is a file outside any repository. Give the folder of a project."
        )
    root = check_root(project_root(place))
    return Recollect(project_at(root), config.load(root, **settings))


def _is_there(place: Path) -> bool:
    try:
        return place.exists()
    except OSError as error:
        raise UsageError(f"Cannot open {place}: {error.strerror}. Give the folder of a project.") from error


class _Indexed(Changing, Observed):
    """What an open project does with its index."""

    _closing: threading.Event
    _telling: Telling

    def index(self, progress: Listener | None = None, full: bool = False) -> IndexReport:
        """Bring the index in step with the files, or with `full` build it anew."""
        report = self._index.update(progress, full)
        self._telling.keep_up()
        return report

    def refresh(self) -> IndexReport:
        """Read again what changed since the last time."""
        return self.index()

    def ready(self, progress: Listener | None = None) -> tuple[str, ...]:
        """Index on first use and take in every change since; return a sentence for what could not be done."""
        notes = self._index.keep_up(progress)
        self._telling.keep_up()
        return notes

    def status(self) -> Status:
        """Return what is indexed, how fresh and how big it is."""
        return self._index.status()

    def doctor(self, repair: bool = False, progress: Listener | None = None) -> Diagnosis:
        """Look for damage, and with `repair` mend it; memories are never thrown away."""
        return self._index.doctor(repair, progress)

    def impact(self, symbol: str, direction: str = "callers", depth: int = 3) -> Impact:
        """Return what calls a symbol, or what it calls, step by step, each with how sure it is."""
        from recollect.evidence.telling import with_evidence
        from recollect.graph.impact import impact

        self.ready()
        past, running = self._past(), self._running()

        def told(reader: Reader) -> Impact:
            found = impact(reader, symbol, direction, depth)
            return with_evidence(reader, found, self.root, past, running)

        return self._index.ask(told)

    def around(self, symbol: str, limit: int = 60) -> Around:
        """Return what stands directly around a symbol in the graph, by relation, each with how sure it is."""
        from recollect.graph.around import around

        self.ready()
        return self._index.ask(lambda reader: around(reader, symbol, limit))

    def outline(self, path: str) -> tuple[Item, ...]:
        """Return the symbols of a file, in the order in which they stand there."""
        self.ready()
        items = self._index.ask(lambda reader: reader.items_of(path))
        return tuple(item for item in items if item.kind not in ("file", "chunk"))

    def watch(self, callback: Callable[[Watched], None]) -> None:
        """Keep the index up to date until `close()` is called or the program is interrupted."""
        from recollect.index.watch import watch

        for watched in watch(self.root, self._index.update, self._closing):
            callback(watched)
            self.keep_history()


class _Asked(_Indexed):
    """What an open project answers."""

    _answering: Answering | None
    _recall: Callable[..., Hits]
    _judge: Callable[[str], Callable[[str, Sequence[str], bool], object]]

    def search(self, query: str, limit: int = 10, profile: str = PROFILE, **overrides: Any) -> Hits:
        """Return code and documentation for a question, best first, with the text as it is on disk now."""
        from recollect.engine.asked import checked_limit, question

        asked = question(query, profile, overrides, limit=checked_limit(limit))
        return self._answers().search(asked, self.ready())

    def context(
        self,
        task: str | None = None,
        *,
        files: Iterable[str] | None = None,
        base: str | None = None,
        budget: int | None = None,
        profile: str | None = None,
        format: str = "text",  # noqa: A002  # as the command line says it
        **overrides: Any,
    ) -> Pack:
        """Return what a task, files, or everything that differs from a base need, inside a budget of tokens.

        The budget is a ceiling for the answer as it is written in the format, framing included. What was
        remembered about the task or the code stands in front; `memories=False` leaves it out.
        """
        from recollect.engine.asked import context_question

        kept = self._index.shared is not None or self._index.project.memory_db.exists()
        remembered = bool(overrides.pop("memories", True)) and kept
        asked = context_question(self.root, (task, files, base), budget, profile or PROFILE, overrides)
        return self._answers().context(asked, format, self.ready(), self._recall if remembered else None)

    def write(self, pack: Pack, format: str = "text") -> str:  # noqa: A002  # as the command line says it
        """Return a pack as text that never costs more than its budget."""
        return self._answers().write(pack, format)

    def why(
        self,
        task: str,
        symbol: str,
        profile: str | None = None,
        *,
        budget: int | None = None,
        **overrides: Any,
    ) -> Explanation:
        """Explain why a symbol ranks where it does for a task, or why it is not there."""
        from recollect.engine.asked import question

        asked = question(task, profile or PROFILE, overrides, budget=budget)
        self.ready()
        return self._answers().why(asked, symbol)

    def feedback(
        self, query_id: str, ids: Sequence[str], useful: bool = True, scope: str = "project"
    ) -> tuple[str, ...]:
        """File which items of an answer were of use, or of none; return their ids. `scope` is that of memories."""
        memories = [one for one in ids if is_id(one)]
        if memories:
            self._judge(scope)(query_id, memories, useful)
        others = [one for one in ids if not is_id(one)]
        if others or not memories:
            self._answers().feedback(query_id, others, useful)
        return tuple(dict.fromkeys(ids))

    def used(
        self, text: str = "", session: str = "", *, files: Iterable[str] = (), at: float | None = None
    ) -> tuple[str, ...]:
        """File as used what was shown in the ten minutes before and is named in a text, such as an edit; return ids.

        What lies in `files`, given relative to the root, is filed as opened. With a session only its own answers are
        looked at; `at` is when it happened, in seconds since 1970.
        """
        return self._answers().used(text, session, tuple(files), time.time() if at is None else at)

    def settle(self) -> None:
        """Let other processes see what was shown so far; otherwise that is written when the project is closed."""
        self._answers().settle()

    def _answers(self) -> Answering:
        """Return what answers questions; it is made by the first one."""
        from recollect.engine.answering import Answering

        past, running = self._past(), self._running()
        with self._guard:
            if self._answering is None:
                self._answering = Answering(self._index, past, running)
            return self._answering


class _Profiled(_Asked):
    """What an open project says of its profiles."""

    def trace_diff(self, task: str, first: str, second: str, **overrides: Any) -> list[dict[str, Any]]:
        """Return what a second profile would change in the answer of a first one; `overrides` hold for the first."""
        from recollect.engine.asked import question

        self.ready()
        return self._answers().contrast(question(task, first, overrides), second)

    def profiles(self) -> list[dict[str, Any]]:
        """Return every profile, the project's own too, with its description and stages."""
        return self._answers().profiles()

    def profile(self, name: str, **overrides: Any) -> dict[str, Any]:
        """Return a profile in full, defaults included, by dotted key."""
        return self._answers().profile(name, overrides)

    def profile_text(self, name: str) -> str:
        """Return the file of a profile as it is written."""
        return self._answers().profile_text(name)

    def check_profile(self, name: str, text: str) -> None:
        """Raise with a sentence when a profile could not be used under this name."""
        self._answers().check_profile(name, text)

    def save_profile(self, name: str, text: str) -> Path:
        """Check a profile and write it among the project's own; return its file."""
        return self._answers().save_profile(name, text)

    def check_settings(self, text: str) -> None:
        """Raise with a sentence when the project's settings could not be used."""
        config.check(self.root, text)

    def save_settings(self, text: str) -> config.Settings:
        """Check the project's settings and write them; they hold from the next opening on."""
        return config.save(self.root, text)

    def profile_diff(self, first: str, second: str) -> list[dict[str, Any]]:
        """Return every key in which two profiles differ."""
        return self._answers().profile_diff(first, second)


class Recollect(_Profiled, Remembering):
    """An open project; use it as a context manager, from any thread."""

    def __init__(self, project: Project, settings: config.Settings) -> None:
        self.root = project.root
        self.settings = settings
        self._index = OpenIndex(project, settings)
        self._telling = Telling(self._index)
        self._closing = threading.Event()
        self._guard = threading.Lock()
        self._answering: Answering | None = None
        self._recall = self.recall
        self._judge = lambda scope: self.memories.of(scope).judge

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End watching and close the databases."""
        self._closing.set()
        with self._guard:
            answering, self._answering = self._answering, None
        if answering is not None:
            answering.close()
        self._close_past()
        self._close_runs()
        self._close_memories()
        self._index.close()

    def _open_memories(self) -> Memories:
        """Return the memories of this project; what they name in the code is looked up where there is an index."""
        from recollect.learn.relevance import Relevance
        from recollect.memory.means import models_of
        from recollect.memory.scopes import Memories
        from recollect.retrieve.desk import PROFILES
        from recollect.retrieve.recall.ranker import PipelineRanker

        project, index = self._index.project, self._index
        return Memories(
            self.root,
            index.shared.memories() if index.shared else project.memory_db,
            self.settings.lock_wait_seconds,
            lambda: index.ask if index.begun() else None,
            PipelineRanker((project.folder / PROFILES,)),
            models_of(self.settings, lambda: Relevance().of),
        )
