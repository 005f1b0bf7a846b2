"""What passes between the keeping and the ranking of memories: their state, the question, the ranked rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from recollect.ports import Reranker
from recollect.store.memories import MemoryRow
from recollect.store.memory_port import MemoryReader
from recollect.store.near import Near
from recollect.store.postings import Postings
from recollect.store.shelf import Column, Shelf

Cut = Callable[[str], list[str]]


class FullText(Protocol):
    """The words of memories as they are written."""

    def search(
        self, expression: str, columns: Sequence[str], limit: int | None
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Return numbers and scores of the best matches of an FTS5 expression; None when it is none."""
        ...


class Meaning(Protocol):
    """Vectors of memories by one model."""

    def of(self, text: str) -> np.ndarray:
        """Return the vector of a question; raise ModelError when the model fails."""
        ...

    def near(self) -> Near:
        """Return the vectors of the memories of this view, as far as there are any yet."""
        ...

    @property
    def behind(self) -> str:
        """Return a sentence when some memories have no vector yet, else nothing."""
        ...


class Judge(Protocol):
    """What was learned from which memories were used."""

    def __call__(self, features: np.ndarray) -> np.ndarray:
        """Return how likely each is of use, in [0, 1]."""
        ...


@dataclass(frozen=True, slots=True)
class Means:
    """What a view offers beside words, each made when it is first asked for."""

    plain: Callable[[], FullText]
    meaning: Callable[[], Meaning | None] = lambda: None
    """None when no embedder is configured."""
    reranker: Callable[[], Reranker | None] = lambda: None
    judge: Callable[[], Judge | None] = lambda: None
    """None when too little was learned yet."""


@dataclass(frozen=True, slots=True)
class MemoryView:
    """One consistent state of the memories of a scope, as ranking reads it."""

    reader: MemoryReader
    postings: Postings
    stem: Cut
    """Cuts a text into stems, as full text does."""
    cut: Cut
    """Cuts a text into words."""
    allowed: Column | None
    """Which rows of the shelf may be shown; None when all may."""
    moment: int
    """The time that the answer is given for."""
    dated: bool
    """Whether that time was asked for."""
    superseded: Mapping[int, int]
    """When each superseded memory was superseded, by uid."""
    means: Means

    @property
    def shelf(self) -> Shelf:
        """Return all memories as columns."""
        return self.postings.shelf


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """What was asked of memories."""

    text: str
    limit: int
    profile: str = "memory"
    overrides: Mapping[str, Any] = field(default_factory=dict)
    restricted: str = ""
    """What the answer is limited to, as a text that is the same for the same limits."""


@dataclass(frozen=True, slots=True)
class RankedMemory:
    """One memory of an answer, with why it is there."""

    row: MemoryRow
    score: float
    confidence: float
    reasons: tuple[str, ...] = ()
    alike: int = 0
    """How many others say the same and are not shown."""
    features: tuple[float, ...] = ()
    """What learning needs to know of it, when the profile learns."""
    covered: float = 0.0
    """Which share of the question it holds, half of it together with its neighbours."""


@dataclass(frozen=True, slots=True)
class RankedMemories:
    """The answer of a ranking, best first."""

    query_id: str
    profile: str
    channels: tuple[str, ...]
    degraded: tuple[str, ...]
    memories: tuple[RankedMemory, ...]
    confidence: float = 0.0
    """How likely any of them answers the question."""


class MemoryRanker(Protocol):
    """Ranks memories by a profile."""

    def id_of(self, question: MemoryQuestion) -> str:
        """Return the id of a question, the same for the same question with the same options; refuse a bad one."""
        ...

    def derived(self, question: MemoryQuestion) -> str:
        """Return what a profile shows of what dreams made: nothing, everything, or only that."""
        ...

    def rank(self, view: MemoryView, question: MemoryQuestion) -> RankedMemories:
        """Answer a question from one state of the memories."""
        ...
