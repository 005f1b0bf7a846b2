"""Full text: the named FTS5 tables, how they are written and searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter

import apsw
import numpy as np

from recollect.errors import UsageError
from recollect.ports import Filters, TextHit
from recollect.store.sqlite.filters import conditions
from recollect.store.sqlite.snapshot import Row, Snapshot


@dataclass(frozen=True, slots=True)
class TextTable:
    """A full-text table: its columns, in the order in which texts and weights are given."""

    name: str
    columns: tuple[str, ...]

    @property
    def insert(self) -> str:
        """Return the statement that adds one item's texts."""
        return f"INSERT INTO {self.name} (rowid, {', '.join(self.columns)}) VALUES (?{', ?' * len(self.columns)})"

    @property
    def delete(self) -> str:
        """Return the statement that removes one item's texts."""
        return f"DELETE FROM {self.name} WHERE rowid = ?"


TEXT_TABLES = {
    table.name: table
    for table in (
        TextTable("text_symbol", ("name", "concepts", "qualified", "signature", "path", "doc")),
        TextTable("text_chunk", ("title", "body")),
    )
}
"""Adding a table is one line here and one migration that creates it."""


def text_table(name: str) -> TextTable:
    """Return the definition of a table."""
    try:
        return TEXT_TABLES[name]
    except KeyError:
        known = ", ".join(TEXT_TABLES)
        raise UsageError(f"There is no text table '{name}'; the tables are {known}.") from None


class TextReading(Snapshot):
    """Searches full text."""

    def search(
        self, table: str, match: str, weights: Sequence[float], limit: int, filters: Filters
    ) -> Sequence[TextHit]:
        """Return the best matches of an FTS5 expression; equal scores go by path, line and uid."""
        if limit <= 0:
            return []
        sql, parameters = self._ranked(table, match, weights, filters)
        with self._readable(match):
            best = self._best(f"{sql} ORDER BY t.rank", parameters, limit)
        return [TextHit(number, score) for number, score in self._in_order(best)[:limit]]

    def matches(
        self, table: str, match: str, weights: Sequence[float], filters: Filters
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of all matches, rising, and their scores; single words add up to many."""
        sql, parameters = self._ranked(table, match, weights, filters)
        with self._readable(match):
            rows = self.connection.execute(f"{sql} ORDER BY t.rowid", parameters).fetchall()
        numbers = np.fromiter(map(itemgetter(0), rows), np.int64, len(rows))
        return numbers, np.fromiter(map(itemgetter(1), rows), np.float64, len(rows))

    def _ranked(
        self, table: str, match: str, weights: Sequence[float], filters: Filters
    ) -> tuple[str, list[object]]:
        """Return the statement that gives every match with its score, and its parameters."""
        definition = text_table(table)
        if len(weights) != len(definition.columns):
            raise UsageError(
                f"{table} takes {len(definition.columns)} weights ({', '.join(definition.columns)})."
            )
        extra, parameters = conditions(filters, self)
        joins = (
            f"CROSS JOIN item i ON i.number = t.rowid CROSS JOIN file f ON f.number = i.file WHERE t.{table}"
        )
        sql = (
            f"SELECT t.rowid, -t.rank FROM {table} t {joins if extra else f'WHERE t.{table}'} MATCH ? "
            f"AND t.rank MATCH ?{extra}"
        )
        ranking = f"bm25({', '.join(repr(float(weight)) for weight in weights)})"
        return sql, [match, ranking, *parameters]

    @contextmanager
    def _readable(self, match: str) -> Iterator[None]:
        try:
            yield
        except apsw.SQLError as error:
            raise UsageError(
                f"The full-text expression {match!r} cannot be read ({error}); put the words in double quotes."
            ) from error
        except (apsw.Error, UnicodeError) as error:
            raise self.translated(error) from error

    def _best(self, sql: str, parameters: Sequence[object], limit: int) -> list[Row]:
        """Return the first matches and all that are as good as the last of them."""
        best: list[Row] = []
        cursor = self.connection.cursor()
        try:
            for row in cursor.execute(sql, parameters):
                if len(best) >= limit and row[1] < best[limit - 1][1]:
                    break
                best.append(row)
        finally:
            cursor.close(True)
        return best

    def _in_order(self, best: list[Row]) -> list[Row]:
        if len({score for _, score in best}) == len(best):
            return best
        places = self._places([number for number, _ in best])
        return sorted((row for row in best if row[0] in places), key=lambda row: (-row[1], places[row[0]]))

    def _places(self, numbers: list[int]) -> dict[int, Row]:
        places: dict[int, Row] = {}
        for start in range(0, len(numbers), 500):
            part = numbers[start : start + 500]
            sql = (
                "SELECT i.number, f.path, i.start_line, i.uid FROM item i JOIN file f ON f.number = i.file "
                f"WHERE i.number IN ({', '.join('?' * len(part))})"
            )
            places.update((row[0], row[1:]) for row in self.rows(sql, part))
        return places
