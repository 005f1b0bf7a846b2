"""Writes files with their items to a server, sending nothing that stays the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from recollect.errors import UsageError
from recollect.ports import FileRecord, NewItem
from recollect.store.postgres.columns import Table, encoded
from recollect.store.postgres.index_files import FileReading, key_of
from recollect.store.postgres.index_put_texts import TextWriting
from recollect.store.postgres.session import Row
from recollect.store.sqlite.items import container_of, owner_key
from recollect.store.sqlite.put_files import Texts, digest_in, digests_of, file_item

FILE = Table(
    "code_file",
    (
        ("number", "integer"), ("key", "bigint"), ("path", "text"), ("stem", "text"), ("folder", "text"),
        ("content", "bytea"), ("size", "bigint"), ("mtime_ns", "bigint"), ("language", "text"), ("lines", "integer"),
        ("test", "boolean"), ("generated", "boolean"), ("skipped", "text"), ("package", "text"), ("exports", "bytea"),
    ),
)  # fmt: skip
ITEM = Table(
    "code_item",
    (
        ("number", "integer"), ("uid", "bigint"), ("file", "integer"), ("kind", "smallint"), ("name", "text"),
        ("container", "text"), ("owner", "text"), ("owner_key", "bigint"), ("parent", "integer"),
        ("start_line", "integer"), ("lines", "integer"), ("start_byte", "integer"), ("bytes", "integer"),
        ("visibility", "smallint"), ("test", "boolean"), ("tokens", "integer"), ("texts", "bigint"),
        ("signature", "text"), ("doc", "text"), ("shape", "bytea"),
    ),
)  # fmt: skip
_FOLDER = Table("code_folder", (("key", "bigint"), ("path", "text"), ("mtime_ns", "bigint")))
_OLD_ITEMS = (
    f"SELECT {', '.join(name for name, _ in ITEM.columns)} FROM code_item "
    "WHERE space = $1 AND tree = $2 AND file = $3"
)
_TOUCH = (
    "UPDATE code_file SET content = $4, size = $5, mtime_ns = $6, language = $7, lines = $8, test = $9, "
    "generated = $10, skipped = $11, package = $12 WHERE space = $1 AND tree = $2 AND number = $3"
)
_TEXTS = [name for name, _ in ITEM.columns].index("texts")
_FEW = 20
"""So many files are looked up one by one; after that it is quicker to know them all."""


class FileWriting(TextWriting):
    """Writes the manifest, items and texts."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._files, self._items = self._wait(FILE), self._wait(ITEM)
        self._records: dict[str, FileRecord | None] = {}
        """What this transaction knows of files without asking."""
        self._written: set[str] = set()
        self._asked = 0
        self._all_known = not any(self._counts.get(name) for name in ("files", "skipped"))

    def file(self, path: str) -> FileRecord | None:
        """Return the record of a path as it stands inside this transaction."""
        if path not in self._records:
            self._records[path] = None if self._all_known else self._look_up(path)
        return self._records[path]

    def _look_up(self, path: str) -> FileRecord | None:
        self._asked += 1
        if self._asked <= _FEW:
            return super().file(path)
        for record in FileReading.files(self):
            self._records.setdefault(record.path, record)
        self._all_known = True
        return self._records.get(path)

    def set_folders(self, folders: Mapping[str, int]) -> None:
        """Replace what is known of the folders, writing only what differs."""
        known = self.folders()
        changed = {path: mtime for path, mtime in folders.items() if known.get(path) != mtime}
        gone = [key_of(path) for path in known if path not in folders or path in changed]
        if gone:
            sql = "DELETE FROM code_folder WHERE space = $1 AND tree = $2 AND key = ANY($3::bigint[])"
            self.change(sql, (gone,))
        self.insert(_FOLDER, [(key_of(path), path, mtime) for path, mtime in changed.items()])

    def put_file(
        self, record: FileRecord, items: Sequence[NewItem], texts: Texts, exports: bytes
    ) -> Mapping[int, int]:
        """Replace a file with its items and texts; return the number of every item by its uid."""
        known = self.file(record.path)
        old = self._old_items(known)
        if not record.skipped and not any(item.kind == "file" for item in items):
            items = [file_item(record), *items]
        numbers = self._number(record, items, old, None if known is None else known.number)
        if items:
            file = numbers[next(item.uid for item in items if item.kind == "file")]
        else:
            file = known.number if known is not None else self._next_number()
        rows = self._item_rows(file, items, numbers, digests_of(texts))
        self._keep_record(known, record._replace(number=file), exports)
        self._replace_items(rows, old)
        self._replace_texts(texts, {row[1]: row for row in rows}, old)
        self._written.add(record.path)
        self._send_many()
        return numbers

    def _old_items(self, known: FileRecord | None) -> dict[int, Row]:
        if known is None:
            return {}
        # Only what this very transaction wrote can be waiting.
        rows = (self.rows if known.path in self._written else self.now)(_OLD_ITEMS, (known.number,))
        return {row[1]: tuple(row) for row in rows}

    def _keep_record(self, known: FileRecord | None, record: FileRecord, exports: bytes) -> None:
        self._count_file(known, record)
        self._files.put(record.number, (*file_row(record), exports), known is not None)
        self._records[record.path] = record

    def _number(
        self, record: FileRecord, items: Sequence[NewItem], old: Mapping[int, Row], file: int | None
    ) -> dict[int, int]:
        numbers: dict[int, int] = {}
        for item in items:
            kept = file if item.kind == "file" and file is not None else old.get(item.uid, (None,))[0]
            numbers[item.uid] = self._next_number() if kept is None else kept
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
                    item.test,
                    item.tokens,
                    digests.get(item.uid, 0),
                    item.signature,
                    item.doc,
                    item.shape,
                )
            )
        return rows

    def _replace_items(self, rows: Sequence[Row], old: Mapping[int, Row]) -> None:
        new = {row[1] for row in rows}
        self._remove_items([row for uid, row in old.items() if uid not in new])
        for row in rows:
            before = old.get(row[1])
            if before == row:
                continue
            self._items.put(row[0], row, before is not None)
            self._count_kind(row[3], 1)
            if before is not None:
                self._count_kind(before[3], -1)

    def _remove_items(self, gone: Sequence[Row]) -> None:
        for row in gone:
            self._items.remove(row[0])
            self._count_kind(row[3], -1)
            self._removed += 1

    def _replace_texts(self, texts: Texts, rows: Mapping[int, Row], old: Mapping[int, Row]) -> None:
        self.remove_texts(
            before[0]
            for uid, before in old.items()
            if before[_TEXTS] and before[_TEXTS] != digest_in(rows, uid)
        )
        for name, entries in texts.items():
            for uid, columns in entries:
                if uid not in old or old[uid][_TEXTS] != rows[uid][_TEXTS]:
                    self.put_text(name, rows[uid][0], columns)

    def touch_file(self, record: FileRecord) -> None:
        """Write only the record of a file; its items stay. A new path is recorded without items."""
        known = self.file(record.path)
        if known is None:
            self._keep_record(None, record._replace(number=self._next_number()), b"")
            return
        touched = record._replace(number=known.number)
        waiting = self._files.rows.get(known.number)
        if waiting is not None:
            self._keep_record(known, touched, waiting[-1])
            return
        self._count_file(known, touched)
        row = file_row(touched)
        self.change(_TOUCH, (row[0], *row[5:]))
        self._records[record.path] = touched

    def remove_file(self, path: str) -> None:
        """Remove a file with its items, texts and exports; its segment is removed by its own call."""
        known = self.file(path)
        if known is None:
            return
        old = self._old_items(known)
        self.remove_texts(row[0] for row in old.values() if row[_TEXTS])
        self._remove_items(list(old.values()))
        self._files.remove(known.number)
        self._records[path] = None
        self._count_file(known, None)

    def _count_file(self, known: FileRecord | None, record: FileRecord | None) -> None:
        if known is not None:
            self._count("skipped" if known.skipped else "files", -1)
        if record is not None:
            self._count("skipped" if record.skipped else "files", 1)


def file_row(record: FileRecord) -> tuple[Any, ...]:
    """Return the values of a record in the order of the file table, without its exports."""
    encoded(record.path)
    path = PurePosixPath(record.path)
    return (
        record.number,
        key_of(record.path),
        record.path,
        path.stem,
        path.parent.name,
        record.content,
        record.size,
        record.mtime_ns,
        record.language,
        record.lines,
        bool(record.test),
        bool(record.generated),
        record.skipped,
        record.package,
    )
