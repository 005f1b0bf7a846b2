"""Writes vectors by model and content, and removes them with the texts that they were made of."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from recollect.errors import ModelError, UsageError
from recollect.store.sqlite.vectors import TYPES, VectorReading, quantise


class VectorWriting(VectorReading):
    """Writes vectors inside one transaction."""

    def put_vectors(self, model: str, type_name: str, rows: Iterable[tuple[bytes, np.ndarray]]) -> None:
        """Keep vectors of a model, by the hash of the text that was embedded; what is known already stays."""
        vectors = list(rows)
        if not vectors:
            return
        number = self._model_number(model, type_name, {vector.shape for _, vector in vectors})
        packed = [(number, content, *quantise(vector, type_name)) for content, vector in vectors]
        self.change_many(
            "INSERT OR IGNORE INTO vector (model, content, scale, data) VALUES (?, ?, ?, ?)", packed
        )
        self._touch(number)

    def remove_vectors(self, contents: Iterable[bytes]) -> None:
        """Remove the vectors of some contents, of every model."""
        numbers = [row[0] for row in self.rows("SELECT number FROM model")]
        rows = [(number, content) for content in contents for number in numbers]
        self.change_many("DELETE FROM vector WHERE model = ? AND content = ?", rows)

    def drop_model(self, model: str) -> None:
        """Remove a model with all its vectors."""
        found = self.row("SELECT number FROM model WHERE id = ?", (model,))
        if found is not None:
            self.change("DELETE FROM vector WHERE model = ?", found)
            self.change("DELETE FROM model WHERE number = ?", found)

    def _touch(self, number: int) -> None:
        key = f"vectors:{number}"
        count = str(int(self.meta(key) or 0) + 1)
        self.change("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, count))

    def _model_number(self, model: str, type_name: str, shapes: set[tuple[int, ...]]) -> int:
        if type_name not in TYPES:
            raise UsageError(f"Vectors are kept as {' or '.join(TYPES)}, not as {type_name}.")
        if len(shapes) != 1:
            raise ModelError(
                f"The model {model} gave vectors of different lengths; embed with one model at a time."
            )
        ((dimensions,),) = shapes
        found = self.row("SELECT number, dimensions, type FROM model WHERE id = ?", (model,))
        if found is None:
            sql = "INSERT INTO model (id, dimensions, type) VALUES (?, ?, ?) RETURNING number"
            return int(self.rows(sql, (model, dimensions, type_name))[0][0])
        if found[1:] != (dimensions, type_name):
            raise ModelError(
                f"{model} has vectors of {found[1]} {found[2]} here, but now gave {dimensions} {type_name}; "
                f"give the other model its own name, or delete {self.database.path} to begin anew."
            )
        return int(found[0])
