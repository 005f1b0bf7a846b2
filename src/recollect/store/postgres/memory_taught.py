"""Writes what is kept beside memories: dreams, vectors, small named values."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from recollect.errors import ModelError, UsageError
from recollect.ports import Event
from recollect.store.memories import DreamtRow
from recollect.store.postgres.columns import Table
from recollect.store.postgres.events import FAMILY, append_events
from recollect.store.postgres.memory_dreams import DreamReading
from recollect.store.postgres.server import take_turn
from recollect.store.silence import silenced
from recollect.store.sqlite.vectors import TYPES, quantise

_VECTOR = Table(
    "memory_vector",
    (("model", "bigint"), ("content", "bytea"), ("scale", "real"), ("data", "bytea")),
    ("space",),
    unless_known=True,
)


class TaughtWriting(DreamReading):
    """Writes dreams, vectors and named values."""

    def set_meta(self, key: str, value: str) -> None:
        """Keep a value under a key."""
        sql = (
            "INSERT INTO memory_meta (space, key, value) VALUES ($1, $2, $3) "
            "ON CONFLICT (space, key) DO UPDATE SET value = excluded.value"
        )
        self.change(sql, (key, value))

    def add_dream(self, time: int) -> int:
        """Begin a dream; return its number."""
        counters = self.counters("memory")
        number = counters["dream"] = counters.get("dream", 0) + 1
        self.change("INSERT INTO dream (space, number, time, report) VALUES ($1, $2, $3, '')", (number, time))
        return number

    def finish_dream(self, number: int, report: str, did: Iterable[DreamtRow]) -> None:
        """Keep what a dream did."""
        self.change("UPDATE dream SET report = $2 WHERE space = $1 AND number = $3", (report, number))
        rows = [(number, place, row.uid, row.action, row.detail or None) for place, row in enumerate(did)]
        self.change_many(
            "INSERT INTO dreamt (space, dream, place, uid, action, detail) VALUES ($1, $2, $3, $4, $5, $6)",
            rows,
        )

    def note_undone(self, number: int, time: int) -> None:
        """Note that a dream was taken back."""
        self.change("UPDATE dream SET undone = $2 WHERE space = $1 AND number = $3", (time, number))
        self.change("DELETE FROM dreamt WHERE space = $1 AND dream = $2", (number,))

    def add_events(self, events: Iterable[Event]) -> None:
        """Append events; none is ever changed."""
        take_turn(self, FAMILY)
        append_events(self, events)

    def remove_events(self) -> int:
        """Remove every event, of code and of memories; return how many there were."""
        count = self.change("DELETE FROM event WHERE space = $1")
        self.change(
            "UPDATE turn SET counters = counters || jsonb_build_object('removed', "
            "coalesce((counters->>'removed')::bigint, 0) + $2) WHERE space = $1 AND family = 'event'",
            (count,),
        )
        return count

    def silence(self, words: Collection[str]) -> None:
        """Take words out of what events noted of questions."""
        events = self.rows("SELECT number, detail FROM event WHERE space = $1 AND detail <> ''")
        changed = [(detail, number) for number, detail in silenced(events, words)]
        self.change_many("UPDATE event SET detail = $2 WHERE space = $1 AND number = $3", changed)

    def put_vectors(self, model: str, type_name: str, rows: Iterable[tuple[bytes, np.ndarray]]) -> None:
        """Keep vectors of a model, by the hash of the text that was embedded; what is known already stays."""
        vectors = list(rows)
        if not vectors:
            return
        number = self._model_number(model, type_name, {vector.shape for _, vector in vectors})
        self.put(_VECTOR, ((number, content, *quantise(vector, type_name)) for content, vector in vectors))

    def remove_vectors(self, contents: Iterable[bytes]) -> None:
        """Remove the vectors of some contents, of every model."""
        sql = (
            "DELETE FROM memory_vector WHERE space = $1 AND content = ANY($2::bytea[]) "
            "AND model IN (SELECT number FROM memory_model WHERE space = $1)"
        )
        self.change(sql, (list(contents),))

    def drop_model(self, model: str) -> None:
        """Remove a model with all its vectors."""
        sql = "DELETE FROM memory_model WHERE space = $1 AND id = $2 RETURNING number"
        for (number,) in self.rows(sql, (model,)):
            self.change("DELETE FROM memory_vector WHERE space = $1 AND model = $2", (number,))

    def _model_number(self, model: str, type_name: str, shapes: set[tuple[int, ...]]) -> int:
        if type_name not in TYPES:
            raise UsageError(f"Vectors are kept as {' or '.join(TYPES)}, not as {type_name}.")
        if len(shapes) != 1:
            raise ModelError(
                f"The model {model} gave vectors of different lengths; embed with one model at a time."
            )
        ((dimensions,),) = shapes
        sql = "SELECT number, dimensions, type FROM memory_model WHERE space = $1 AND id = $2"
        found = self.row(sql, (model,))
        if found is None:
            counters = self.counters("memory")
            number = counters["model"] = counters.get("model", 0) + 1
            sql = "INSERT INTO memory_model (space, number, id, dimensions, type) VALUES ($1, $2, $3, $4, $5)"
            self.change(sql, (number, model, dimensions, type_name))
            return number
        if found[1:] != (dimensions, type_name):
            raise ModelError(
                f"{model} has vectors of {found[1]} {found[2]} here, but now gave {dimensions} {type_name}; "
                "give the other model its own name."
            )
        return int(found[0])
