"""Reads items: by number, id, file and name, and as the definitions that resolvers look up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b

import msgspec

from recollect.errors import UsageError
from recollect.ports import Definition, Filters, Outline
from recollect.store.ids import PREFIXES, id_of, uid_of
from recollect.store.sqlite.filters import conditions
from recollect.store.sqlite.snapshot import Row, Snapshot
from recollect.types import PLACE_KINDS, Item

NESTED = "."
"""Joins a container and a name into a qualified name."""
_BATCH = 500
_ITEM = (
    "SELECT i.number, i.uid, i.kind, i.name, i.container, i.owner, i.start_line, i.lines, i.start_byte, i.bytes, "
    "i.visibility, i.test, i.tokens, i.signature, i.doc, f.path, f.language, p.uid "
    "FROM item i JOIN file f ON f.number = i.file LEFT JOIN item p ON p.number = i.parent "
)
_ITEMS = f"{_ITEM} WHERE i.number IN (SELECT value FROM json_each(?))"
_DEFINITION = (
    "SELECT i.number, i.name, i.container, i.kind, f.path, f.language, i.owner, f.package, i.visibility, i.test, "
    "i.shape FROM item i {index} JOIN file f ON f.number = i.file WHERE {where} ORDER BY f.path, i.container, i.uid"
)
_OUTLINE = (
    "SELECT number, uid, file, kind, name, container, start_line, lines, start_byte, bytes, visibility, test, "
    "doc <> '', signature FROM item"
)
_FOUND = (
    "SELECT i.number, i.name, i.container, f.package, i.test, f.path, i.start_line, i.uid "
    "FROM item i JOIN file f ON f.number = i.file WHERE "
)

Shape = tuple[str, tuple[str, ...], tuple[tuple[str, str, bool], ...], int]
read_shape = msgspec.msgpack.Decoder(Shape).decode
NO_SHAPE: Shape = ("", (), (), -1)


_parent_id = lru_cache(maxsize=65536)(id_of)


@lru_cache(maxsize=65536)
def owner_key(owner: str) -> int | None:
    """Return the 32-bit key under which the members of an owner are found: its last name's hash."""
    return (
        int.from_bytes(blake2b(last_name(owner).encode(), digest_size=4).digest(), "big") if owner else None
    )


def last_name(qualified: str) -> str:
    """Return what follows the last dot."""
    return qualified.rpartition(NESTED)[2]


def container_of(name: str, qualified: str) -> str | None:
    """Return what stands before the name in a qualified name, or None when nothing does."""
    if qualified == name or not name:
        return None
    if qualified.endswith(NESTED + name):
        return qualified[: -len(name) - 1]
    return NESTED + qualified


def qualified_of(name: str | None, container: str | None) -> str:
    """Return the qualified name that container_of took apart."""
    if container is None:
        return name or ""
    # A leading dot marks a whole qualified name that does not end in the name.
    return container[1:] if container.startswith(NESTED) else f"{container}{NESTED}{name}"


