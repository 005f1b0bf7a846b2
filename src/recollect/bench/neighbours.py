"""Words that stand in the same company: nearest by the words that they occur together with in a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

MOST_WORDS = 4000
NEAREST = 20


class Neighbours:
    """Positive pointwise mutual information of words within a text, compared by cosine."""

    def __init__(self, texts: Sequence[Sequence[str]], wanted: Collection[str] = ()) -> None:
        counts = Counter(word for text in texts for word in set(text))
        # The words that will be asked for come first, then the common ones.
        order = sorted(counts, key=lambda word: (word not in wanted, -counts[word], word))
        kept = [word for word in order if counts[word] >= 2][:MOST_WORDS]
        self._words: list[str] = kept
        self._places = {word: at for at, word in enumerate(kept)}
        presence = np.zeros((len(texts), len(kept)), dtype=np.float32)
        for row, text in enumerate(texts):
            presence[row, [self._places[word] for word in set(text) if word in self._places]] = 1
        together = presence.T @ presence
        alone = np.array([counts[word] for word in kept], dtype=np.float32)
        with np.errstate(divide="ignore", invalid="ignore"):
            information = np.log(together * max(1, len(texts)) / np.outer(alone, alone))
        information[~np.isfinite(information) | (information < 0)] = 0
        np.fill_diagonal(information, 0)
        lengths = np.linalg.norm(information, axis=1, keepdims=True)
        self._vectors = information / np.where(lengths == 0, 1, lengths)

    def nearest(self, word: str, without: Collection[str]) -> str:
        """Return the word in the most similar company that is not among those to avoid; empty when there is none."""
        place = self._places.get(word)
        if place is None:
            return ""
        likeness = self._vectors @ self._vectors[place]
        likeness[place] = 0
        for at in np.argsort(-likeness, kind="stable")[:NEAREST]:
            if likeness[at] <= 0:
                return ""
            found = self._words[int(at)]
            if found not in without:
                return found
        return ""
