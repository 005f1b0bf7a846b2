"""What moves when memories go from one kind of store to another: tables, their columns, and sums over their rows."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

import msgspec

Row = tuple[Any, ...]
PAGE = 2000
STATE = "arriving"
"""Under this key a store that is being filled notes how far that has come."""


class Table(NamedTuple):
    """One table of memories, as both kinds of store have it; its first columns are its key."""

    name: str
    columns: tuple[tuple[str, str], ...]
    """Name and type of each."""
    keys: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple(name for name, _ in self.columns)

    @property
    def key(self) -> tuple[str, ...]:
        """Return the names of the columns that make a row the one it is."""
        return self.names[: self.keys]


def _table(name: str, columns: str, keys: int = 1) -> Table:
    pairs = (column.strip().partition(" ") for column in columns.split(","))
    return Table(name, tuple((column, kind) for column, _, kind in pairs), keys)


MEMORY = _table(
    "memory",
    "number bigint, uid bigint, kind smallint, layer smallint, priority smallint, status smallint, "
    "importance smallint, trust smallint, session bigint, position bigint, author bigint, source bigint, "
    "created bigint, updated bigint, accessed bigint, valid_from bigint, valid_until bigint, expires bigint, "
    "seen bigint, words bigint, signs integer, sketch bigint, sketch_too bigint, pinned smallint, tags text, "
    "metadata text, text text",
)
DREAMT = _table("dreamt", "dream bigint, place integer, uid bigint, action text, detail text", 2)
VECTOR = _table("vector", "model bigint, content bytea, scale real, data bytea", 2)
META = _table("meta", "key text, value text")
TABLES = (
    META,
    _table("label", "number bigint, sort smallint, name text"),
    MEMORY,
    _table("tagged", "tag bigint, memory bigint", 2),
    _table("mention", "entity bigint, memory bigint", 2),
    _table("link", "source bigint, type smallint, target bigint, created bigint, detail text", 3),
    _table("history", "number bigint, uid bigint, memory bigint, time bigint, action text, detail text"),
    _table("dream", "number bigint, time bigint, undone bigint, report text"),
    DREAMT,
    _table("model", "number bigint, id text, dimensions integer, type text"),
    VECTOR,
    _table(
        "event", "number bigint, query_id text, uid bigint, kind text, time double precision, detail text"
    ),
)
OWN_META = ("unwiped", STATE)
"""What a store notes about itself, which is not true of another one."""


class Sum(NamedTuple):
    """How many rows a table has and what they are, in one number."""

    size: int
    checksum: str


class Position(NamedTuple):
    """How far a store has been filled, and with what."""

    fingerprint: str
    table: int = 0
    last: Row = ()
    """The key of the last row of that table; empty before the first one."""

    def pack(self) -> str:
        """Return it as a text."""
        return base64.b64encode(msgspec.msgpack.encode(self)).decode()

    @staticmethod
    def read(text: str) -> Position:
        """Return what was packed."""
        return msgspec.msgpack.decode(base64.b64decode(text), type=Position)


class Rows(Protocol):
    """One state of a store, to be read page by page."""

    def page(self, table: Table, last: Row) -> list[Row]:
        """Return the next rows after a key, in the order of their keys."""
        ...


class Filled(Protocol):
    """A store that is being filled; nobody can use it before it is finished."""

    shown: str

    def begin(self, fingerprint: str) -> Position:
        """Return where to go on; refuse a store that holds something else."""
        ...

    def put(self, table: Table, rows: Sequence[Row], position: Position) -> None:
        """Write rows, and with them how far the work has come."""
        ...

    def sums(self) -> dict[str, Sum]:
        """Read everything back and sum it up."""
        ...

    def finish(self) -> None:
        """Let the store be used."""
        ...

    def begin_again(self) -> None:
        """Throw away what was written."""
        ...


def pages(rows: Rows, table: Table, last: Row = ()) -> Iterator[list[Row]]:
    """Yield the rows of a table after a key."""
    while found := rows.page(table, last):
        yield found
        last = found[-1][: table.keys]


def summed(rows: Rows) -> dict[str, Sum]:
    """Return the sums of every table."""
    return {table.name: _sum(row for page in pages(rows, table) for row in page) for table in TABLES}


def fingerprint(sums: dict[str, Sum]) -> str:
    """Return one name for all that a store holds."""
    return blake2b(repr(sorted(sums.items())).encode(), digest_size=16).hexdigest()


def _sum(rows: Iterable[Row]) -> Sum:
    count, found = 0, blake2b(digest_size=16)
    for row in rows:
        count += 1
        found.update(msgspec.msgpack.encode(row))
    return Sum(count, found.hexdigest())
