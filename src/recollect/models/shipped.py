"""The vectors of words that come with recollect, as an embedder: nothing to install, nothing to name but `static`."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from recollect.models.gist import Gists
from recollect.models.vectors import unit


class ShippedEmbedder:
    """Embeds some thousand texts a second, without order and context."""

    local = True

    def __init__(self) -> None:
        told = tomllib.loads((files("recollect.models") / "weights" / "gist.toml").read_text("utf-8"))
        self._gists = Gists()
        self.model = f"static@{told['digest'][:8]}"
        self.dimensions = int(told["width"])

    def embed(self, texts: Sequence[str], kind: str = "document") -> np.ndarray:
        """Return one vector of length 1 for each text, zeros where no word is known."""
        if kind == "query":
            made = [self._gists.of_question(text) for text in texts]
            return np.stack(made) if made else np.zeros((0, self.dimensions), np.float32)
        return unit(self._gists.of_texts(texts).astype(np.float32))
