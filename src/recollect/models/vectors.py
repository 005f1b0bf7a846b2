"""What all embedders share: prefixes, and vectors of length 1."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model wants to read before a question and before a text."""

    query: str = ""
    document: str = ""

    def of(self, kind: str) -> str:
        """Return the prefix of a kind of text."""
        return self.query if kind == "query" else self.document

    def stamp(self) -> str:
        """Return a short mark for what they change of the vectors that are kept, empty without a prefix."""
        return f"+{blake2b(self.document.encode(), digest_size=3).hexdigest()}" if self.document else ""


def unit(matrix: np.ndarray) -> np.ndarray:
    """Return rows of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    made: np.ndarray = (matrix / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return made
