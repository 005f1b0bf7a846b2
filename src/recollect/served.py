"""The project that a server answers from: opened and indexed in a thread, so that nobody who asks waits for it."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path

from recollect.engine import Recollect
from recollect.errors import BusyError, RecollectError, UsageError
from recollect.types import IndexReport, Progress

PUBLISHED_FILES = 100
"""After so many files the first index has published some, and there is something to answer from."""
LOCK_WAIT = 5.0
"""Somebody waits for an answer: another process may write for so long before that is said."""
CLOSING = 1.5
"""Seconds that an index run is given to end its processes; clients kill a server that takes two."""
LOOK_AGAIN = 60.0
"""Seconds until it is looked again whether there are new commits."""


class _Stopped(Exception):  # noqa: N818  it is no error
    """Raised inside an index run when the server ends."""


class Served:
    """A project that is opened and brought up to date in the background."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.progress: Progress | None = None
        self.report: IndexReport | None = None
        """What the last index run did."""
        self.trouble = ""
        """Why the last index run failed, empty when it did not."""
        self._project: Recollect | None = None
        self._failure: RecollectError | None = None
        self._elsewhere = False
        self._published = False
        self._finished = threading.Event()
        self._closing = threading.Event()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None
        self._historian: threading.Thread | None = None
        self._looked = 0.0

    def start(self) -> None:
        """Begin to open and index; calling it again does nothing."""
        with self._guard:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._work, name="recollect-index", daemon=True)
                self._thread.start()

    def again(self) -> bool:
        """Look for changes once more in the background; tell whether a run was begun, which one at a time is."""
        with self._guard:
            if self._closing.is_set() or (self._thread is not None and self._thread.is_alive()):
                return False
            self.progress = None
            self._thread = threading.Thread(target=self._work, name="recollect-index", daemon=True)
            self._thread.start()
            return True

    @property
    def running(self) -> bool:
        """Tell whether an index run is under way in this process."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    @property
    def finished(self) -> bool:
        """Tell whether a whole index is there, or never will be."""
        return self._finished.is_set()

    @property
    def answerable(self) -> bool:
        """Tell whether waiting longer is no use: something is published, or another process is at it."""
        return self.finished or self._published or self._elsewhere

    @property
    def root(self) -> Path | None:
        """Return the top folder of the project, None until it is open."""
        return None if self._project is None else self._project.root

    def project(self) -> Recollect:
        """Return the project; raise what kept it from being opened."""
        if self._failure is not None:
            raise self._failure
        if self._project is None:
            raise BusyError("The project is still being opened; ask again in a second.")
        if self.finished:
            self._keep_history()
        return self._project

    def wait(self, seconds: float) -> bool:
        """Wait for the whole index for a while; return whether it is there."""
        return self._finished.wait(seconds)

    def close(self) -> None:
        """End the index run and its processes, write what waits, and close the databases."""
        self._closing.set()
        with self._guard:
            threads = [one for one in (self._thread, self._historian) if one is not None]
        until = time.monotonic() + CLOSING
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        # What is still being written is as safe as after a kill; a database in use must not be closed.
        if self._project is not None and not any(thread.is_alive() for thread in threads):
            self._project.close()

    def _work(self) -> None:
        try:
            if self._project is None:
                self._open()
            while not self._closing.is_set():
                try:
                    self.report = self.project().index(self._note)
                    self.trouble = ""
                    return
                except BusyError:
                    self._elsewhere = True
        except _Stopped:
            return
        except RecollectError as error:
            # Opening again would fail again; a failed index is tried again by every question.
            if self._project is None:
                self._failure = error
            self.trouble = str(error)
        finally:
            self._finished.set()

    def _keep_history(self) -> None:
        """Read new commits in a thread of their own; nobody waits for it."""
        with self._guard:
            busy = self._historian is not None and self._historian.is_alive()
            if busy or self._closing.is_set() or time.monotonic() < self._looked + LOOK_AGAIN:
                return
            self._looked = time.monotonic()
            self._historian = threading.Thread(
                target=self._read_history, name="recollect-history", daemon=True
            )
            self._historian.start()

    def _read_history(self) -> None:
        # What history would add is told as missing where it is asked for; it is no reason to fail.
        with suppress(_Stopped, RecollectError, OSError):
            if self._project is not None:
                self._project.keep_history(self._stop_if_closing)

    def _stop_if_closing(self, progress: Progress) -> None:
        del progress
        if self._closing.is_set():
            raise _Stopped

    def _open(self) -> None:
        from recollect import engine

        try:
            self._project = engine.open(self.folder, lock_wait_seconds=LOCK_WAIT)
        except OSError as error:
            place = self.folder or Path()
            raise UsageError(
                f"The folder {place} cannot be opened ({error}); start the server in a project."
            ) from error

    def _note(self, progress: Progress) -> None:
        if self._closing.is_set():
            raise _Stopped
        seen, self.progress = self.progress, progress
        # Files are told of before they are published, so that the note after that one is waited for.
        enough = seen is not None and seen.done >= PUBLISHED_FILES
        self._published = self._published or enough or progress.stage != "files"


def said(progress: Progress | None) -> str:
    """Say how far the first index has come."""
    if progress is None or not progress.total:
        return "The first index is being built."
    what = "files read" if progress.stage == "files" else f"{progress.stage} made"
    return f"The first index is being built: {progress.done:,} of {progress.total:,} {what}."
