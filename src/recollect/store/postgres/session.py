"""One transaction in one space: what the readers and writers of every family of tables share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import psycopg

from recollect.store.postgres.address import Address
from recollect.store.postgres.columns import KINDS, Kind, Table
from recollect.store.postgres.faults import Undone, may_be_done_again, reason, translate

Row = tuple[Any, ...]
Statement = tuple[str, tuple[Any, ...]]


class Session:
    """A connection inside a transaction; `$1` of every statement is the space."""

    def __init__(self, connection: psycopg.Connection[Any], space: int, address: Address) -> None:
        self.connection = connection
        self.space = space
        self.address = address

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a query; its own parameters begin with `$2`."""
        found: list[Row] = self._run(sql, parameters).fetchall()
        return found

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        """Return the first row of a query, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def change(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run one statement that writes; return how many rows it touched."""
        count: int = self._run(sql, parameters).rowcount
        return count

    def change_many(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None:
        """Run one statement that writes for each row of parameters."""
        rows = [(self.space, *row) for row in parameters]
        if not rows:
            return
        try:
            with self.connection.cursor() as cursor:
                cursor.executemany(sql, rows)
        except psycopg.Error as error:
            raise self.translated(error) from None
        _note(sql, rows[0])

    def put(
        self,
        table: Table,
        rows: Iterable[Sequence[Any]],
        leading: tuple[Any, ...] = (),
        kinds: Mapping[str, Kind] = KINDS,
    ) -> None:
        """Write many rows, so many with one statement as is of use."""
        try:
            if self.address.spread:
                for cells in table.cells(rows, kinds):
                    self.change(table.insert_cells(len(cells)), (*leading, *chain.from_iterable(cells)))
                return
            for columns in table.batches(rows, kinds):
                self.change(table.insert(), (*leading, *columns))
        except psycopg.Error as error:
            raise self.translated(error) from None

    def _run(self, sql: str, parameters: Sequence[Any]) -> Any:
        values = (self.space, *parameters)
        try:
            cursor = self.connection.execute(sql, values, binary=True)
        except psycopg.Error as error:
            raise self.translated(error) from None
        _note(sql, values)
        return cursor

    def counters(self, family: str) -> dict[str, int]:
        """Return what a family of tables counts: the last numbers that it gave."""
        found = self.row("SELECT counters FROM turn WHERE space = $1 AND family = $2", (family,))
        return {} if found is None else found[0]

    def translated(self, error: psycopg.Error) -> Exception:
        """Return our error for one of the server's; Undone when the transaction may be done again."""
        if may_be_done_again(error, self.connection):
            return Undone(reason(error, self.address))
        return translate(error, self.address)


_listeners: list[Callable[[Statement], None]] = []


def _note(sql: str, values: tuple[Any, ...]) -> None:
    for listener in _listeners:
        listener((sql, values))


class Recorded:
    """Collects every statement that any session issues while the block runs, each text once."""

    def __init__(self) -> None:
        self.statements: dict[str, tuple[Any, ...]] = {}

    def __enter__(self) -> dict[str, tuple[Any, ...]]:
        _listeners.append(self._hear)
        return self.statements

    def __exit__(self, *_: object) -> None:
        _listeners.remove(self._hear)

    def _hear(self, statement: Statement) -> None:
        self.statements.setdefault(statement[0], statement[1])
