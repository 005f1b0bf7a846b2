"""Networks on this machine: sentence embedders and cross-encoders, by onnxruntime, or by numpy from mere tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from recollect.errors import ModelError
from recollect.models.bert import Bert
from recollect.models.folder import ModelFolder
from recollect.models.vectors import Prefixes, unit

BATCH = 16

Run = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Takes ids, mask and kinds of tokens, gives states or scores."""


class NetworkEmbedder:
    """Embeds texts with a network that lies in a folder."""

    local = True

    def __init__(self, folder: ModelFolder, prefixes: Prefixes) -> None:
        self._run = _onnx(folder) if folder.network else Bert(folder).states
        self._reader = _Reader(folder)
        self._pooling, self._prefixes = folder.pooling, prefixes
        self.model = f"{folder.name}{prefixes.stamp()}"
        self.dimensions = int(folder.config.get("hidden_size") or 0) or self.embed(["a"]).shape[1]

    def embed(self, texts: Sequence[str], kind: str = "document") -> np.ndarray:
        """Return one vector of length 1 for each text."""
        prefix = self._prefixes.of(kind)
        return unit(self._reader.batched([(f"{prefix}{text}",) for text in texts], self._pooled, 0))

    def _pooled(self, ids: np.ndarray, mask: np.ndarray, kinds: np.ndarray) -> np.ndarray:
        found = self._run(ids, mask, kinds)
        if found.ndim == 2:
            return found
        if self._pooling == "cls":
            first: np.ndarray = found[:, 0]
            return first
        weights = mask[..., None].astype(np.float32)
        mean: np.ndarray = (found * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
        return mean


class NetworkReranker:
    """Scores pairs of texts with a cross-encoder that lies in a folder."""

    local = True

    def __init__(self, folder: ModelFolder) -> None:
        if folder.network:
            self._run = _onnx(folder)
        else:
            bert = Bert(folder)
            if not bert.classifies:
                raise ModelError(
                    f"The network in {folder.path} gives vectors, not scores; name a cross-encoder."
                )
            self._run = bert.scores
        self._reader = _Reader(folder)
        self.model = folder.name

    def score(self, query: str, texts: Sequence[str]) -> np.ndarray:
        """Return a number in [0, 1] for each text: the logistic function of what the network says."""
        logits = self._reader.batched([(query, text) for text in texts], self._last, 1)[:, 0]
        made: np.ndarray = 1.0 / (1.0 + np.exp(-logits.astype(np.float64)))
        return made

    def _last(self, ids: np.ndarray, mask: np.ndarray, kinds: np.ndarray) -> np.ndarray:
        found = self._run(ids, mask, kinds)
        return found.reshape(len(ids), -1)[:, -1:]


class _Reader:
    """Turns texts into padded batches, those of like length together."""

    def __init__(self, folder: ModelFolder) -> None:
        self._tokenizer: Any = folder.tokenizer()
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(folder.most_tokens)
        self._pad = int(folder.config.get("pad_token_id") or 0)

    def batched(self, texts: Sequence[tuple[str, ...]], run: Run, width: int) -> np.ndarray:
        read = self._tokenizer.encode_batch([pair[0] if len(pair) == 1 else pair for pair in texts])
        order = sorted(range(len(read)), key=lambda at: len(read[at].ids))
        found: list[np.ndarray | None] = [None] * len(read)
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            longest = max(1, *(len(read[at].ids) for at in part))
            ids = np.full((len(part), longest), self._pad, np.int64)
            mask, kinds = np.zeros_like(ids), np.zeros_like(ids)
            for line, at in enumerate(part):
                size = len(read[at].ids)
                ids[line, :size], kinds[line, :size], mask[line, :size] = read[at].ids, read[at].type_ids, 1
            for at, row in zip(part, run(ids, mask, kinds), strict=True):
                found[at] = row
        return np.stack(found) if found else np.zeros((0, width), np.float32)  # type: ignore[arg-type]


def _onnx(folder: ModelFolder) -> Run:
    try:
        import onnxruntime
    except ImportError as error:
        raise ModelError(
            f"The model {folder.network} needs onnxruntime: pip install 'recollect[onnx]'."
        ) from error
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(
            str(folder.network), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # onnxruntime raises its own kinds, which have no common base
        raise ModelError(f"The model {folder.network} cannot be loaded: {error}.") from error
    wanted = [one.name for one in session.get_inputs()]
    named = {"input_ids": 0, "attention_mask": 1, "token_type_ids": 2}
    if unknown := [name for name in wanted if name not in named]:
        raise ModelError(f"The model {folder.network} wants {', '.join(unknown)}, which is not known here.")

    def run(*given: np.ndarray) -> np.ndarray:
        answer: np.ndarray = session.run(None, {name: given[named[name]] for name in wanted})[0]
        return answer

    return run
