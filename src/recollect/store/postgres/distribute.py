"""Spreads the tables of a store over many machines by space, where Citus is present."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import psycopg

from recollect.errors import StoreError
from recollect.store.postgres.address import Address
from recollect.store.postgres.faults import translate
from recollect.store.postgres.schema import SCHEMA
from recollect.store.postgres.server import connected

EXTENSION = "citus"
FIRST = "space"
"""The table beside whose shards those of all others are put."""

_SETTINGS = (
    # What a transaction says of itself must be known where its rows are.
    "citus.propagate_set_commands = ''local''",
    # A row policy looks up the members of its own space, on the machine on which that is.
    "citus.allow_nested_distributed_execution = on",
)
_AS_ONE_USER = (
    # Within a transaction a cluster lets only one user look at rows that were changed, so whoever is connected looks
    # up the level alone, and sees the own rows of members and those of the own groups.
    f"ALTER POLICY reading ON {SCHEMA}.member USING "
    "(pg_has_role(session_user, to_regrole(quote_ident(login))::oid, 'MEMBER'))",
    f"ALTER FUNCTION {SCHEMA}.level_in(bigint) SECURITY INVOKER",
    f"ALTER FUNCTION {SCHEMA}.current_space(integer) SECURITY INVOKER",
    f"GRANT EXECUTE ON FUNCTION {SCHEMA}.level_in(bigint) TO recollect_reader",
)
_SUBQUERY = re.compile(r"\( SELECT ([\w.]+\([^()]*\)) AS \w+\)")


class Distributed(NamedTuple):
    """What was distributed now, and what had been before."""

    new: list[str]
    known: list[str]


def distribute(address: Address) -> Distributed:
    """Distribute every table by space, all rows of one space on one machine; doing it again changes nothing."""
    with connected(address) as connection:
        if not connection.execute("SELECT 1 FROM pg_extension WHERE extname = $1", (EXTENSION,)).fetchone():
            raise StoreError(
                f"The database of {address.shown} has no extension {EXTENSION}, so all stays on its one machine; "
                f"install it, add {EXTENSION} to shared_preload_libraries and run CREATE EXTENSION {EXTENSION}. "
                "Nothing was changed."
            )
        try:
            return _distribute(connection)
        except psycopg.Error as error:
            raise translate(error, address) from None


def _distribute(connection: psycopg.Connection[Any]) -> Distributed:
    known = {row[0] for row in connection.execute("SELECT table_name::text FROM citus_tables").fetchall()}
    tables = [
        row[0]
        for row in connection.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            f"WHERE n.nspname = '{SCHEMA}' AND c.relkind = 'r' AND c.relname <> 'migration' "
            "ORDER BY c.relname <> $1, 1",
            (FIRST,),
        ).fetchall()
    ]
    new = [table for table in tables if f"{SCHEMA}.{table}" not in known]
    for setting in _SETTINGS:
        # The names of databases are quoted by the server, on whose machines they are the same.
        connection.execute(
            f"SELECT run_command_on_all_nodes(format('ALTER DATABASE %I SET {setting}', current_database()))"
        )
    for statement in _AS_ONE_USER:
        connection.execute(statement)
    for table in new:
        _plain_policies(connection, table)
        beside = "default" if table == FIRST else f"{SCHEMA}.{FIRST}"
        connection.execute(
            "SELECT create_distributed_table($1::text::regclass, 'space', colocate_with => $2)",
            (f"{SCHEMA}.{table}", beside),
        )
    return Distributed(new, [table for table in tables if table not in new])


def _plain_policies(connection: psycopg.Connection[Any], table: str) -> None:
    """Write the row policies of a table without subqueries, which Citus does not take."""
    rows = connection.execute(
        "SELECT policyname, qual, with_check FROM pg_policies WHERE schemaname = $1 AND tablename = $2",
        (SCHEMA, table),
    ).fetchall()
    for name, *conditions in rows:
        plain = [_SUBQUERY.sub(r"\1", text) if text else "" for text in conditions]
        clauses = [
            f"{word} ({text})" for word, text in zip(("USING", "WITH CHECK"), plain, strict=True) if text
        ]
        connection.execute(f"ALTER POLICY {name} ON {SCHEMA}.{table} {' '.join(clauses)}")
