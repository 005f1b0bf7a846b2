"""Vectors of memories: made when missing, a little at once and the rest in the background, and kept at hand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import numpy as np

from recollect.errors import ModelError, RecollectError
from recollect.ports import Embedder
from recollect.store.ids import content_of
from recollect.store.memories import SENSITIVE
from recollect.store.memory_port import MemoryKeeper, MemoryReader, MemoryWriter
from recollect.store.near import Near
from recollect.store.shelf import Column, Shelf
from recollect.types import Progress

TYPE = "int8"
AT_ONCE = 1.0
"""Seconds for which a question waits for vectors that are missing; the rest is made in the background."""
BATCH = 64
MANY = 5_000
"""When more vectors than this are to be read, all of them are."""
Listener = Callable[[Progress], None]


@dataclass(frozen=True)
class Embedded:
    """How far a model has come."""

    model: str
    done: int
    total: int
    kept_back: int
    """Sensitive memories, which are not sent to another machine."""

    spent: str = ""
    """What was used of a service, where one was asked."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return asdict(self)

    @property
    def sentence(self) -> str:
        """Return what a reader of an answer has to know, nothing when all have vectors."""
        missing = self.total - self.done - self.kept_back
        return (
            f"{missing} of {self.total} memories have no vector of {self.model} yet and were found by their words only"
            if missing > 0
            else ""
        )


class Meanings:
    """The vectors of one scope by the model that is configured."""

    def __init__(self, embedder: Callable[[], Embedder | None]) -> None:
        self._make = embedder
        self._made: tuple[Embedder | None] | None = None
        self._uids: Column = np.zeros(0, np.int64)
        self._matrix = np.zeros((0, 0), np.int8)
        self._scales = np.zeros(0, np.float32)
        self._near: tuple[Shelf, int, Near] | None = None
        self._asked: dict[str, np.ndarray] = {}
        self._guard = threading.RLock()
        self._stop = threading.Event()
        self._work: threading.Thread | None = None

    def embedder(self) -> Embedder | None:
        """Return the embedder that is configured, loaded when it is first needed."""
        with self._guard:
            if self._made is None:
                self._made = (self._make(),)
            return self._made[0]

    def near(self, reader: MemoryReader, shelf: Shelf) -> Near:
        """Return the vectors of the memories on a shelf, in its order."""
        embedder = self.embedder()
        assert embedder is not None
        with self._guard:
            if self._near is None or self._near[0] is not shelf or self._near[1] < len(shelf):
                self._read(reader, embedder.model, shelf)
                uids = shelf.column("uid")
                order = np.argsort(self._uids)
                at = np.searchsorted(self._uids[order], uids).clip(0, max(len(order) - 1, 0))
                there = np.flatnonzero(self._uids[order][at] == uids) if len(order) else np.zeros(0, np.int64)
                which = order[at[there]] if len(there) else there
                near = Near(there, self._matrix[which], self._scales[which])
                self._near = (shelf, len(near), near)
            return self._near[2]

    def of(self, text: str) -> np.ndarray:
        """Return the vector of a question."""
        embedder = self.embedder()
        assert embedder is not None
        with self._guard:
            if text not in self._asked:
                if len(self._asked) > BATCH:
                    self._asked.clear()
                self._asked[text] = embedder.embed([text], "query")[0]
            return self._asked[text]

    def state(self, shelf: Shelf, near: Near) -> Embedded:
        """Tell how many of the memories on a shelf have a vector."""
        embedder = self.embedder()
        assert embedder is not None
        used = getattr(embedder, "spent", None)
        held = int(_kept_back(embedder, shelf).sum())
        return Embedded(embedder.model, len(near), len(shelf), held, used.line() if used is not None else "")

    def fill(
        self,
        store: MemoryKeeper,
        shelf: Shelf,
        seconds: float | None = None,
        listener: Listener | None = None,
    ) -> int:
        """Make missing vectors, the newest memories first, until all are there or the time is over; return how many."""
        embedder = self.embedder()
        assert embedder is not None
        until = None if seconds is None else time.monotonic() + seconds
        near = store.read(lambda reader: self.near(reader, shelf))
        missing = np.setdiff1d(np.flatnonzero(~_kept_back(embedder, shelf)), near.rows)
        missing = missing[np.argsort(-shelf.column("created")[missing], kind="stable")]
        done, numbers = 0, iter(shelf.column("number")[missing].tolist())
        while (part := list(islice(numbers, BATCH))) and not self._stop.is_set():
            done += _embed(store, embedder, part)
            if listener is not None:
                listener(Progress("embed", done, len(missing), embedder.model))
            if until is not None and time.monotonic() > until:
                break
        if done:
            self.forget()
        return done

    def fill_behind(self, store: MemoryKeeper, shelf: Shelf) -> None:
        """Make missing vectors while others go on asking."""
        with self._guard:
            if self._work is not None and self._work.is_alive():
                return
            self._work = threading.Thread(target=self._behind, args=(store, shelf), name="embed", daemon=True)
            self._work.start()

    def forget(self) -> None:
        """Read vectors again when they are next asked for."""
        with self._guard:
            self._near = None

    def close(self) -> None:
        """End the work in the background."""
        self._stop.set()
        work = self._work
        if work is not None:
            work.join()
        self._stop.clear()

    def _behind(self, store: MemoryKeeper, shelf: Shelf) -> None:
        try:
            self.fill(store, shelf)
        except RecollectError:
            # The next question tries again, and says what is wrong.
            return

    def _read(self, reader: MemoryReader, model: str, shelf: Shelf) -> None:
        """Read the vectors that are not known yet."""
        wanted = np.setdiff1d(shelf.column("uid"), self._uids)
        if not len(wanted):
            return
        contents = None if len(wanted) > MANY else [content_of(uid) for uid in wanted.tolist()]
        found = reader.vectors_of(model, contents)
        if not len(found.contents):
            return
        uids = np.ascontiguousarray(found.contents).view(">i8").ravel().astype(np.int64)
        new = np.isin(uids, wanted)
        matrix = self._matrix if len(self._uids) else np.zeros((0, found.matrix.shape[1]), found.matrix.dtype)
        self._matrix = np.concatenate([matrix, found.matrix[new]])
        self._scales = np.concatenate([self._scales, found.scales[new]])
        self._uids = np.concatenate([self._uids, uids[new]])


def _kept_back(embedder: Embedder, shelf: Shelf) -> Column:
    secret: Column = (shelf.column("signs") & SENSITIVE) > 0
    return secret & (not embedder.local)


def _embed(store: MemoryKeeper, embedder: Embedder, numbers: Sequence[int]) -> int:
    rows = store.read(lambda reader: reader.memories(numbers))
    rows = [row for row in rows if embedder.local or not row.signs & SENSITIVE]
    if not rows:
        return 0
    vectors = embedder.embed([row.text for row in rows], "document")
    if len(vectors) != len(rows):
        raise ModelError(
            f"{embedder.model} gave {len(vectors)} vectors for {len(rows)} memories; name another model."
        )
    made = [(row.uid, vector) for row, vector in zip(rows, vectors, strict=True)]
    store.write(lambda writer: _keep(writer, embedder.model, made))
    return len(made)


def _keep(writer: MemoryWriter, model: str, made: Iterable[tuple[int, np.ndarray]]) -> None:
    # What was forgotten while it was embedded must not come back as a vector.
    there = [(content_of(uid), vector) for uid, vector in made if writer.memory(uid) is not None]
    writer.put_vectors(model, TYPE, there)
