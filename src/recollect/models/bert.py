"""A BERT network on plain numpy, for folders with safetensors where no ONNX file lies."""

from __future__ import annotations

import numpy as np

from recollect.errors import ModelError
from recollect.models.folder import ModelFolder, tensors

_FAR = -1e9
_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
"""Abramowitz and Stegun 7.1.26; its error is below 1.5e-7."""


class Bert:
    """Runs batches of token ids; weights stay mapped until they are used."""

    def __init__(self, folder: ModelFolder) -> None:
        if folder.weights is None:
            raise ModelError(f"{folder.path} holds no model: neither an .onnx nor a .safetensors file.")
        if folder.config.get("model_type") != "bert":
            raise ModelError(
                f"The network in {folder.path} is of type {folder.config.get('model_type')!r}; without an ONNX file "
                "only bert runs here. Export it: optimum-cli export onnx --model NAME FOLDER."
            )
        held = tensors(folder.weights)
        self._held = {name.removeprefix("bert."): tensor.astype(np.float32) for name, tensor in held.items()}
        self._heads = int(folder.config["num_attention_heads"])
        self._layers = int(folder.config["num_hidden_layers"])
        self._tiny = float(folder.config.get("layer_norm_eps", 1e-12))
        self.dimensions = int(folder.config["hidden_size"])
        if "embeddings.word_embeddings.weight" not in self._held:
            raise ModelError(f"{folder.weights} holds no BERT network; its tensors are called otherwise.")

    @property
    def classifies(self) -> bool:
        """Tell whether it gives one score for two texts."""
        return "classifier.weight" in self._held

    def states(self, ids: np.ndarray, mask: np.ndarray, kinds: np.ndarray) -> np.ndarray:
        """Return the last hidden state of every token."""
        held = self._held
        state = held["embeddings.word_embeddings.weight"][ids]
        state = state + held["embeddings.position_embeddings.weight"][: ids.shape[1]]
        state = self._norm(state + held["embeddings.token_type_embeddings.weight"][kinds], "embeddings")
        hidden = np.where(mask[:, None, None, :] > 0, 0.0, _FAR).astype(np.float32)
        for layer in range(self._layers):
            name = f"encoder.layer.{layer}"
            state = self._norm(state + self._attention(state, hidden, name), f"{name}.attention.output")
            inner = _gelu(self._linear(state, f"{name}.intermediate.dense"))
            state = self._norm(state + self._linear(inner, f"{name}.output.dense"), f"{name}.output")
        return state

    def scores(self, ids: np.ndarray, mask: np.ndarray, kinds: np.ndarray) -> np.ndarray:
        """Return the logit of every pair of texts."""
        first = self.states(ids, mask, kinds)[:, 0]
        pooled = np.tanh(self._linear(first, "pooler.dense"))
        found: np.ndarray = self._linear(pooled, "classifier")[:, -1]
        return found

    def _attention(self, state: np.ndarray, hidden: np.ndarray, name: str) -> np.ndarray:
        def part(which: str) -> np.ndarray:
            made = self._linear(state, f"{name}.attention.self.{which}")
            split: np.ndarray = made.reshape(*made.shape[:2], self._heads, -1).transpose(0, 2, 1, 3)
            return split

        query, key, value = part("query"), part("key"), part("value")
        weights = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(query.shape[-1])) + hidden
        weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        seen = (weights @ value).transpose(0, 2, 1, 3).reshape(state.shape)
        return self._linear(seen, f"{name}.attention.output.dense")

    def _linear(self, state: np.ndarray, name: str) -> np.ndarray:
        made: np.ndarray = state @ self._held[f"{name}.weight"].T + self._held[f"{name}.bias"]
        return made

    def _norm(self, state: np.ndarray, name: str) -> np.ndarray:
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self._tiny)
        weight, bias = self._held[f"{name}.LayerNorm.weight"], self._held[f"{name}.LayerNorm.bias"]
        made: np.ndarray = centred / spread * weight + bias
        return made


def _gelu(values: np.ndarray) -> np.ndarray:
    scaled = values / np.float32(np.sqrt(2.0))
    step = 1.0 / (1.0 + 0.3275911 * np.abs(scaled))
    series = step * (_ERF[0] + step * (_ERF[1] + step * (_ERF[2] + step * (_ERF[3] + step * _ERF[4]))))
    erf = np.sign(scaled) * (1.0 - series * np.exp(-scaled * scaled))
    made: np.ndarray = (0.5 * values * (1.0 + erf)).astype(np.float32)
    return made
