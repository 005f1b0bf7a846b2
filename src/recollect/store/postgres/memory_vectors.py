"""Vectors of memories by model and content, so that an unchanged text is never embedded twice."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from recollect.errors import ModelError
from recollect.ports import Vectors
from recollect.store.postgres.memory_reading import MemoryReading
from recollect.store.postgres.session import Row
from recollect.store.sqlite.vectors import TYPES, arrays_of

_MODEL = "SELECT number, dimensions, type FROM memory_model WHERE space = $1 AND id = $2"
_VECTOR = "SELECT content, scale, data FROM memory_vector WHERE space = $1 AND model = $2"


class VectorReading(MemoryReading):
    """Reads vectors of memories."""

    def model(self, model: str) -> Row:
        """Return number, dimensions and type of a model; raise ModelError when only others have vectors here."""
        found = self.row(_MODEL, (model,))
        if found is None:
            others = ", ".join(self.models()) or "no model"
            raise ModelError(
                f"{self.address.shown} holds vectors of {others}, not of {model}; run 'recollect embed' to embed anew."
            )
        return found

    def missing_vectors(self, model: str, contents: Iterable[bytes]) -> set[bytes]:
        """Return those contents that this model has not embedded yet."""
        wanted = set(contents)
        found = self.row(_MODEL, (model,))
        if found is None or not wanted:
            return wanted
        sql = (
            "SELECT content FROM memory_vector WHERE space = $1 AND model = $2 AND content = ANY($3::bytea[])"
        )
        return wanted - {row[0] for row in self.rows(sql, (found[0], list(wanted)))}

    def vectors(self, model: str) -> Vectors:
        """Return all vectors of a model, by content."""
        self.model(model)
        return self.vectors_of(model)

    def models(self) -> dict[str, int]:
        """Return how many vectors there are of each model."""
        sql = (
            "SELECT m.id, (SELECT count(*) FROM memory_vector v WHERE v.space = $1 AND v.model = m.number) "
            'FROM memory_model m WHERE m.space = $1 ORDER BY m.id COLLATE "C"'
        )
        return dict(self.rows(sql))

    def vectors_of(self, model: str, contents: Iterable[bytes] | None = None) -> Vectors:
        """Return the vectors that a model has of some contents, or of all."""
        number, dimensions, type_name = self.row(_MODEL, (model,)) or (-1, 0, "int8")
        if contents is None:
            rows = self.rows(f"{_VECTOR} ORDER BY content", (number,))
        else:
            rows = self.rows(
                f"{_VECTOR} AND content = ANY($3::bytea[])", (number, list(dict.fromkeys(contents)))
            )
        arrays: dict[str, np.ndarray] = arrays_of(rows, dimensions, TYPES[type_name])
        return Vectors(model, **arrays)
