"""Vectors of code by model and content, shared by all trees of a space; read as one matrix that the client keeps."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from recollect.errors import ModelError, UsageError
from recollect.ports import Vectors
from recollect.store.postgres.columns import Table
from recollect.store.postgres.index_snapshot import Snapshot
from recollect.store.postgres.session import Row
from recollect.store.sqlite.arrays import keep_arrays, kept_arrays
from recollect.store.sqlite.vectors import TYPES, quantise

_MODEL = "SELECT number, dimensions, type, version FROM code_model WHERE space = $1 AND id = $2"
_VECTOR = Table(
    "code_vector",
    (("model", "integer"), ("content", "bytea"), ("scale", "real"), ("half", "halfvec"), ("data", "bytea")),
    ("space",),
    unless_known=True,
)
_head = struct.Struct(">hh")
"""What goes before the numbers of a half vector: how many there are, and nothing."""


class VectorReading(Snapshot):
    """Reads vectors."""

    def model(self, model: str) -> Row:
        """Return number, dimensions, type and version of a model; raise ModelError when only others have vectors."""
        found = self.session.row(_MODEL, (model,))
        if found is None:
            rows = self.session.rows("SELECT id FROM code_model WHERE space = $1 ORDER BY id")
            others = ", ".join(row[0] for row in rows) or "no model"
            raise ModelError(
                f"{self.place.shown} holds vectors of {others}, not of {model}; run 'recollect index' to embed anew."
            )
        return found

    def missing_vectors(self, model: str, contents: Iterable[bytes]) -> set[bytes]:
        """Return those contents that this model has not embedded yet."""
        wanted = list(dict.fromkeys(contents))
        sql = (
            "SELECT v.content FROM code_vector v JOIN code_model m ON m.space = v.space AND m.number = v.model "
            "WHERE v.space = $1 AND m.id = $2 AND v.content = ANY($3::bytea[])"
        )
        return set(wanted) - {bytes(row[0]) for row in self.session.rows(sql, (model, wanted))}

    def vectors(self, model: str) -> Vectors:
        """Return all vectors of a model, by content."""
        number, dimensions, type_name, version = self.model(model)
        state = f"{self.session.space}/{number}/{model}/{version}"
        root = blake2b(state.encode(), digest_size=16).digest()
        file = self._kept_in(number)
        arrays = kept_arrays(file, root) if file is not None else None
        if arrays is None:
            arrays = self._fetch(number, dimensions, type_name)
            if file is not None and self.may_cache():
                keep_arrays(file, root, arrays)
        return Vectors(model, arrays["contents"], arrays["matrix"], arrays["scales"])

    def _kept_in(self, number: int) -> Path | None:
        return self.place.cache / f"shared.vectors{number}" if self.place.cache is not None else None

    def _fetch(self, number: int, dimensions: int, type_name: str) -> dict[str, np.ndarray]:
        column = "halfvec_send(half)" if type_name == "float16" else "data"
        sql = f"SELECT content, scale, {column} FROM code_vector WHERE space = $1 AND model = $2 ORDER BY content"
        rows = self.session.rows(sql, (number,))
        contents = np.frombuffer(b"".join(row[0] for row in rows), dtype=np.uint8)
        if type_name == "float16":
            sent = np.frombuffer(b"".join(row[2][_head.size :] for row in rows), ">f2")
        else:
            sent = np.frombuffer(b"".join(row[2] for row in rows), TYPES[type_name])
        return {
            "contents": contents.reshape(len(rows), -1) if rows else contents.reshape(0, 0),
            "matrix": sent.astype(TYPES[type_name]).reshape(len(rows), dimensions),
            "scales": np.array([row[1] for row in rows], dtype=np.float32),
        }


class VectorWriting(VectorReading):
    """Adds vectors."""

    def put_vectors(self, model: str, type_name: str, rows: Iterable[tuple[bytes, np.ndarray]]) -> None:
        """Keep vectors of a model, by the hash of the text that was embedded; what is known already stays."""
        vectors = list(rows)
        if not vectors:
            return
        number = self._model_number(model, type_name, {vector.shape for _, vector in vectors})
        self.insert(_VECTOR, [self._row(number, type_name, content, vector) for content, vector in vectors])
        sql = "UPDATE code_model SET version = version + 1 WHERE space = $1 AND number = $2"
        self.session.change(sql, (number,))

    def _row(self, number: int, type_name: str, content: bytes, vector: np.ndarray) -> tuple[Any, ...]:
        scale, data = quantise(vector, type_name)
        if type_name == "float16":
            half = _head.pack(len(vector), 0) + np.frombuffer(data, "<f2").astype(">f2").tobytes()
            return number, content, scale, half, None
        return number, content, scale, None, data

    def _model_number(self, model: str, type_name: str, shapes: set[tuple[int, ...]]) -> int:
        if type_name not in TYPES:
            raise UsageError(f"Vectors are kept as {' or '.join(TYPES)}, not as {type_name}.")
        if len(shapes) != 1:
            raise ModelError(
                f"The model {model} gave vectors of different lengths; embed with one model at a time."
            )
        ((dimensions,),) = shapes
        found = self.session.row(_MODEL, (model,))
        if found is None:
            sql = (
                "INSERT INTO code_model (space, number, id, dimensions, type, version) "
                "SELECT $1, coalesce(max(number), 0) + 1, $2, $3, $4, 0 FROM code_model WHERE space = $1 "
                "RETURNING number"
            )
            return int(self.session.rows(sql, (model, dimensions, type_name))[0][0])
        if found[1:3] != (dimensions, type_name):
            raise ModelError(
                f"{model} has vectors of {found[1]} {found[2]} here, but now gave {dimensions} {type_name}; "
                f"give the other model its own name."
            )
        return int(found[0])
