"""The numbered migrations: data files that are applied in order, after a backup where the data is precious."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import apsw

from recollect.errors import NewerSchemaError

APPLICATION = 0x7265636F
"""Marks a database file as ours in SQLite's header."""
KEPT_BACKUPS = 3


@cache
def migrations() -> tuple[tuple[int, str], ...]:
    """Return the number and text of every migration, in order."""
    folder = files("recollect.store") / "migrations"
    found = [
        (int(entry.name.split("_")[0]), entry) for entry in folder.iterdir() if entry.name.endswith(".sql")
    ]
    return tuple(
        (number, entry.read_text("utf-8")) for number, entry in sorted(found, key=lambda pair: pair[0])
    )


def latest() -> int:
    """Return the schema version that this code writes."""
    return migrations()[-1][0]


def version(connection: apsw.Connection) -> int:
    """Return the schema version of an open database; 0 when it is empty."""
    return int(connection.pragma("user_version"))


def refuse_newer(found: int, path: Path) -> None:
    """Raise NewerSchemaError when a database has a schema that this code does not know."""
    if found > latest():
        raise NewerSchemaError(
            f"{path} was written by a newer recollect (schema {found}, this one knows {latest()}); "
            "update with 'pip install -U recollect'."
        )


def migrate(connection: apsw.Connection) -> None:
    """Apply the migrations that are missing, all or none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        found = version(connection)
        for number, text in migrations():
            if number > found:
                connection.execute(text)
                connection.pragma("user_version", number)
        connection.pragma("application_id", APPLICATION)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def back_up(connection: apsw.Connection, path: Path) -> Path:
    """Copy a database beside itself before its schema changes, and keep the last few such copies."""
    copy = path.with_name(f"{path.name}.v{version(connection)}.backup")
    unfinished = copy.with_name(copy.name + ".part")
    unfinished.unlink(missing_ok=True)
    target = apsw.Connection(str(unfinished))
    try:
        with target.backup("main", connection, "main") as work:
            work.step()
    finally:
        target.close()
    unfinished.replace(copy)
    copies = sorted(path.parent.glob(f"{path.name}.v*.backup"), key=lambda found: found.stat().st_mtime_ns)
    for old in copies[:-KEPT_BACKUPS]:
        old.unlink()
    return copy
