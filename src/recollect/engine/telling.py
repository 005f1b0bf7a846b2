"""Keeps what the messages of past commits say in step with the commit that is checked out."""

from __future__ import annotations

from contextlib import suppress

from recollect.errors import RecollectError
from recollect.index.opened import OpenIndex
from recollect.index.project import commit_of

TOLD = "told.cache"
MOST_COMMITS = 2_000
"""The newest ones; a tenth of a second of git, and older messages speak of code that is no more."""


class Telling:
    """Knows for which commit the messages were read, so that a look is cheap while nothing was committed."""

    def __init__(self, index: OpenIndex) -> None:
        self._index = index
        self._commit = ""

    def keep_up(self) -> bool:
        """Read the messages when another commit is checked out than when they were last read; tell whether they were.

        Without a repository or without git nothing is told, and ranking does without it.
        """
        commit = commit_of(self._index.project)
        if commit == self._commit or not commit or not self._index.settings.history:
            return False
        self._commit = commit
        from recollect.evidence.history.messages import messages
        from recollect.retrieve.told import commit_of as told_commit
        from recollect.retrieve.told import packed

        file = self._index.project.folder / TOLD
        with suppress(OSError):
            if told_commit(file.read_bytes()) == commit:
                return False
        found = messages(self._index.project.root, commit, MOST_COMMITS)
        if found is None:
            return False
        unfinished = file.with_name(f"{TOLD}.part")
        try:
            unfinished.write_bytes(packed(commit, found))
            unfinished.replace(file)
        except OSError:
            return False
        # A question waits for no writer, and a reader of a server may not write: whoever publishes next shows it.
        with suppress(RecollectError):
            self._index.publish(wait=0)
        return True
