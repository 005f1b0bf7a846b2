"""The memories of a project, and those of the user, which are opened only when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from recollect.config import FOLDER, suggest
from recollect.errors import RecollectError, UsageError
from recollect.memory import exchange
from recollect.memory.code import Code
from recollect.memory.forget import Forgotten, Selection
from recollect.memory.hygiene import Cleaned, Wish
from recollect.memory.imports import formats
from recollect.memory.imports.taken import KEY, Taken
from recollect.memory.means import Models
from recollect.memory.opened import OpenMemory
from recollect.memory.received import Received
from recollect.memory.times import milliseconds
from recollect.memory.traces import JOURNALS
from recollect.ports import Reader
from recollect.store.memory_port import MemoryPlace
from recollect.store.view import MemoryRanker
from recollect.types import Hits, Item

if TYPE_CHECKING:
    from recollect.store.postgres.memory_store import MemorySpace

SCOPES = ("project", "global")
Ask = Callable[[Callable[[Reader], object]], object]


def global_db() -> Path:
    """Return where the memories lie that belong to the user and to no project."""
    import platformdirs

    return Path(platformdirs.user_data_dir("recollect", appauthor=False)) / "memory.db"


class Memories:
    """Writes to one scope and reads from one scope; the project's unless another is named."""

    def __init__(
        self,
        root: Path,
        project_db: Path | MemoryPlace,
        wait: float,
        index: Callable[[], Ask | None],
        ranker: MemoryRanker | None = None,
        models: Models | None = None,
    ) -> None:
        self._root = root
        self._index = index
        self._places: Mapping[str, Callable[[], Path | MemoryPlace]] = {
            "project": lambda: project_db,
            "global": global_db,
        }
        self._wait = wait
        self._ranker = ranker
        self._models = models
        self._open: dict[str, OpenMemory] = {}
        self._received: Received | None = None

    def of(self, scope: str) -> OpenMemory:
        """Return the memories of a scope."""
        if scope not in SCOPES:
            raise UsageError(f"There is no scope '{scope}'; the scopes are {' and '.join(SCOPES)}.")
        if scope not in self._open:
            self._open[scope] = self._opened(self._places[scope]())
            self._open[scope].journals = (self._root / FOLDER / JOURNALS,)
        return self._open[scope]

    def _opened(self, place: Path | MemoryPlace) -> OpenMemory:
        given: dict[str, Any] = {"ranker": self._ranker, "models": self._models}
        copy: Path | None = getattr(place, "copy", None)
        if copy is None:
            return OpenMemory(place, self._wait, **given)
        from recollect.memory.offline import OfflineMemory

        return OfflineMemory(cast("MemorySpace", place), copy, self._wait, **given)

    def remember(self, text: str, fields: Mapping[str, Any]) -> Item:
        """Write one memory; `scope` and `redact` are among the fields."""
        scope, redact, rest = _split(fields)
        return self.of(scope).remember(text, rest, self._code(scope), redact)

    def remember_many(
        self, rows: Iterable[Mapping[str, Any] | str], options: Mapping[str, Any]
    ) -> list[Item]:
        """Write many memories."""
        scope, redact, rest = _split(options)
        if rest:
            raise UsageError(f"remember_many has no option '{next(iter(rest))}'; it has scope and redact.")
        return self.of(scope).remember_many(rows, self._code(scope), redact)

    def recall(self, query: str, limit: int, options: Mapping[str, Any]) -> Hits:
        """Answer a question."""
        rest = dict(options)
        scope = rest.pop("scope", "project")
        memory = self.of(scope)
        hits = memory.recall(query, limit, rest, self._code(scope))
        shared = memory.received()
        if not shared:
            return hits
        if self._received is None:
            self._received = Received(self._ranker)
        return self._received.beside(hits, shared, (query, limit, rest))

    def forget(self, ids: Iterable[str], dry_run: bool, options: Mapping[str, Any]) -> Forgotten:
        """Remove memories from every file."""
        rest = {key: value for key, value in options.items() if value is not None}
        scope = rest.pop("scope", "project")
        known = ("tag", "source", "session", "author", "query", "at_least", "before", "since", "everything")
        for key in rest:
            if key not in known:
                raise UsageError(
                    f"forget has no option '{key}'.{suggest(key, known)} It has {', '.join(known)}."
                )
        for key in ("before", "since"):
            if key in rest:
                rest[key] = milliseconds(rest[key], key)
        return self.of(scope).forget(Selection(tuple(ids), **rest), dry_run)

    def clean(self, dry_run: bool, options: Mapping[str, Any]) -> Cleaned:
        """Put away what has faded."""
        rest = dict(options)
        scope = rest.pop("scope", "project")
        for key in rest:
            if key not in Wish._fields:
                raise UsageError(f"hygiene has no option '{key}'; it has dry_run, delete, shape and scope.")
        return self.of(scope).clean(Wish(dry_run, **rest), self._code(scope))

    def import_lines(
        self, texts: Iterable[str], name: str, options: Mapping[str, Any]
    ) -> tuple[list[Item], list[str]]:
        """Write the memories of a JSONL file; return them and a sentence for each line that was refused."""
        return self._take(formats.from_lines(list(exchange.lines(texts, name)), name), options)

    def import_from(
        self, path: Path, format_name: str, options: Mapping[str, Any]
    ) -> tuple[list[Item], list[str]]:
        """Write the memories that a file of another program holds; its format is told or found out."""
        return self._take(formats.read(path, format_name), options)

    def _take(self, taken: Taken, options: Mapping[str, Any]) -> tuple[list[Item], list[str]]:
        scope, redact, _ = _split(options)
        memory = self.of(scope)
        keys = [row.pop(KEY, "") for row in taken.rows]
        written, refused = memory.take_in(taken.rows, self._code(scope), redact)
        ids = {key: item.id for key, item in zip(keys, written, strict=True) if key and item is not None}
        for source, type_name, target in taken.links:
            try:
                memory.tie(ids.get(source, source), type_name, ids.get(target, target))
            except RecollectError as error:
                refused.append(f"A link of {source} was left out: {error}")
        return [item for item in written if item is not None], [*taken.notes, *refused]

    def close(self) -> None:
        """Close every scope."""
        for memory in self._open.values():
            memory.close()
        if self._received is not None:
            self._received.close()

    def _code(self, scope: str) -> Code | None:
        ask = self._index() if scope == "project" else None
        return Code(self._root, ask) if ask else None


def _split(fields: Mapping[str, Any]) -> tuple[str, bool, dict[str, Any]]:
    rest = dict(fields)
    return rest.pop("scope", None) or "project", bool(rest.pop("redact", False)), rest
