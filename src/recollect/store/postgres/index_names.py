"""Looks up many names at once on a server and returns bare numbers, which is what ranking needs first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recollect.ports import Filters, NameRow
from recollect.store.postgres.index_filters import conditions
from recollect.store.postgres.index_items import begins, folded, named
from recollect.store.postgres.index_snapshot import Snapshot
from recollect.store.postgres.session import Row
from recollect.store.sqlite.items import qualified_of
from recollect.types import PLACE_KINDS

_BATCH = 200
_ROW = (
    "SELECT i.number, i.name, i.container, i.kind, i.test, f.path "
    "FROM code_item i JOIN code_file f ON f.space = i.space AND f.tree = i.tree AND f.number = i.file "
    "WHERE i.space = $1 AND i.tree = $2 AND "
)
_ORDER = " ORDER BY length(i.name), (i.test OR f.test), f.path, i.start_byte, i.uid LIMIT "
_ESCAPES = str.maketrans({"%": "\\%", "_": "\\_", "\\": "\\\\"})


class NameReading(Snapshot):
    """Looks up names."""

    def named(self, names: Iterable[str], filters: Filters, limit: int) -> Sequence[NameRow]:
        """Return the symbols whose last name is one of these, whatever their case."""
        wanted = list(dict.fromkeys(name for name in names if name))
        found: list[NameRow] = []
        for start in range(0, len(wanted), _BATCH):
            parameters: list[Any] = []
            where = named(wanted[start : start + _BATCH], parameters)
            found += self._named(where, parameters, filters, limit)
        return found

    def starting(self, beginning: str, filters: Filters, limit: int) -> Sequence[NameRow]:
        """Return the symbols whose last name begins so, the shortest first."""
        parameters: list[Any] = []
        return self._named(begins(beginning, parameters), parameters, filters, limit)

    def containing(self, part: str, filters: Filters, limit: int) -> Sequence[NameRow]:
        """Return the symbols that have a text anywhere in their last name or their container's, the shortest first."""
        where = "(lower(i.name) LIKE $3 OR lower(i.container) LIKE $3)"
        return self._named(where, [_inside(part)], filters, limit)

    def files_with(self, part: str, limit: int) -> Sequence[tuple[int, str]]:
        """Return number and path of the files that have a text in their path, the shortest first."""
        sql = (
            "SELECT number, path FROM code_file WHERE space = $1 AND tree = $2 AND lower(path) LIKE $3 "
            "AND skipped = '' ORDER BY test, length(path), path LIMIT $4"
        )
        return [(number, path) for number, path in self.rows(sql, (_inside(part), limit))]

    def symbols_in(self, files: Sequence[int], kinds: Iterable[str], limit: int) -> Sequence[NameRow]:
        """Return the symbols of some kinds in these files, in the order of the files and of their text."""
        chosen = Filters(kinds=frozenset(kinds))
        found = self._named("i.file = ANY($3::int[])", [list(files)], chosen, limit)
        places = {number: place for place, number in enumerate(files)}
        sql = "SELECT path, number FROM code_file WHERE space = $1 AND tree = $2 AND number = ANY($3::int[])"
        homes: dict[str, int] = dict(self.rows(sql, (list(files),)))
        return sorted(found, key=lambda row: places[homes[row.path]])

    def languages(self) -> Mapping[str, int]:
        """Return how many indexed files each language has."""
        sql = (
            "SELECT language, count(*) FROM code_file WHERE space = $1 AND tree = $2 AND skipped = '' "
            "AND language <> '' GROUP BY language"
        )
        return dict(self.rows(sql))

    def _named(self, where: str, parameters: list[Any], filters: Filters, limit: int) -> list[NameRow]:
        extra = conditions(filters, self, parameters)
        parameters += [[self.code(kind) or -1 for kind in PLACE_KINDS], limit]
        last = len(parameters) + 2
        sql = f"{_ROW}{where} AND i.name IS NOT NULL AND i.kind <> ALL(${last - 1}::int[]){extra}{_ORDER}${last}"
        return [self._name_row(row) for row in self.rows(sql, parameters)]

    def _name_row(self, row: Row) -> NameRow:
        number, name, container, kind, test, path = row
        return NameRow(number, name, qualified_of(name, container), self.word(kind), test, path)


def _inside(part: str) -> str:
    return f"%{folded(part).translate(_ESCAPES)}%"
