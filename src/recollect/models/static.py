"""Static vectors: a text is the mean of the vectors of its tokens; model2vec and wordllama folders."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from recollect.errors import ModelError
from recollect.models.folder import ModelFolder, tensors
from recollect.models.vectors import Prefixes, unit


class StaticEmbedder:
    """Embeds some thousand texts a second, without order and context."""

    local = True

    def __init__(self, folder: ModelFolder, prefixes: Prefixes) -> None:
        assert folder.weights is not None
        held = tensors(folder.weights)
        table = next(tensor for tensor in held.values() if tensor.ndim == 2)
        weights = next((one for name, one in held.items() if name == "weights" and one.ndim == 1), None)
        self._table = table
        self._weights = None if weights is None else weights.astype(np.float32)
        self._tokenizer = folder.tokenizer()
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        if self._tokenizer.get_vocab_size() > len(table):
            raise ModelError(
                f"The tokenizer in {folder.path} knows {self._tokenizer.get_vocab_size()} tokens, and there are "
                f"vectors for {len(table)}; they belong to different models."
            )
        self._prefixes = prefixes
        self.model = f"{folder.name}{prefixes.stamp()}"
        self.dimensions = int(table.shape[1])

    def embed(self, texts: Sequence[str], kind: str = "document") -> np.ndarray:
        """Return one vector of length 1 for each text."""
        prefix = self._prefixes.of(kind)
        read = self._tokenizer.encode_batch_fast(
            [f"{prefix}{text}" for text in texts], add_special_tokens=False
        )
        ids = [one.ids for one in read]
        lengths = np.fromiter(map(len, ids), np.int64, len(ids))
        made = np.zeros((len(ids), self.dimensions), np.float32)
        if not lengths.sum():
            return made
        tokens = np.fromiter(chain.from_iterable(ids), np.int64, int(lengths.sum()))
        rows = self._table[tokens].astype(np.float32)
        if self._weights is not None:
            rows *= self._weights[tokens][:, None]
        filled = lengths > 0
        starts = np.append(0, np.cumsum(lengths[filled])[:-1])
        made[filled] = np.add.reduceat(rows, starts, axis=0) / lengths[filled][:, None]
        return unit(made)
