"""Writes files with their items and texts, changing no row that stays the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from recollect.errors import UsageError
from recollect.ports import FileRecord, NewItem
from recollect.store.ids import uid_from
from recollect.store.sqlite.counting import Counting
from recollect.store.sqlite.files import file_columns
from recollect.store.sqlite.items import container_of, owner_key
from recollect.store.sqlite.snapshot import Row
from recollect.store.sqlite.texts import TEXT_TABLES, text_table

_INSERT_FILE = (
    "INSERT INTO file (number, path, stem, folder, content, size, mtime_ns, language, lines, test, generated, skipped, "
    "package) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO UPDATE SET "
    "content = excluded.content, size = excluded.size, mtime_ns = excluded.mtime_ns, language = excluded.language, "
    "lines = excluded.lines, test = excluded.test, generated = excluded.generated, skipped = excluded.skipped, "
    "package = excluded.package"
)
_ITEM_COLUMNS = (
    "number, uid, file, kind, name, container, owner, owner_key, parent, start_line, lines, start_byte, bytes, "
    "visibility, test, tokens, texts, signature, doc, shape"
)
_INSERT_ITEM = f"INSERT INTO item ({_ITEM_COLUMNS}) VALUES (?{', ?' * 19})"
_OLD_ITEMS = f"SELECT {_ITEM_COLUMNS} FROM item WHERE file = ?"
_UPDATE_ITEM = (
    "UPDATE item SET kind = ?, container = ?, owner = ?, parent = ?, start_line = ?, lines = ?, start_byte = ?, "
    "bytes = ?, visibility = ?, test = ?, tokens = ?, texts = ?, signature = ?, doc = ?, shape = ? WHERE number = ?"
)
_TEXTS = 16
"""Position of the texts' digest in a row of the item table."""

Texts = Mapping[str, Sequence[tuple[int, Sequence[str]]]]


