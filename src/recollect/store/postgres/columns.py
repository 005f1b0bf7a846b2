"""Writes many rows with one statement: every column goes over as one array in the server's own binary form."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count as count_from
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

from recollect.errors import UsageError

_BATCH = 20_000
_FEW = 500
"""Rows that go over value by value."""
_length = struct.Struct(">i").pack
_NULL = _length(-1)
_NUL_SHOWN = "\u2400".encode()
"""A text of the server cannot hold a NUL; this sign is drawn for one."""


class Kind(NamedTuple):
    """A type of columns: its name, its number on every server, that of its arrays, and how numpy calls it."""

    name: str
    oid: int
    array: int
    numpy: str = ""


KINDS = {
    kind.name: kind
    for kind in (
        Kind("smallint", 21, 1005, ">i2"),
        Kind("integer", 23, 1007, ">i4"),
        Kind("bigint", 20, 1016, ">i8"),
        Kind("real", 700, 1021, ">f4"),
        Kind("double precision", 701, 1022, ">f8"),
        Kind("boolean", 16, 1000, "?"),
        Kind("text", 25, 1009),
        Kind("bytea", 17, 1001),
    )
}


class Packed:
    """One column of many rows."""

    def __init__(self, kind: Kind, values: Sequence[Any], verbatim: bool = False) -> None:
        self.oid = kind.array
        if kind.numpy and None not in values:
            body = _numbers(kind, values)
        else:
            body = _each(kind, values, _verbatim if verbatim else encoded)
        self.data = struct.pack(">iiIii", 1, 1, kind.oid, len(values), 1) + body


class Cell:
    """One value of one row."""

    def __init__(self, kind: Kind, value: Any, verbatim: bool = False) -> None:
        self.oid = kind.oid
        self.value = value if kind.name in KINDS else None
        self.data = _each(kind, (value,), _verbatim if verbatim else encoded)[len(_NULL) :]


class _PackedDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: Packed | Cell) -> Buffer | None:
        return obj.data

    def get_key(self, obj: Packed | Cell, format: Any) -> Any:  # noqa: A002, ARG002  # as the driver names it
        return (self.cls, obj.oid)

    def upgrade(self, obj: Packed | Cell, format: Any) -> _PackedDumper:  # noqa: A002, ARG002
        dumper = type(self)(self.cls)
        dumper.oid = obj.oid
        return dumper


psycopg.adapters.register_dumper(Packed, _PackedDumper)
psycopg.adapters.register_dumper(Cell, _PackedDumper)


def _numbers(kind: Kind, values: Sequence[Any]) -> bytes:
    size = np.dtype(kind.numpy).itemsize
    rows = np.empty(len(values), np.dtype([("length", ">i4"), ("value", kind.numpy)]))
    rows["length"] = size
    rows["value"] = values
    return rows.tobytes()


def _each(kind: Kind, values: Sequence[Any], encode: Callable[[str], bytes]) -> bytes:
    parts: list[bytes] = []
    if kind.numpy:
        size, kind_of = _length(np.dtype(kind.numpy).itemsize), np.dtype(kind.numpy)
        for value in values:
            parts.append(_NULL if value is None else size + np.array(value, kind_of).tobytes())
        return b"".join(parts)
    for value in values:
        if value is None:
            parts.append(_NULL)
            continue
        data = value if isinstance(value, bytes) else encode(value)
        parts += (_length(len(data)), data)
    return b"".join(parts)


def encoded(text: str) -> bytes:
    """Return a text as the server takes it; raise UsageError when it is no Unicode."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError(
            f"The text {text!r} cannot be stored as UTF-8; leave out what it stands for."
        ) from error
    return data.replace(b"\0", _NUL_SHOWN) if b"\0" in data else data


def _verbatim(text: str) -> bytes:
    if "\0" in text:
        raise psycopg.DataError("a text of PostgreSQL cannot contain NUL")
    return encoded(text)


class Table(NamedTuple):
    """A table whose rows are written in bulk; the space, and for most the tree, go before its columns."""

    name: str
    columns: tuple[tuple[str, str], ...]
    """Name and type of each."""
    leading: tuple[str, ...] = ("space", "tree")
    unless_known: bool = False
    """Whether a row whose key is there already is left out."""
    verbatim: bool = False
    """Whether a text that cannot be kept as it is is refused, and no sign drawn for what cannot be."""

    def insert(self) -> str:
        """Return the statement that writes many rows."""
        given = [f"${place}" for place in range(1, len(self.leading) + 1)]
        taken = [f"v.c{place}" for place in range(len(self.columns))]
        arrays = [
            f"${place}::{kind}[]" for place, (_, kind) in enumerate(self.columns, len(self.leading) + 1)
        ]
        aliases = ", ".join(f"c{place}" for place in range(len(self.columns)))
        return (
            f"{self._into()} SELECT {', '.join((*given, *taken))} "
            f"FROM unnest({', '.join(arrays)}) AS v ({aliases}){self._known()}"
        )

    def insert_cells(self, count: int) -> str:
        """Return the statement that writes some rows given value by value, which is all that a cluster takes."""
        given = [f"${place}" for place in range(1, len(self.leading) + 1)]
        place = count_from(len(self.leading) + 1)
        rows = [
            f"({', '.join((*given, *(f'${next(place)}::{kind}' for _, kind in self.columns)))})"
            for _ in range(count)
        ]
        return f"{self._into()} VALUES {', '.join(rows)}{self._known()}"

    def _into(self) -> str:
        return f"INSERT INTO {self.name} ({', '.join((*self.leading, *(name for name, _ in self.columns)))})"

    def _known(self) -> str:
        return " ON CONFLICT DO NOTHING" if self.unless_known else ""

    def cells(
        self, rows: Iterable[Sequence[Any]], kinds: Mapping[str, Kind] = KINDS
    ) -> Iterator[list[list[Cell | None]]]:
        """Yield the values of so many rows as go over at once."""
        waiting = iter(rows)
        while batch := list(islice(waiting, _FEW)):
            yield [
                [
                    None if value is None else Cell(kinds[kind], value, self.verbatim)
                    for (_, kind), value in zip(self.columns, row, strict=True)
                ]
                for row in batch
            ]

    def batches(
        self, rows: Iterable[Sequence[Any]], kinds: Mapping[str, Kind] = KINDS
    ) -> Iterator[list[Packed]]:
        """Yield the columns of so many rows as go over at once."""
        waiting = iter(rows)
        while batch := list(islice(waiting, _BATCH)):
            columns = zip(*batch, strict=True)
            yield [
                Packed(kinds[kind], column, self.verbatim)
                for (_, kind), column in zip(self.columns, columns, strict=True)
            ]
