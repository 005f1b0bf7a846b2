"""What a view of the memories offers beside words: full text as written, vectors, a reranker, what was learned."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from recollect.config import Settings
from recollect.memory.meaning import AT_ONCE, Meanings
from recollect.ports import Embedder, Reranker
from recollect.store.memory_port import MemoryKeeper, MemoryReader
from recollect.store.near import Near
from recollect.store.shelf import Shelf
from recollect.store.sqlite.plain_text import PlainText
from recollect.store.view import Judge, Meaning, Means


@dataclass(frozen=True, slots=True)
class Models:
    """What the settings name, each loaded when it is first needed."""

    embedder: Callable[[], Embedder | None] = lambda: None
    reranker: Callable[[], Reranker | None] = lambda: None
    learner: Callable[[], Callable[[MemoryReader], Judge | None]] = lambda: lambda _: None
    """Returns for the memories of one scope what reads from them what was learned."""


def models_of(settings: Settings, learner: Callable[[], Callable[[MemoryReader], Judge | None]]) -> Models:
    """Return the models that settings name; none is loaded yet."""

    def embedder() -> Embedder | None:
        from recollect.models.choose import embedder_of

        return embedder_of(settings)

    def reranker() -> Reranker | None:
        from recollect.models.choose import reranker_of

        return reranker_of(settings)

    return Models(embedder, reranker, learner)


class Offered:
    """Keeps what is dear to make from one question to the next."""

    def __init__(self, models: Models) -> None:
        self.meanings = Meanings(models.embedder)
        self._models = models
        self._learned = models.learner()
        self._plain: PlainText | None = None
        self._reranker: tuple[Reranker | None] | None = None
        self._guard = threading.Lock()

    def of(self, store: MemoryKeeper, reader: MemoryReader, shelf: Shelf) -> Means:
        """Return what one view offers."""
        return Means(
            plain=lambda: self._text(reader, shelf),
            meaning=lambda: self._meaning(store, reader, shelf),
            reranker=self._loaded,
            judge=lambda: self._learned(reader),
        )

    def close(self) -> None:
        """Let go of everything."""
        self.meanings.close()
        with self._guard:
            self._plain = None

    def _text(self, reader: MemoryReader, shelf: Shelf) -> PlainText:
        with self._guard:
            if self._plain is None:
                self._plain = PlainText()
            self._plain.follow(reader, shelf)
            return self._plain

    def _loaded(self) -> Reranker | None:
        with self._guard:
            if self._reranker is None:
                self._reranker = (self._models.reranker(),)
            return self._reranker[0]

    def _meaning(self, store: MemoryKeeper, reader: MemoryReader, shelf: Shelf) -> Meaning | None:
        if self.meanings.embedder() is None:
            return None
        return _Meant(self.meanings, store, reader, shelf)


@dataclass
class _Meant:
    """The vectors of one view; what is missing is made first, as far as a question can wait for it."""

    meanings: Meanings
    store: MemoryKeeper
    reader: MemoryReader
    shelf: Shelf

    def of(self, text: str) -> np.ndarray:
        return self.meanings.of(text)

    def near(self) -> Near:
        return self._near

    @property
    def behind(self) -> str:
        return self.meanings.state(self.shelf, self._near).sentence

    @cached_property
    def _near(self) -> Near:
        near = self.meanings.near(self.reader, self.shelf)
        if self.meanings.state(self.shelf, near).sentence:
            self.meanings.fill(self.store, self.shelf, AT_ONCE)
            near = self.store.read(lambda fresh: self.meanings.near(fresh, self.shelf))
            if self.meanings.state(self.shelf, near).sentence:
                self.meanings.fill_behind(self.store, self.shelf)
        return near