class FileWriting(Counting):
    """Writes the manifest, items and texts."""

    def set_folders(self, folders: Mapping[str, int]) -> None:
        """Replace what is known of the folders, writing only what differs."""
        known = self.folders()
        self.change_many(
            "DELETE FROM folder WHERE path = ?", [(path,) for path in known if path not in folders]
        )
        changed = [(path, mtime) for path, mtime in folders.items() if known.get(path) != mtime]
        self.change_many("INSERT OR REPLACE INTO folder (path, mtime_ns) VALUES (?, ?)", changed)

    def put_file(
        self, record: FileRecord, items: Sequence[NewItem], texts: Texts, exports: bytes
    ) -> Mapping[int, int]:
        """Replace a file with its items and texts; return the number of every item by its uid."""
        known = self.row("SELECT number, skipped FROM file WHERE path = ?", (record.path,))
        old = {row[1]: row for row in self.rows(_OLD_ITEMS, (known[0],))} if known else {}
        if not record.skipped and not any(item.kind == "file" for item in items):
            items = [file_item(record), *items]
        numbers = self._number(record, items, old, None if known is None else known[0])
        file = (
            numbers[next(item.uid for item in items if item.kind == "file")]
            if items
            else self._file_number(known)
        )
        self._count_file(known, record)
        self.change(_INSERT_FILE, file_columns(record, file))
        self._put_exports(file, exports, known is not None)
        rows = self._item_rows(file, items, numbers, digests_of(texts))
        self._replace_items(rows, old)
        self._put_texts(texts, {row[1]: row for row in rows}, old)
        return numbers

    def _file_number(self, known: Row | None) -> int:
        return int(known[0]) if known else self._next_number()

    def _number(
        self, record: FileRecord, items: Sequence[NewItem], old: Mapping[int, Row], file: int | None
    ) -> dict[int, int]:
        numbers: dict[int, int] = {}
        for item in items:
            if item.kind == "file" and file is not None:
                numbers[item.uid] = file
            else:
                kept = old.get(item.uid)
                numbers[item.uid] = kept[0] if kept else self._next_number()
        if len(numbers) != len(items):
            raise UsageError(f"Two items of {record.path} have the same uid; give equal names an ordinal.")
        return numbers

    def _item_rows(
        self, file: int, items: Sequence[NewItem], numbers: Mapping[int, int], digests: Mapping[int, int]
    ) -> list[Row]:
        code = self._code_for
        rows = []
        for item in items:
            container = container_of(item.name, item.qualified)
            rows.append(
                (
                    numbers[item.uid],
                    item.uid,
                    file,
                    code(item.kind),
                    item.name or None,
                    container,
                    None if item.owner == (container or "") else item.owner,
                    owner_key(item.owner),
                    numbers.get(item.parent_uid),
                    item.start_line,
                    item.end_line - item.start_line,
                    item.start_byte,
                    item.end_byte - item.start_byte,
                    code(item.visibility),
                    int(item.test),
                    item.tokens,
                    digests.get(item.uid, 0),
                    item.signature,
                    item.doc,
                    item.shape,
                )
            )
        return rows

    def _replace_items(self, rows: Sequence[Row], old: Mapping[int, Row]) -> None:
        if not old:
            self.change_many(_INSERT_ITEM, rows)
            for row in rows:
                self._count_kind(row[3], 1)
            return
        new = {row[1] for row in rows}
        gone = [row for uid, row in old.items() if uid not in new]
        added, updated = [], []
        for row in rows:
            before = old.get(row[1])
            if before is None:
                added.append(row)
            elif before != row:
                # Rows whose indexed values stay are updated in place, which leaves the indexes alone.
                if (before[4], before[7]) == (row[4], row[7]):
                    updated.append((row[3], *row[5:7], *row[8:], row[0]))
                    self._count_kind(before[3], -1)
                    self._count_kind(row[3], 1)
                else:
                    gone.append(before)
                    added.append(row)
                    self._removed -= 1
        self._remove_items(gone)
        self.change_many(_INSERT_ITEM, added)
        self.change_many(_UPDATE_ITEM, updated)
        for row in added:
            self._count_kind(row[3], 1)

    def _remove_items(self, gone: Sequence[Row]) -> None:
        if gone:
            self.change_many("DELETE FROM item WHERE number = ?", [(row[0],) for row in gone])
            self._removed += len(gone)
            self._dirty = True
            for row in gone:
                self._count_kind(row[3], -1)

    def _put_texts(self, texts: Texts, rows: Mapping[int, Row], old: Mapping[int, Row]) -> None:
        stale = [
            before[0]
            for uid, before in old.items()
            if before[_TEXTS] and before[_TEXTS] != digest_in(rows, uid)
        ]
        if stale:
            for table in TEXT_TABLES.values():
                self.change_many(table.delete, [(number,) for number in sorted(stale)])
        for name, entries in texts.items():
            # Ascending numbers let FTS5 keep its terms in memory for longer.
            fresh = [
                (rows[uid][0], *columns)
                for uid, columns in entries
                if uid not in old or old[uid][_TEXTS] != rows[uid][_TEXTS]
            ]
            fresh.sort(key=lambda row: row[0])
            self.change_many(text_table(name).insert, fresh)

    def _put_exports(self, file: int, exports: bytes, known: bool) -> None:
        if exports:
            self.change("INSERT OR REPLACE INTO export (file, keys) VALUES (?, ?)", (file, exports))
        elif known:
            self.change("DELETE FROM export WHERE file = ?", (file,))

    def touch_file(self, record: FileRecord) -> None:
        """Write only the record of a file; its items stay. A new path is recorded without items."""
        known = self.row("SELECT number, skipped FROM file WHERE path = ?", (record.path,))
        self._count_file(known, record)
        self.change(_INSERT_FILE, file_columns(record, self._file_number(known)))

    def remove_file(self, path: str) -> None:
        """Remove a file with its items, texts and exports; its segment is removed by its own call."""
        known = self.row("SELECT number, skipped FROM file WHERE path = ?", (path,))
        if known is None:
            return
        old = self.rows(_OLD_ITEMS, (known[0],))
        stale = sorted((row[0],) for row in old if row[_TEXTS])
        for table in TEXT_TABLES.values():
            self.change_many(table.delete, stale)
        self._remove_items(old)
        self.change("DELETE FROM export WHERE file = ?", (known[0],))
        self.change("DELETE FROM file WHERE number = ?", (known[0],))
        self._count_file(known, None)

    def _count_file(self, known: Row | None, record: FileRecord | None) -> None:
        if known is not None:
            self._count("skipped" if known[1] else "files", -1)
        if record is not None:
            self._count("skipped" if record.skipped else "files", 1)


def file_item(record: FileRecord) -> NewItem:
    """Return the item that stands for a file."""
    name = record.path.rpartition("/")[2]
    return NewItem(
        uid=uid_from("code", record.path, "", "file", "0"),
        kind="file",
        name=name,
        qualified=record.path,
        start_line=1,
        end_line=max(record.lines, 1),
        start_byte=0,
        end_byte=record.size,
        test=record.test,
    )


def digests_of(texts: Texts) -> dict[int, int]:
    """Return a 47-bit digest of all the texts of each item; 0 means that an item has none."""
    digests: dict[int, int] = {}
    for name in sorted(texts):
        for uid, columns in texts[name]:
            before = digests.get(uid)
            state = f"{before or ''}\0{name}\0" + "\0".join(columns)
            digest = blake2b(state.encode("utf-8", "surrogatepass"), digest_size=6).digest()
            digests[uid] = (int.from_bytes(digest, "big") >> 1) or 1
    return digests


def digest_in(rows: Mapping[int, Row], uid: int) -> int:
    """Return the digest of an item's texts in its row, 0 when there is no such row."""
    row = rows.get(uid)
    return 0 if row is None else int(row[_TEXTS])
