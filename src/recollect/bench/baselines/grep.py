"""What a person with ripgrep gets: the whole question as a literal, or its telling words counted per file."""

from __future__ import annotations

import math
import re
from collections import Counter
from importlib.resources import files
from typing import Any

from recollect.bench.baselines.documents import Document, documents
from recollect.bench.values import Corpus

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_COMMON = frozenset(
    files("recollect.bench.baselines").joinpath("common_words.txt").read_text(encoding="utf-8").split()
)


class Grep:
    """Lines that hold the query as it is, in the order of the files: `rg -F -i QUERY`."""

    name = "grep"

    def __init__(self) -> None:
        self._documents: list[Document] = []

    def build_index(self, corpus: Corpus) -> None:
        """Keep the texts; grep has no index."""
        self._documents = documents(corpus)

    def index_size_bytes(self) -> int:
        """Return 0: nothing is stored."""
        return 0

    def retrieve(self, query: str, k: int) -> list[Any]:
        """Return the first k texts that hold the query, ignoring case."""
        wanted = query.lower()
        return [document.result for document in self._documents if wanted in document.text.lower()][:k]


class TunedGrep(Grep):
    """The telling words of the query, whole or as parts of names, rare words counted more: a patient person's grep."""

    name = "grep_tuned"

    def build_index(self, corpus: Corpus) -> None:
        """Keep the texts in lower case, with the path as part of each."""
        super().build_index(corpus)
        self._lower = [f"{document.path}\n{document.text}".lower() for document in self._documents]

    def retrieve(self, query: str, k: int) -> list[Any]:
        """Return the texts by the summed rarity of the words that they hold."""
        words = {word.lower() for word in _WORD.findall(query)} - _COMMON
        found: Counter[int] = Counter()
        scores: dict[int, float] = {}
        for word in sorted(words):
            holding = [at for at, text in enumerate(self._lower) if word in text]
            rarity = math.log(1 + len(self._lower) / (1 + len(holding)))
            for at in holding:
                scores[at] = scores.get(at, 0.0) + rarity
                found[at] += 1
        order = sorted(scores, key=lambda at: (-scores[at], -found[at], at))
        return [self._documents[at].result for at in order[:k]]
