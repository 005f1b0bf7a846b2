"""Vectors by model and content, so that an unchanged text is never embedded twice; read as one memory-mapped matrix."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from recollect.errors import ModelError
from recollect.ports import Vectors
from recollect.store.sqlite.arrays import keep_arrays, kept_arrays
from recollect.store.sqlite.meta import MetaReading
from recollect.store.sqlite.snapshot import Row

TYPES: dict[str, np.dtype[Any]] = {"float16": np.dtype("<f2"), "int8": np.dtype("i1")}
_LARGEST_INT8 = 127
_BATCH = 500


def quantise(vector: np.ndarray, type_name: str) -> tuple[float, bytes]:
    """Return the scale and the bytes of a vector in the type of its model."""
    if type_name == "float16":
        return 1.0, vector.astype("<f2").tobytes()
    scale = float(np.max(np.abs(vector))) / _LARGEST_INT8 or 1.0
    return scale, np.rint(vector / scale).astype(np.int8).tobytes()


class VectorReading(MetaReading):
    """Reads vectors."""

    def model(self, model: str) -> Row:
        """Return number, dimensions and type of a model; raise ModelError when only others have vectors here."""
        found = self.row("SELECT number, dimensions, type FROM model WHERE id = ?", (model,))
        if found is None:
            others = ", ".join(row[0] for row in self.rows("SELECT id FROM model ORDER BY id")) or "no model"
            raise ModelError(
                f"{self.database.path} holds vectors of {others}, not of {model}; run 'recollect index' to embed anew."
            )
        return found

    def missing_vectors(self, model: str, contents: Iterable[bytes]) -> set[bytes]:
        """Return those contents that this model has not embedded yet."""
        wanted = list(dict.fromkeys(contents))
        known: set[bytes] = set()
        for start in range(0, len(wanted), _BATCH):
            part = wanted[start : start + _BATCH]
            sql = (
                "SELECT content FROM vector WHERE model = (SELECT number FROM model WHERE id = ?) "
                f"AND content IN ({', '.join('?' * len(part))})"
            )
            known.update(row[0] for row in self.rows(sql, [model, *part]))
        return set(wanted) - known

    def vectors(self, model: str) -> Vectors:
        """Return all vectors of a model, by content."""
        number, dimensions, type_name = self.model(model)
        state = f"{self.meta('space')}/{number}/{self.meta(f'vectors:{number}')}"
        root = blake2b(state.encode(), digest_size=16).digest()
        arrays = kept_arrays(vectors_path(self.database.path, number), root)
        if arrays is None:
            arrays = self._load(number, dimensions, TYPES[type_name])
            if self.may_cache():
                keep_arrays(vectors_path(self.database.path, number), root, arrays)
        return Vectors(model, arrays["contents"], arrays["matrix"], arrays["scales"])

    def models(self) -> dict[str, int]:
        """Return how many vectors there are of each model."""
        sql = "SELECT id, (SELECT count(*) FROM vector WHERE model = m.number) FROM model m ORDER BY id"
        return dict(self.rows(sql))

    def vectors_of(self, model: str, contents: Iterable[bytes] | None = None) -> Vectors:
        """Return the vectors that a model has of some contents, or of all, from the database alone."""
        found = self.row("SELECT number, dimensions, type FROM model WHERE id = ?", (model,))
        number, dimensions, type_name = found or (-1, 0, "int8")
        if contents is None:
            return Vectors(model, **self._load(number, dimensions, TYPES[type_name]))
        wanted = list(dict.fromkeys(contents))
        rows: list[Row] = []
        for start in range(0, len(wanted) if found else 0, _BATCH):
            part = wanted[start : start + _BATCH]
            marks = ", ".join("?" * len(part))
            sql = f"SELECT content, scale, data FROM vector WHERE model = ? AND content IN ({marks})"
            rows += self.rows(sql, [number, *part])
        return Vectors(model, **arrays_of(rows, dimensions, TYPES[type_name]))

    def _load(self, number: int, dimensions: int, kind: np.dtype[Any]) -> dict[str, np.ndarray]:
        sql = "SELECT content, scale, data FROM vector WHERE model = ? ORDER BY content"
        return arrays_of(self.rows(sql, (number,)), dimensions, kind)


def arrays_of(rows: list[Row], dimensions: int, kind: np.dtype[Any]) -> dict[str, np.ndarray]:
    """Return content, scale and data of rows as arrays."""
    contents = np.frombuffer(b"".join(row[0] for row in rows), dtype=np.uint8)
    matrix = np.frombuffer(b"".join(row[2] for row in rows), dtype=kind)
    return {
        "contents": contents.reshape(len(rows), -1) if rows else contents.reshape(0, 0),
        "matrix": matrix.reshape(len(rows), dimensions),
        "scales": np.array([row[1] for row in rows], dtype=np.float32),
    }


def vectors_path(database: Path, number: int) -> Path:
    """Return where the matrix of a model is kept."""
    return database.with_suffix(f".vectors{number}")