class ItemReading(Snapshot):
    """Reads items."""

    def items(self, numbers: Sequence[int]) -> Sequence[Item]:
        """Return the items with these numbers, in the given order, without those that are gone."""
        found: dict[int, Item] = {}
        wanted = list(dict.fromkeys(numbers))
        for start in range(0, len(wanted), _BATCH):
            found.update(self._items_by_number(wanted[start : start + _BATCH]))
        return [found[number] for number in numbers if number in found]

    def _items_by_number(self, numbers: list[int]) -> dict[int, Item]:
        # One statement for any count, so that it is compiled once; rising numbers lie side by side on the pages.
        rising = msgspec.json.encode(sorted(numbers)).decode()
        found = {row[0]: self._item(row) for row in self.rows(_ITEMS, (rising,))}
        missing = [number for number in numbers if number not in found]
        if missing:
            marks = ", ".join("?" * len(missing))
            sql = f"SELECT number, uid, kind, name FROM external WHERE number IN ({marks})"
            found.update((row[0], self._external(row)) for row in self.rows(sql, missing))
        return found

    def item(self, public_id: str) -> Item | None:
        """Return the item with a public id."""
        try:
            uid = uid_of(public_id)
        except UsageError:
            return None
        if public_id[0] != PREFIXES[self.domain]:
            return None
        row = self.row(f"{_ITEM} WHERE i.uid = ?", (uid,))
        if row is not None:
            return self._item(row)
        row = self.row("SELECT number, uid, kind, name FROM external WHERE uid = ?", (uid,))
        return None if row is None else self._external(row)

    def items_of(self, path: str) -> Sequence[Item]:
        """Return all items of a file in the order of the text, outer ones first."""
        sql = f"{_ITEM} WHERE f.path = ? ORDER BY i.start_byte, i.bytes DESC, i.uid"
        return [self._item(row) for row in self.rows(sql, (path,))]

    def numbers_of(self, path: str) -> Mapping[int, int]:
        """Return the number of each item of a file by its uid."""
        sql = "SELECT i.uid, i.number FROM item i JOIN file f ON f.number = i.file WHERE f.path = ?"
        return dict(self.rows(sql, (path,)))

    def _item(self, row: Row) -> Item:
        number, uid, kind, name, container, owner, start, lines, first, size, *rest = row
        visibility, test, tokens, signature, doc, path, language, parent = rest
        domain = self.domain
        # By position, in the order of the fields: hundreds are made for a question.
        return Item(
            id_of(uid, domain), domain, self.word(kind), qualified_of(name, container), path,
            start, start + lines, first, first + size, signature, doc, "", language, self.word(visibility),
            test == 1, (container or "") if owner is None else owner, tokens, number,
            {} if parent is None else {"parent": _parent_id(parent, domain)},
        )  # fmt: skip

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
        extra, parameters = conditions(filters, self)
        rows = self.rows(f"{_FOUND} i.name = ? COLLATE NOCASE{extra}", [last_name(wanted), *parameters])
        if "/" in wanted or "." in wanted:
            sql = f"{_FOUND} i.number = f.number AND f.path = ?{extra}"
            rows += self.rows(sql, [name.strip(), *parameters])
            base = name.strip().rpartition("/")[2]
            rows += self.rows(f"{_FOUND} i.name = ? COLLATE NOCASE{extra}", [base, *parameters])
        if prefix:
            rows += self._beginning_with(last_name(wanted), extra, parameters, limit)
        ranked = {row[0]: (closeness(wanted, name.strip(), row, prefix), *row[4:]) for row in rows}
        best = sorted((key, number) for number, key in ranked.items() if key[0] is not None)
        return self.items([number for _, number in best[:limit]])

    def _beginning_with(self, start: str, extra: str, parameters: list[object], limit: int) -> list[Row]:
        sql = (
            f"{_FOUND} i.name >= ? COLLATE NOCASE AND i.name < ? COLLATE NOCASE{extra} "
            "ORDER BY length(i.name), i.name, f.path, i.start_line, i.uid LIMIT ?"
        )
        return self.rows(sql, [start, start + "\U0010ffff", *parameters, limit])

    def definitions(self, name: str) -> Sequence[Definition]:
        """Return every symbol that has exactly this last name."""
        sql = _DEFINITION.format(index="", where="i.name = ?1 COLLATE NOCASE AND i.name = ?1")
        return list(self._definitions(self.rows(sql, (name,))))

    def members(self, owner_name: str) -> Sequence[Definition]:
        """Return every symbol whose owner has this last name."""
        sql = _DEFINITION.format(index="", where="i.owner_key = ?")
        found = self._definitions(self.rows(sql, (owner_key(owner_name),)))
        return [definition for definition in found if last_name(definition.owner) == owner_name]

    def outline(self, files: Sequence[int] | None = None) -> Outline:
        """Return every item in bare rows, or only those of some files."""
        if files is None:
            rows = self.rows(f"{_OUTLINE} NOT INDEXED")
        else:
            inside = f"{_OUTLINE} WHERE file IN (SELECT value FROM json_each(?))"
            rows = self.rows(inside, (msgspec.json.encode(list(files)).decode(),)) if files else []
        known = self.rows("SELECT number, path, language, test, content FROM file")
        self._load_codes()
        return Outline(rows, self._words, known)

    def all_definitions(self) -> Iterator[Definition]:
        """Yield every symbol, by path."""
        return self._definitions(
            self.each(_DEFINITION.format(index="NOT INDEXED", where="i.name IS NOT NULL"))
        )

    def _shape(self, shape: bytes) -> Shape:
        try:
            return read_shape(shape) if shape else NO_SHAPE
        except msgspec.MsgspecError as error:
            raise self.damaged(f"a shape cannot be read: {error}") from error

    def _definitions(self, rows: Sequence[Row] | Iterator[Row]) -> Iterator[Definition]:
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
                test == 1,
                returns,
                bases,
                fields,
                parameters,
            )


def closeness(wanted: str, written: str, row: Row, prefix: bool) -> int | None:
    """Return how near a found name is to what was asked, 0 being equal, None being something else."""
    _, name, container, package, *_, path, _, _ = row
    qualified = qualified_of(name, container)
    whole = f"{package}{NESTED}{qualified}" if package else qualified
    if wanted in {qualified, whole} or written == path:
        return 0
    lowered = wanted.lower()
    if name in {wanted, written}:
        return 1
    if name.lower() in {lowered, written.lower()}:
        return 2
    if NESTED in wanted:
        if whole.endswith(NESTED + wanted):
            return 3
        if f"{NESTED}{whole}".lower().endswith(NESTED + lowered):
            return 4
        return None if not (prefix and lowered in whole.lower()) else 6
    return 5 if prefix and name.lower().startswith(lowered) else None
