"""An index that is open: its databases, when it was last compared with the files, and what is wrong with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TypeVar

from recollect import plugins
from recollect.config import Settings
from recollect.errors import AwayError, BusyError, CorruptError, StoreError
from recollect.index.doctor import diagnose
from recollect.index.project import Project, commit_of
from recollect.index.shared import shared_place
from recollect.index.status import status
from recollect.index.stores import STORE, Stores
from recollect.index.update import update
from recollect.ports import FactsStore, Reader, Store
from recollect.types import Diagnosis, IndexReport, Progress, Status

CHEAP_SECONDS = 0.002
"""A look through the tree that takes less is made for every question."""
LOOK_SHARE = 10
"""A dearer look is made again only after this many times what it took."""

Listener = Callable[[Progress], None]
Answer = TypeVar("Answer")


class OpenIndex:
    """Opens the databases when they are first needed and keeps them in step with the files; any thread may use it."""

    def __init__(self, project: Project, settings: Settings) -> None:
        self.project = project
        self.settings = settings
        self.shared = shared_place(project, settings)
        self._kept = Stores(project, self.shared)
        self._looked_until = 0.0
        self._commit = ""

    @property
    def trusts_last_look(self) -> bool:
        """Tell whether the tree was looked at so short ago that a question does not look again."""
        return time.monotonic() < self._looked_until

    @property
    def in_files(self) -> bool:
        """Tell whether the index lies in files, and not on a server."""
        return self._kept.in_files

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        """Give one consistent snapshot."""
        with ExitStack() as stack:
            try:
                reader = stack.enter_context(self._stores()[0].reader())
            except AwayError:
                if not self._kept.leave():
                    raise
                reader = stack.enter_context(self._stores()[0].reader())
            yield reader

    def update(
        self, progress: Listener | None = None, full: bool = False, wait: float | None = None
    ) -> IndexReport:
        """Bring the index in step with the files, or with `full` build it anew."""
        settings = self.settings if wait is None else replace(self.settings, lock_wait_seconds=wait)
        if full:
            self._forget_all()
        try:
            report = update(self.project, *self._stores(), settings, progress)
        except (CorruptError, AwayError) as error:
            self.close()
            if isinstance(error, AwayError) and not self._kept.leave():
                raise
            report = update(self.project, *self._stores(), settings, progress)
        self._note_look(report)
        return report

    def keep_up(self, progress: Listener | None = None, always: bool = False) -> tuple[str, ...]:
        """Learn of every change before an answer is given; return a sentence for what could not be done."""
        if not always and self.trusts_last_look and commit_of(self.project) == self._commit:
            return self._kept.notes
        answerable = self._answerable()
        try:
            # Whoever can be answered already does not wait for another process that is writing.
            self.update(progress, wait=0 if answerable else None)
        except BusyError:
            if not answerable:
                raise
            return (
                "Another process is updating the index; this answer comes from what it has published so far.",
            )
        except StoreError as error:
            if not answerable:
                raise
            return (f"The index could not be brought up to date, so changed files may be missing: {error}",)
        return self._kept.notes

    def begun(self) -> bool:
        """Tell whether there is an index, without making one."""
        if not self._kept.in_files:
            with self.reader() as reader:
                begun = reader.meta("complete") is not None
            if not self._kept.in_files:
                return begun
        return self.project.index_db.exists()

    def publish(self, wait: float | None = None) -> None:
        """Begin a new generation because what is laid over the index has changed."""
        with self._stores()[0].writer(self.settings.lock_wait_seconds if wait is None else wait) as writer:
            writer.publish()

    def ask(self, question: Callable[[Reader], Answer]) -> Answer:
        """Answer from one snapshot; a damaged index is built anew first, since nothing in it is precious."""
        try:
            with self.reader() as reader:
                return question(reader)
        except CorruptError:
            self.update(full=True)
        with self.reader() as reader:
            return question(reader)

    def status(self) -> Status:
        """Look up what is indexed, how fresh and how big it is."""
        if not self.begun():
            return Status(str(self.project.root), False, False, 0, commit_of(self.project), "", 0)
        return status(self.project, self._stores()[0], self.settings.ignore)

    def doctor(self, repair: bool = False, progress: Listener | None = None) -> Diagnosis:
        """Look for damage; with `repair` build anew what can be built anew, which is all but memories."""
        if not self.begun():
            return Diagnosis(True, (), ())
        rebuild = (lambda: self.update(progress, full=True)) if repair else None
        return diagnose(self.project, self._stores, rebuild)

    def close(self) -> None:
        """Close the databases; they open again when they are needed."""
        self._kept.close()

    def _stores(self) -> tuple[Store, FactsStore]:
        return self._kept.get()

    def _answerable(self) -> bool:
        with self.reader() as reader:
            return reader.meta("complete") == "1" or next(iter(reader.files()), None) is not None

    def _forget_all(self) -> None:
        if not self._kept.in_files:
            self._stores()[0].discard()  # type: ignore[attr-defined]  # what is on a server is no file
            return
        self.close()
        if self.project.index_db.exists():
            plugins.load("stores", STORE).discard_index(self.project.index_db)

    def _note_look(self, report: IndexReport) -> None:
        cost = report.seconds if report.mode == "unchanged" else 0.0
        self._looked_until = time.monotonic() + (0.0 if cost < CHEAP_SECONDS else cost * LOOK_SHARE)
        self._commit = commit_of(self.project)
