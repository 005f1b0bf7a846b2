"""What a text is about as one short vector: the weighted sum of the learned vectors of its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from recollect.models.vectors import unit
from recollect.models.wording import runs, split_run

LONGEST = 6000
"""Characters of a text that are read; more of them hardly turn its vector."""
_ENDINGS = ("", "s", "es", "ed", "d", "ing", "er", "ly")
_SHORTEST_PART = 3
_LARGEST = 127


class Weights(NamedTuple):
    """The learned vectors, memory-mapped, by the number of a word."""

    table: np.ndarray
    """int8, one row a word."""
    told: np.ndarray
    """What a row is multiplied with in a text that is searched."""
    asked: np.ndarray
    """The same in a question."""
    words: Mapping[str, int]


@cache
def shipped() -> Weights:
    """Map the weights that come with recollect (benchmarks/training/gist.py)."""
    with as_file(files("recollect.models") / "weights") as folder:
        return load(folder)


def load(folder: Path) -> Weights:
    """Map the weights that lie in a folder."""
    scales = np.load(folder / "gist-scales.npy").astype(np.float32)
    words = (folder / "gist-words.txt").read_text("utf-8").split()
    table = np.load(folder / "gist.npy", mmap_mode="r")
    return Weights(table, scales[0], scales[1], {word: place for place, word in enumerate(words)})


class Gists:
    """Makes vectors of texts; remembers which words a run of letters stands for, because code repeats itself."""

    def __init__(self, weights: Weights | None = None) -> None:
        self._weights = weights or shipped()
        self._known = _Numbers(self._weights.words)

    def of_texts(self, texts: Sequence[str]) -> np.ndarray:
        """Return an int8 row for each text that may be searched; zeros where no word is known."""
        sums = self._sums(texts, self._weights.told)
        largest = np.abs(sums).max(axis=1, keepdims=True, initial=0.0)
        scaled = sums * (_LARGEST / np.where(largest > 0, largest, 1.0))
        return np.rint(scaled).astype(np.int8)

    def of_question(self, text: str) -> np.ndarray:
        """Return a vector of length 1 for a question, zeros when no word is known."""
        made: np.ndarray = unit(self._sums([text], self._weights.asked))[0]
        return made

    def _sums(self, texts: Sequence[str], weights: np.ndarray) -> np.ndarray:
        numbers = [
            list(chain.from_iterable(map(self._known.__getitem__, runs(text[:LONGEST])))) for text in texts
        ]
        lengths = np.fromiter(map(len, numbers), np.int64, len(numbers))
        made = np.zeros((len(texts), self._weights.table.shape[1]), np.float32)
        if not lengths.any():
            return made
        flat = np.fromiter(chain.from_iterable(numbers), np.int64, int(lengths.sum()))
        owners = np.repeat(np.arange(len(texts)), lengths)
        size = len(self._weights.told)
        found, counts = np.unique(owners * size + flat, return_counts=True)
        owner, word = np.divmod(found, size)
        rows = self._weights.table[word] * (np.sqrt(counts) * weights[word])[:, None].astype(np.float32)
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        made[owner[starts]] = np.add.reduceat(rows, starts, axis=0)
        return made


def cosines(question: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return how near each int8 row is to a question, 0 for a row of zeros."""
    wide = rows.astype(np.float32)
    lengths = np.linalg.norm(wide, axis=1)
    made: np.ndarray = (wide @ question) / np.where(lengths > 0, lengths, 1.0)
    return made


def resolve(word: str, known: Mapping[str, int]) -> tuple[int, ...]:
    """Return the number of a word; of one that is unknown that of its stem, or those of the two words that it joins."""
    if word in known:
        return (known[word],)
    bare = word.rstrip("0123456789")
    for end in _ENDINGS:
        stem = bare[: len(bare) - len(end)] if bare.endswith(end) else ""
        if len(stem) >= _SHORTEST_PART and stem in known:
            return (known[stem],)
    for cut in range(len(bare) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
        if bare[:cut] in known and bare[cut:] in known:
            return (known[bare[:cut]], known[bare[cut:]])
    return ()


class _Numbers(dict[str, tuple[int, ...]]):
    """The numbers of the words in a run of letters and digits."""

    MOST = 200_000

    def __init__(self, known: Mapping[str, int]) -> None:
        super().__init__()
        self._words = known

    def __missing__(self, run: str) -> tuple[int, ...]:
        if len(self) > self.MOST:
            self.clear()
        found = self[run] = tuple(chain.from_iterable(resolve(word, self._words) for word in split_run(run)))
        return found
