"""How fresh the index is and how far a run of it has come, looked up at most as often as it is cheap."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from recollect.errors import RecollectError
from recollect.served import Served
from recollect.types import Progress, Status

LOOK_SHARE = 20
"""A look through the tree is made again after so many times what it took."""
LEAST = 2.0


@dataclass(frozen=True, slots=True)
class State:
    """What a person wants to know at a glance."""

    mood: str
    """busy, fresh, behind, or trouble."""
    sentence: str
    progress: Progress | None = None


class Freshness:
    """Looks for every tab together, so that many of them cost no more than one."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._guard = threading.Lock()
        self._known: Status | None = None
        self._until = 0.0

    def status(self, now: bool = False) -> Status:
        """Return what is indexed and how fresh it is; with `now` it is looked up in any case."""
        with self._guard:
            if self._known is None or now or time.monotonic() >= self._until:
                begun = time.monotonic()
                self._known = self._served.project().status()
                took = time.monotonic() - begun
                self._until = time.monotonic() + max(LEAST, took * LOOK_SHARE)
            return self._known

    def progress(self) -> Progress | None:
        """Return how far the run has come that is under way."""
        return self._served.progress if self._served.running else None

    def state(self) -> State:
        """Say in one sentence how fresh the index is."""
        if self._served.running:
            return State("busy", "Reading the files", self._served.progress)
        if self._served.trouble:
            return State("trouble", self._served.trouble)
        try:
            status = self.status()
        except RecollectError as error:
            return State("trouble", str(error))
        if not status.indexed:
            return State("behind", "Not indexed yet")
        if not status.complete:
            return State("behind", "The first index is not finished")
        if status.pending:
            return State("behind", f"{status.pending:,} changed since; read again when asked")
        return State("fresh", "Every file as it was indexed")
