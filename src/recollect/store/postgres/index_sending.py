"""Rows that are about to be written wait in memory, and go over together before anything reads their table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.store.postgres.columns import Table
from recollect.store.postgres.index_reader import PostgresReader
from recollect.store.postgres.session import Row

_MOST_WAITING = 50_000


class Waiting:
    """Rows of one table that are about to be written, by their key, and keys whose rows go first."""

    def __init__(self, table: Table, key: str, kind: str) -> None:
        self.table = table
        self.rows: dict[int, Sequence[Any]] = {}
        self.gone: set[int] = set()
        self.delete = f"DELETE FROM {table.name} WHERE space = $1 AND tree = $2 AND {key} = ANY($3::{kind}[])"

    def put(self, key: int, row: Sequence[Any], known: bool) -> None:
        """Let a row wait, in place of what is known under its key."""
        self.rows[key] = row
        if known:
            self.gone.add(key)

    def remove(self, key: int) -> None:
        """Let nothing be left under a key."""
        self.rows.pop(key, None)
        self.gone.add(key)


class Sending(PostgresReader):
    """A snapshot that writes; it reads what it wrote."""

    def __init__(self, *arguments: Any) -> None:
        self._waiting: dict[str, Waiting] = {}
        super().__init__(*arguments)

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a query, which sees what was written before."""
        for name, waiting in self._waiting.items():
            if (waiting.rows or waiting.gone) and name in sql:
                self._send(waiting)
        return super().rows(sql, parameters)

    def now(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return rows of a query about which nothing waits."""
        return super().rows(sql, parameters)

    def _wait(self, table: Table, key: str = "number", kind: str = "int") -> Waiting:
        waiting = self._waiting[table.name] = Waiting(table, key, kind)
        return waiting

    def _send(self, waiting: Waiting) -> None:
        if waiting.gone:
            self.change(waiting.delete, (sorted(waiting.gone),))
        rows, waiting.rows, waiting.gone = waiting.rows, {}, set()
        self.insert(waiting.table, rows.values())

    def _send_many(self) -> None:
        """Send what waits when it has become much."""
        if sum(len(waiting.rows) for waiting in self._waiting.values()) >= _MOST_WAITING:
            self._send_all()

    def _send_all(self) -> None:
        for waiting in self._waiting.values():
            if waiting.rows or waiting.gone:
                self._send(waiting)
