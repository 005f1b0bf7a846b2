"""Baselines made of others: reciprocal rank fusion, and reading everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.bench.baselines import dense
from recollect.bench.baselines.documents import Document, documents
from recollect.bench.baselines.fulltext import FtsOr, StemmedBm25
from recollect.bench.baselines.grep import TunedGrep
from recollect.bench.values import Corpus

RRF_K = 60
"""The constant of the paper that introduced the method."""
DEEP = 100


def make(option: str = "") -> Rrf:
    """Return the fusion of stemmed BM25 with a named embedder, or without one with what else is lexical."""
    if option:
        return Rrf((StemmedBm25(), dense.make(option)))
    return Rrf((StemmedBm25(), FtsOr(), TunedGrep()))


class Rrf:
    """Reciprocal rank fusion."""

    name = "rrf"

    def __init__(self, arms: Sequence[Any]) -> None:
        self._arms = arms

    def build_index(self, corpus: Corpus) -> None:
        """Build every arm."""
        for arm in self._arms:
            arm.build_index(corpus)

    def index_size_bytes(self) -> int:
        """Return what all arms store."""
        return sum(arm.index_size_bytes() for arm in self._arms)

    def retrieve(self, query: str, k: int) -> list[Any]:
        """Return the best by the sum of 1 / (60 + rank)."""
        scores: dict[Any, float] = {}
        for arm in self._arms:
            for rank, result in enumerate(arm.retrieve(query, DEEP), start=1):
                scores[result] = scores.get(result, 0.0) + 1 / (RRF_K + rank)
        return sorted(scores, key=lambda result: -scores[result])[:k]


class FullContext:
    """Everything in the order of the corpus: what a reader of all of it must pay for, and the floor of any order."""

    name = "full_context"
    unlimited = True
    """Tells the runner to measure the whole list."""

    def __init__(self) -> None:
        self._documents: list[Document] = []

    def build_index(self, corpus: Corpus) -> None:
        """Keep the order."""
        self._documents = documents(corpus)

    def index_size_bytes(self) -> int:
        """Return 0: nothing is stored."""
        return 0

    def retrieve(self, query: str, k: int) -> list[Any]:  # noqa: ARG002  # the protocol gives it, reading all ignores it
        """Return everything, however much was asked for: k limits those who rank."""
        return [document.result for document in self._documents]
