"""The manifest on a server: which files and folders there are and what they were when they were indexed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from recollect.ports import FileRecord
from recollect.store.ids import uid_from
from recollect.store.postgres.index_snapshot import Snapshot

_COLUMNS = "path, content, size, mtime_ns, language, lines, test, generated, skipped, package, number"
_FILE = f"SELECT {_COLUMNS} FROM code_file WHERE space = $1 AND tree = $2"


def key_of(name: str) -> int:
    """Return the number under which a path or a unit is found, however long it is."""
    return uid_from("key", name)


class FileReading(Snapshot):
    """Reads the manifest."""

    def file(self, path: str) -> FileRecord | None:
        """Return the record of a path."""
        found = self.row(f"{_FILE} AND key = $3", (key_of(path),))
        return None if found is None else FileRecord(*found)

    def files(self) -> Iterator[FileRecord]:
        """Yield the record of every known file, by path."""
        return (FileRecord(*row) for row in self.rows(f"{_FILE} ORDER BY path"))

    def files_named(self, stem: str) -> Sequence[FileRecord]:
        """Return the files whose name without its last suffix is the stem, by path."""
        return [FileRecord(*row) for row in self.rows(f"{_FILE} AND stem = $3 ORDER BY path", (stem,))]

    def files_in(self, folder_name: str) -> Sequence[FileRecord]:
        """Return the files that lie directly in any folder of that name, by path; the root's name is empty."""
        return [
            FileRecord(*row) for row in self.rows(f"{_FILE} AND folder = $3 ORDER BY path", (folder_name,))
        ]

    def folders(self) -> Mapping[str, int]:
        """Return the modification time of every folder when it was last listed."""
        return dict(self.rows("SELECT path, mtime_ns FROM code_folder WHERE space = $1 AND tree = $2"))

    def exports(self, path: str) -> bytes:
        """Return what the file contributes to the lookups of others, as it was given to put_file."""
        sql = "SELECT exports FROM code_file WHERE space = $1 AND tree = $2 AND key = $3"
        found = self.row(sql, (key_of(path),))
        return b"" if found is None else bytes(found[0])
