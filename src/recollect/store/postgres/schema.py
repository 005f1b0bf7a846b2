"""The numbered migrations of the server's schema, and what a server must have before anything is done to it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import psycopg

from recollect.errors import NewerSchemaError, ReadOnlyError, StoreError
from recollect.store.postgres.address import Address
from recollect.store.postgres.faults import state_of, translate

SCHEMA = "recollect"
OLDEST_SERVER = 150_000
VECTOR = "vector"
OLDEST_VECTOR = (0, 7)
LOCK = 0x7265636F6C6C6563
"""Held while the schema is brought up to date."""


@cache
def migrations() -> tuple[tuple[int, str], ...]:
    """Return the number and text of every migration, in order."""
    folder = files("recollect.store.postgres") / "migrations"
    found = [
        (int(entry.name.split("_")[0]), entry) for entry in folder.iterdir() if entry.name.endswith(".sql")
    ]
    return tuple(
        (number, entry.read_text("utf-8")) for number, entry in sorted(found, key=lambda pair: pair[0])
    )


def latest() -> int:
    """Return the schema version that this code writes."""
    return migrations()[-1][0]


def prepare(connection: Any, address: Address) -> None:
    """Bring the schema up to date; refuse a server that cannot be used, before anything is changed."""
    if connection.info.server_version < OLDEST_SERVER:
        raise StoreError(
            f"The server of {address.shown} is PostgreSQL {connection.info.server_version / 10000:.0f}; "
            f"recollect needs {OLDEST_SERVER // 10000} or newer. Nothing was changed."
        )
    found = version(connection, address)
    if found > latest():
        raise NewerSchemaError(
            f"The store {address.shown} was written by a newer recollect (schema {found}, this one knows {latest()}); "
            "update with 'pip install -U recollect'."
        )
    if found < latest():
        _bring_up(connection, address)


def is_spread(connection: Any) -> bool:
    """Tell whether the tables may lie on many machines."""
    return bool(connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'").fetchone())


def version(connection: Any, address: Address) -> int:
    """Return the schema version of a database, 0 when there is nothing; refuse a schema of another program."""
    tables = _column(
        connection,
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        f"WHERE n.nspname = '{SCHEMA}' AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1",
    )
    if not tables:
        return 0
    ours = _column(
        connection,
        "SELECT attname FROM pg_attribute WHERE attnum > 0 AND attrelid = "
        f"to_regclass('{SCHEMA}.migration') ORDER BY attnum",
    )
    if ours != ["number", "applied"]:
        raise StoreError(
            f"The schema {SCHEMA} of {address.shown} holds tables of another program ({', '.join(tables[:3])}); "
            "give recollect a database of its own. Nothing was changed."
        )
    try:
        return int(_column(connection, f"SELECT coalesce(max(number), 0) FROM {SCHEMA}.migration")[0])
    except psycopg.Error as error:
        raise translate(error, address) from None


def _bring_up(connection: Any, address: Address) -> None:
    if _column(connection, "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool")[0]:
        raise ReadOnlyError(
            f"The store {address.shown} must be brought to schema {latest()} but takes no writes; "
            "connect to the main server once. Nothing was changed."
        )
    need_vector = _missing_vector(connection, address)
    try:
        connection.execute("BEGIN")
        connection.execute(f"SELECT pg_advisory_xact_lock({LOCK})")
        if need_vector:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        connection.execute(f"SET LOCAL search_path = {SCHEMA}, public")
        found = version(connection, address)
        for number, text in migrations():
            if number > found:
                connection.execute(text)
                connection.execute(f"INSERT INTO migration (number) VALUES ({number})")
        connection.execute("COMMIT")
    except BaseException as error:
        if not connection.closed:
            connection.execute("ROLLBACK")
        if state_of(error) == "42501":
            raise ReadOnlyError(
                f"The login of {address.shown} may not set the store up ({translate_reason(error)}); connect once as "
                "an administrator who may create a schema, roles and the extension vector. Nothing was changed."
            ) from None
        raise


def translate_reason(error: BaseException) -> str:
    """Return the first line of an error of the server."""
    return (str(error).splitlines() or [""])[0]


def _missing_vector(connection: Any, address: Address) -> bool:
    """Tell whether the extension has still to be created; refuse a server that does not have it."""
    found = connection.execute(
        "SELECT installed_version, coalesce(installed_version, default_version) FROM pg_available_extensions "
        f"WHERE name = '{VECTOR}'"
    ).fetchone()
    if found is None:
        raise StoreError(
            f"The server of {address.shown} has no pgvector; install it there (Debian: postgresql-NN-pgvector from "
            "apt.postgresql.org). Nothing was changed."
        )
    if tuple(int(part) for part in found[1].split(".")[:2]) < OLDEST_VECTOR:
        raise StoreError(
            f"The server of {address.shown} has pgvector {found[1]}; recollect needs "
            f"{'.'.join(map(str, OLDEST_VECTOR))} or newer (ALTER EXTENSION vector UPDATE). Nothing was changed."
        )
    return found[0] is None


def _column(connection: Any, sql: str) -> list[Any]:
    return [row[0] for row in connection.execute(sql).fetchall()]
