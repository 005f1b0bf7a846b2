"""What was forgotten on the page a moment ago: in this process alone, in no file, and only for a while."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from typing import NamedTuple

from recollect.engine import Recollect
from recollect.errors import NotFoundError
from recollect.memory.exchange import links

KEPT_SECONDS = 300.0
"""How long forgetting can be taken back."""


class Held(NamedTuple):
    """Memories as they are exported, with the links that led to them from others."""

    lines: tuple[str, ...]
    links: tuple[tuple[str, str, str], ...]


class Tray:
    """Holds what the last forgetting took, until it is taken back, the time is up, or the server ends."""

    def __init__(self, seconds: float = KEPT_SECONDS) -> None:
        self.seconds = seconds
        self._guard = threading.Lock()
        self._held: Held | None = None
        self._clock: threading.Timer | None = None

    @property
    def count(self) -> int:
        """Return how many memories can be brought back."""
        held = self._held
        return len(held.lines) if held else 0

    def forget(self, project: Recollect, ids: Iterable[str]) -> tuple[str, ...]:
        """Forget memories and hold them; return what forgetting could not do yet."""
        gone = project.forget(*ids, dry_run=True)
        wanted = {*gone.ids, *gone.derived}
        exported = list(project.memories.of("project").export())
        mine = tuple(json.dumps(row) for row in exported if row["id"] in wanted)
        leading = tuple(link for link in links(exported) if link[2] in wanted and link[0] not in wanted)
        notes = project.forget(*ids).notes
        self._hold(Held(mine, leading))
        return notes

    def bring_back(self, project: Recollect) -> tuple[int, list[str]]:
        """Write what is held once more; return how many memories came back, and what did not."""
        held = self._take()
        if held is None:
            raise NotFoundError(
                "There is nothing to bring back; what is forgotten stays so after five minutes."
            )
        items, refused = project.memories.import_lines(
            held.lines, "undo", {"scope": "project", "redact": True}
        )
        kept = project.memories.of("project")
        for source, type_name, target in held.links:
            try:
                kept.tie(source, type_name, target)
            except NotFoundError as error:
                refused.append(str(error))
        return len(items), refused

    def _hold(self, held: Held) -> None:
        with self._guard:
            if self._clock is not None:
                self._clock.cancel()
            self._held = held
            self._clock = threading.Timer(self.seconds, self._drop, (held,))
            self._clock.daemon = True
            self._clock.start()

    def _drop(self, held: Held) -> None:
        with self._guard:
            if self._held is held:
                self._held = None

    def _take(self) -> Held | None:
        with self._guard:
            held, self._held = self._held, None
            return held
