"""Looks up many names at once and returns bare numbers, which is what ranking needs first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from recollect.ports import Filters, NameRow
from recollect.store.sqlite.filters import conditions
from recollect.store.sqlite.items import qualified_of
from recollect.store.sqlite.snapshot import Row, Snapshot
from recollect.types import PLACE_KINDS

_BATCH = 200
_ROW = (
    "SELECT i.number, i.name, i.container, i.kind, i.test, f.path "
    "FROM item i CROSS JOIN file f ON f.number = i.file WHERE "
)
_ORDER = " ORDER BY length(i.name), i.test OR f.test, f.path, i.start_byte, i.uid LIMIT ?"
_ESCAPES = str.maketrans({"%": "\\%", "_": "\\_", "\\": "\\\\"})


class NameReading(Snapshot):
    """Looks up names."""

    def named(self, names: Iterable[str], filters: Filters, limit: int) -> Sequence[NameRow]:
        """Return the symbols whose last name is one of these, whatever their case."""
        wanted = list(dict.fromkeys(name for name in names if name))
        found: list[NameRow] = []
        for start in range(0, len(wanted), _BATCH):
            part = wanted[start : start + _BATCH]
            found += self._named(
                f"i.name COLLATE NOCASE IN ({', '.join('?' * len(part))})", part, filters, limit
            )
        return found

    def starting(self, beginning: str, filters: Filters, limit: int) -> Sequence[NameRow]:
        """Return the symbols whose last name begins so, the shortest first."""
        where = "i.name >= ? COLLATE NOCASE AND i.name < ? COLLATE NOCASE"
        return self._named(where, [beginning, beginning + "\U0010ffff"], filters, limit)

    def containing(self, part: str, filters: Filters, limit: int) -> Sequence[NameRow]:
        """Return the symbols that have a text anywhere in their last name or their container's, the shortest first."""
        inside = f"%{part.translate(_ESCAPES)}%"
        where = "(i.name LIKE ? ESCAPE '\\' OR i.container LIKE ? ESCAPE '\\')"
        return self._named(where, [inside, inside], filters, limit)

    def files_with(self, part: str, limit: int) -> Sequence[tuple[int, str]]:
        """Return number and path of the files that have a text in their path, the shortest first."""
        sql = (
            "SELECT number, path FROM file WHERE path LIKE ? ESCAPE '\\' AND skipped = '' "
            "ORDER BY test, length(path), path LIMIT ?"
        )
        return [(number, path) for number, path in self.rows(sql, (f"%{part.translate(_ESCAPES)}%", limit))]

    def symbols_in(self, files: Sequence[int], kinds: Iterable[str], limit: int) -> Sequence[NameRow]:
        """Return the symbols of some kinds in these files, in the order of the files and of their text."""
        marks = ", ".join("?" * len(files))
        found = self._named(f"i.file IN ({marks})", list(files), Filters(kinds=frozenset(kinds)), limit)
        places = {number: place for place, number in enumerate(files)}
        homes: dict[str, int] = dict(
            self.rows(f"SELECT path, number FROM file WHERE number IN ({marks})", list(files))
        )
        return sorted(found, key=lambda row: places[homes[row.path]])

    def languages(self) -> Mapping[str, int]:
        """Return how many indexed files each language has."""
        sql = "SELECT language, count(*) FROM file WHERE skipped = '' AND language <> '' GROUP BY language"
        return dict(self.rows(sql))

    def _named(self, where: str, parameters: Sequence[object], filters: Filters, limit: int) -> list[NameRow]:
        extra, more = conditions(filters, self)
        places = ", ".join(str(self.code(kind) or -1) for kind in PLACE_KINDS)
        sql = f"{_ROW}{where} AND i.name IS NOT NULL AND i.kind NOT IN ({places}){extra}{_ORDER}"
        return [self._name_row(row) for row in self.rows(sql, [*parameters, *more, limit])]

    def _name_row(self, row: Row) -> NameRow:
        number, name, container, kind, test, path = row
        return NameRow(number, name, qualified_of(name, container), self.word(kind), test == 1, path)
