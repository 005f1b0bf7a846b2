"""Dense retrieval alone: cosine of embeddings over every document, with a model that comes in as a plugin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from recollect import config
from recollect.bench.baselines.documents import Document, documents
from recollect.bench.values import Corpus
from recollect.errors import UsageError
from recollect.models.choose import FORMS, embedder_of
from recollect.ports import Embedder


def make(option: str = "") -> Dense:
    """Return dense retrieval with the named embedder, or with the one that the settings name."""
    settings = config.load(Path.cwd())
    embedder = embedder_of(replace(settings, embedder=option) if option else settings)
    if embedder is None:
        raise UsageError(f"Say which embedder dense retrieval uses, as dense:NAME; NAME is one of {FORMS}.")
    return Dense(embedder)


class Dense:
    """Every document and query as one vector."""

    name = "dense"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._documents: list[Document] = []
        self._vectors = np.zeros((0, 1), dtype=np.float32)

    def build_index(self, corpus: Corpus) -> None:
        """Embed everything."""
        self._documents = documents(corpus)
        self._vectors = self._embed([f"{one.path}\n{one.text}".strip() for one in self._documents])

    def index_size_bytes(self) -> int:
        """Return the size of the vectors."""
        return int(self._vectors.nbytes)

    def retrieve(self, query: str, k: int) -> list[Any]:
        """Return the k nearest."""
        likeness = self._vectors @ self._embed([query], "query")[0]
        order = np.argsort(-likeness, kind="stable")[:k]
        return [self._documents[int(at)].result for at in order]

    def _embed(self, texts: list[str], kind: str = "document") -> np.ndarray:
        vectors = np.asarray(self._embedder.embed(texts, kind), dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: np.ndarray = vectors / np.where(lengths == 0, 1, lengths)
        return unit
