"""Reads items from a server: by number, id, file and name, and as the definitions that resolvers look up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from recollect.errors import UsageError
from recollect.ports import Definition, Filters, Outline
from recollect.store.ids import PREFIXES, id_of, uid_of
from recollect.store.postgres.index_files import key_of
from recollect.store.postgres.index_filters import conditions
from recollect.store.postgres.index_snapshot import Snapshot
from recollect.store.postgres.session import Row
from recollect.store.sqlite.items import (
    NESTED,
    NO_SHAPE,
    Shape,
    closeness,
    last_name,
    owner_key,
    qualified_of,
    read_shape,
)
from recollect.types import PLACE_KINDS, Item

_ITEM = (
    "SELECT i.number, i.uid, i.kind, i.name, i.container, i.owner, i.start_line, i.lines, i.start_byte, i.bytes, "
    "i.visibility, i.test, i.tokens, i.signature, i.doc, f.path, f.language, p.uid "
    "FROM code_item i JOIN code_file f ON f.space = i.space AND f.tree = i.tree AND f.number = i.file "
    "LEFT JOIN code_item p ON p.space = i.space AND p.tree = i.tree AND p.number = i.parent "
    "WHERE i.space = $1 AND i.tree = $2 "
)
_DEFINITION = (
    "SELECT i.number, i.name, i.container, i.kind, f.path, f.language, i.owner, f.package, i.visibility, i.test, "
    "i.shape FROM code_item i JOIN code_file f ON f.space = i.space AND f.tree = i.tree AND f.number = i.file "
    "WHERE i.space = $1 AND i.tree = $2 AND {where} ORDER BY f.path, i.container NULLS FIRST, i.uid"
)
_OUTLINE = (
    "SELECT number, uid, file, kind, name, container, start_line, lines, start_byte, bytes, visibility, test, "
    "doc <> '', signature FROM code_item WHERE space = $1 AND tree = $2"
)
_FOUND = (
    "SELECT i.number, i.name, i.container, f.package, i.test::int, f.path, i.start_line, i.uid "
    "FROM code_item i JOIN code_file f ON f.space = i.space AND f.tree = i.tree AND f.number = i.file "
    "WHERE i.space = $1 AND i.tree = $2 AND "
)
_EXTERNAL = "SELECT number, uid, kind, name FROM code_external WHERE space = $1 AND tree = $2 AND "
NAMED = "i.folded = ANY({names}) AND lower(i.name) = ANY({whole})"
BEGINS = "i.folded >= {low} AND i.folded < {high} AND lower(i.name) >= {first} AND lower(i.name) < {after}"
_HELD = 200
_LARGEST = 1 << 31
AFTER = "\U0010ffff"


def folded(text: str) -> str:
    """Return a text in small letters as far as ASCII goes, which is how names are compared."""
    return "".join(chr(ord(sign) + 32) if "A" <= sign <= "Z" else sign for sign in text)


def named(names: Iterable[str], parameters: list[Any]) -> str:
    """Return the condition that an item has one of these names, whatever their case."""
    whole = [folded(name).replace("\0", "\u2400") for name in names]
    parameters += [[name[:_HELD] for name in whole], whole]
    last = len(parameters) + 2
    return NAMED.format(names=f"${last - 1}::text[]", whole=f"${last}::text[]")


def begins(start: str, parameters: list[Any]) -> str:
    """Return the condition that the name of an item begins so, whatever the case."""
    low = folded(start).replace("\0", "\u2400")
    parameters += [low[:_HELD], low[:_HELD] + AFTER, low, low + AFTER]
    names = ("low", "high", "first", "after")
    return BEGINS.format(**{name: f"${place}::text" for place, name in enumerate(names, len(parameters) - 1)})


class ItemReading(Snapshot):
    """Reads items."""

    def items(self, numbers: Sequence[int]) -> Sequence[Item]:
        """Return the items with these numbers, in the given order, without those that are gone."""
        wanted = [number for number in dict.fromkeys(numbers) if 0 <= number < _LARGEST]
        if not wanted:
            return []
        found = {
            row[0]: self._item(row) for row in self.rows(f"{_ITEM} AND i.number = ANY($3::int[])", (wanted,))
        }
        missing = [number for number in wanted if number not in found]
        if missing:
            rows = self.rows(f"{_EXTERNAL} number = ANY($3::int[])", (missing,))
            found.update((row[0], self._external(row)) for row in rows)
        return [found[number] for number in numbers if number in found]

    def item(self, public_id: str) -> Item | None:
        """Return the item with a public id."""
        try:
            uid = uid_of(public_id)
        except UsageError:
            return None
        if public_id[0] != PREFIXES[self.domain] or uid >= 1 << 63:
            return None
        row = self.row(f"{_ITEM} AND i.uid = $3::bigint", (uid,))
        if row is not None:
            return self._item(row)
        row = self.row(f"{_EXTERNAL} uid = $3::bigint", (uid,))
        return None if row is None else self._external(row)

    def items_of(self, path: str) -> Sequence[Item]:
        """Return all items of a file in the order of the text, outer ones first."""
        sql = f"{_ITEM} AND f.key = $3 ORDER BY i.start_byte, i.bytes DESC, i.uid"
        return [self._item(row) for row in self.rows(sql, (key_of(path),))]

    def numbers_of(self, path: str) -> Mapping[int, int]:
        """Return the number of each item of a file by its uid."""
        sql = (
            "SELECT i.uid, i.number FROM code_file f JOIN code_item i ON i.space = f.space AND i.tree = f.tree "
            "AND i.file = f.number WHERE f.space = $1 AND f.tree = $2 AND f.key = $3"
        )
        return dict(self.rows(sql, (key_of(path),)))

    def _item(self, row: Row) -> Item:
        number, uid, kind, name, container, owner, start, lines, first, size = row[:10]
        visibility, test, tokens, signature, doc, path, language, parent = row[10:]
        return Item(
            id=id_of(uid, self.domain),
            domain=self.domain,
            kind=self.word(kind),
            name=qualified_of(name, container),
            path=path,
            start_line=start,
            end_line=start + lines,
            start_byte=first,
            end_byte=first + size,
            signature=signature,
            doc=doc,
            language=language,
            visibility=self.word(visibility),
            test=test,
            owner=(container or "") if owner is None else owner,
            tokens=tokens,
            number=number,
            metadata={} if parent is None else {"parent": id_of(parent, self.domain)},
        )

    def _external(self, row: Row) -> Item:
        number, uid, kind, name = row
        return Item(
            id=id_of(uid, self.domain), domain=self.domain, kind=self.word(kind), name=name, number=number
        )

    def find(self, name: str, filters: Filters, limit: int, prefix: bool = False) -> Sequence[Item]:
        """Return the symbols and files that a name means: exact ones first, then by last part, then by beginning."""
        wanted = name.strip().replace("::", NESTED).replace("#", NESTED).replace("->", NESTED)
        if not wanted:
            return []
        names = [last_name(wanted)]
        if "/" in wanted or "." in wanted:
            names.append(name.strip().rpartition("/")[2])
        parameters: list[Any] = []
        where = named(names, parameters)
        if len(names) > 1:
            parameters.append(key_of(name.strip()))
            where = f"({where} OR (i.number = f.number AND f.key = ${len(parameters) + 2}))"
        rows = self.rows(f"{_FOUND}{where}{conditions(filters, self, parameters)}", parameters)
        if prefix:
            rows += self._beginning_with(last_name(wanted), filters, limit)
        ranked = {row[0]: (closeness(wanted, name.strip(), row, prefix), *row[4:]) for row in rows}
        best = sorted((key, number) for number, key in ranked.items() if key[0] is not None)
        return self.items([number for _, number in best[:limit]])

    def _beginning_with(self, start: str, filters: Filters, limit: int) -> list[Row]:
        parameters: list[Any] = []
        where = begins(start, parameters) + conditions(filters, self, parameters)
        parameters.append(limit)
        order = f"ORDER BY length(i.name), i.name, f.path, i.start_line, i.uid LIMIT ${len(parameters) + 2}"
        return self.rows(f"{_FOUND}{where} {order}", parameters)

    def definitions(self, name: str) -> Sequence[Definition]:
        """Return every symbol that has exactly this last name."""
        parameters: list[Any] = []
        where = named([name], parameters)
        parameters.append(name)
        sql = _DEFINITION.format(where=f"{where} AND i.name = ${len(parameters) + 2}")
        return list(self._definitions(self.rows(sql, parameters)))

    def members(self, owner_name: str) -> Sequence[Definition]:
        """Return every symbol whose owner has this last name."""
        sql = _DEFINITION.format(where="i.owner_key = $3::bigint")
        found = self._definitions(self.rows(sql, (owner_key(owner_name),)))
        return [definition for definition in found if last_name(definition.owner) == owner_name]

    def outline(self, files: Sequence[int] | None = None) -> Outline:
        """Return every item in bare rows, or only those of some files."""
        if files is None:
            rows = self.rows(_OUTLINE)
        else:
            rows = self.rows(f"{_OUTLINE} AND file = ANY($3::integer[])", (list(files),)) if files else []
        sql = "SELECT number, path, language, test, content FROM code_file WHERE space = $1 AND tree = $2"
        return Outline(rows, self._words, [(*row[:4], bytes(row[4])) for row in self.rows(sql)])

    def all_definitions(self) -> Iterator[Definition]:
        """Yield every symbol, by path."""
        return self._definitions(self.rows(_DEFINITION.format(where="i.name IS NOT NULL")))

    def _shape(self, shape: bytes) -> Shape:
        try:
            return read_shape(shape) if shape else NO_SHAPE
        except msgspec.MsgspecError as error:
            raise self.damaged(f"a shape cannot be read: {error}") from error

    def _definitions(self, rows: Sequence[Row]) -> Iterator[Definition]:
        places = {self.code(kind) for kind in PLACE_KINDS}
        for number, name, container, kind, path, language, owner, package, visibility, test, shape in rows:
            if kind in places:
                continue
            returns, bases, fields, parameters = self._shape(shape)
            yield Definition(
                number,
                name,
                qualified_of(name, container),
                self.word(kind),
                path,
                language,
                (container or "") if owner is None else owner,
                package,
                self.word(visibility),
                test,
                returns,
                bases,
                fields,
                parameters,
            )
