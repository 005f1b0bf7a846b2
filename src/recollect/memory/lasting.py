"""What an open project can do with the life of its memories: pins, archiving, hygiene, dreams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recollect.memory.dream.dreaming import Dream
    from recollect.memory.hygiene import Cleaned
    from recollect.memory.meaning import Embedded, Listener
    from recollect.memory.scopes import Memories


class Lasting:
    """Lets memories last, fade and be consolidated."""

    @property
    def memories(self) -> Memories:
        """Return the memories by scope."""
        raise NotImplementedError

    def pin(self, item_id: str, pinned: bool = True, scope: str = "project") -> bool:
        """Keep a memory from ever fading, or let it go again; tell whether that changed anything."""
        return self.memories.of(scope).pin(item_id, pinned)

    def archive(self, item_id: str, archived: bool = True, scope: str = "project") -> bool:
        """Put a memory away, or take it out again; tell whether that changed anything."""
        return self.memories.of(scope).set_status(item_id, "archived" if archived else "active")

    def hygiene(self, dry_run: bool = False, **options: Any) -> Cleaned:
        """Put away what has faded; with `delete` remove what was put away long ago; `shape` says how memories fade."""
        return self.memories.clean(dry_run, options)

    def dream(self, dry_run: bool = False, scope: str = "project") -> Dream:
        """Consolidate memories into reflections and cards, promote what has earned it, and tell what was done."""
        return self.memories.of(scope).dream(dry_run)

    def dreams(self, scope: str = "project") -> list[Dream]:
        """Return every dream, oldest first."""
        return self.memories.of(scope).dreams()

    def undo_dream(self, number: int, scope: str = "project") -> dict[str, Any]:
        """Take a dream back; return what was removed."""
        return self.memories.of(scope).undo_dream(number)

    def embed(self, progress: Listener | None = None, scope: str = "project") -> Embedded | None:
        """Make the vectors that memories lack for the embedder of the settings; None when there is none."""
        return self.memories.of(scope).embed(progress)

    def unlearn(self, scope: str = "project") -> int:
        """Remove every event, and with them all that was learned of code and memories; return how many there were."""
        return self.memories.of(scope).unlearn()
