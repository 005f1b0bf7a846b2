"""What an open project can do with memories; the engine takes these methods over as they are."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from recollect.memory.lasting import Lasting

if TYPE_CHECKING:
    from recollect.memory.forget import Forgotten
    from recollect.memory.scopes import Memories
    from recollect.memory.timeline import Timeline
    from recollect.types import Hits, Item

_GUARD = threading.Lock()


class Remembering(Lasting):
    """Remembers, recalls and forgets, in the project's own memories unless `scope="global"` is given."""

    _kept: Memories | None = None

    def remember(self, text: str, **fields: Any) -> Item:
        """Store a text as it is; its metadata says under `action` whether it was new: ADD, UPDATE or NOOP."""
        return self.memories.remember(text, fields)

    def remember_many(self, rows: Iterable[Mapping[str, Any] | str], **options: Any) -> list[Item]:
        """Store many texts at once, each with its fields, in the order in which they were said."""
        return self.memories.remember_many(rows, options)

    def recall(self, query: str, limit: int = 10, **options: Any) -> Hits:
        """Return the memories that answer a question, best first; filters, `as_of` and overrides come by name."""
        return self.memories.recall(query, limit, options)

    def forget(self, *ids: str, dry_run: bool = False, **selection: Any) -> Forgotten:
        """Remove memories from every file, by id, tag, source, session, author, query or time."""
        return self.memories.forget(ids, dry_run, selection)

    def timeline(self, first: int = 0, length: int = 50, **options: Any) -> Timeline:
        """Return a page of the memories, newest first, each with its links; filters come by name as in recall."""
        scope = options.pop("scope", "project")
        return self.memories.of(scope).timeline(first, length, options)

    def history(self, item_id: str, scope: str = "project") -> list[dict[str, Any]]:
        """Return what happened to a memory, oldest first."""
        return self.memories.of(scope).history(item_id)

    def link(
        self, source: str, type_name: str, target: str, remove: bool = False, scope: str = "project"
    ) -> bool:
        """Say that a memory supersedes, contests, resolves, is part of or goes with another one."""
        return self.memories.of(scope).link(source, type_name, target, remove)

    @property
    def memories(self) -> Memories:
        """Return the memories by scope; no file is touched before one is asked."""
        with _GUARD:
            if self._kept is None:
                self._kept = self._open_memories()
            return self._kept

    def _open_memories(self) -> Memories:
        raise NotImplementedError

    def _close_memories(self) -> None:
        with _GUARD:
            kept, self._kept = self._kept, None
        if kept is not None:
            kept.close()
