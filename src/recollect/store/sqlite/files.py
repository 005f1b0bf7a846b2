"""The manifest: which files and folders there are and what they were when they were indexed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from recollect.ports import FileRecord
from recollect.store.sqlite.snapshot import Row, Snapshot

_COLUMNS = "path, content, size, mtime_ns, language, lines, test, generated, skipped, package, number"


def _record(row: Row) -> FileRecord:
    path, content, size, mtime_ns, language, lines, test, generated, skipped, package, number = row
    return FileRecord(
        path, content, size, mtime_ns, language, lines, test == 1, generated == 1, skipped, package, number
    )


def file_columns(record: FileRecord, number: int) -> tuple[Any, ...]:
    """Return the values of a record in the order of the file table."""
    path = PurePosixPath(record.path)
    return (
        number,
        record.path,
        path.stem,
        path.parent.name,
        record.content,
        record.size,
        record.mtime_ns,
        record.language,
        record.lines,
        int(record.test),
        int(record.generated),
        record.skipped,
        record.package,
    )


class FileReading(Snapshot):
    """Reads the manifest."""

    def file(self, path: str) -> FileRecord | None:
        """Return the record of a path."""
        found = self.row(f"SELECT {_COLUMNS} FROM file WHERE path = ?", (path,))
        return None if found is None else _record(found)

    def files(self) -> Iterator[FileRecord]:
        """Yield the record of every known file, by path."""
        return map(_record, self.each(f"SELECT {_COLUMNS} FROM file ORDER BY path"))

    def files_named(self, stem: str) -> Sequence[FileRecord]:
        """Return the files whose name without its last suffix is the stem, by path."""
        return [
            _record(row)
            for row in self.rows(f"SELECT {_COLUMNS} FROM file WHERE stem = ? ORDER BY path", (stem,))
        ]

    def files_in(self, folder_name: str) -> Sequence[FileRecord]:
        """Return the files that lie directly in any folder of that name, by path; the root's name is empty."""
        sql = f"SELECT {_COLUMNS} FROM file WHERE folder = ? ORDER BY path"
        return [_record(row) for row in self.rows(sql, (folder_name,))]

    def folders(self) -> Mapping[str, int]:
        """Return the modification time of every folder when it was last listed."""
        return dict(self.rows("SELECT path, mtime_ns FROM folder"))

    def exports(self, path: str) -> bytes:
        """Return what the file contributes to the lookups of others, as it was given to put_file."""
        sql = "SELECT keys FROM export JOIN file ON number = file WHERE path = ?"
        found = self.row(sql, (path,))
        return b"" if found is None else bytes(found[0])
