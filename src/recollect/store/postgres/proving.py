"""Proves of statements that they name their space: by the plan that the server makes for each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import psycopg
from psycopg.sql import Literal

from recollect.store.postgres.columns import Cell
from recollect.store.postgres.schema import SCHEMA
from recollect.store.postgres.session import Session

_INSERT = re.compile(r"\bINSERT INTO \w+ \(space\b[^)]*\)\s*(?:SELECT \$1\b|VALUES \(\$1\b)")
_INSERTS = re.compile(r"\bINSERT INTO\b")
_MOVES = re.compile(r"\bSET\s+(?:\([^)]*\bspace\b|space\s*=)")
_CONDITIONS = ("Index Cond", "Recheck Cond", "Filter", "TID Cond")
_EXPLAINED = re.compile(r"^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b", re.IGNORECASE)
_PARAMETER = re.compile(r"\$(\d+)\b")
_OPEN = "migration"
"""The one table that belongs to no space."""


def findings(session: Session, statements: Mapping[str, tuple[Any, ...]]) -> list[str]:
    """Return a sentence for each statement that could reach into another space, none when all are proven."""
    return [sentence for sql, values in statements.items() for sentence in _looked_at(session, sql, values)]


def _looked_at(session: Session, sql: str, values: tuple[Any, ...]) -> Iterator[str]:
    if not _EXPLAINED.match(sql):
        return
    shown = " ".join(sql.split())
    if len(_INSERTS.findall(sql)) != len(_INSERT.findall(sql)):
        yield f"This writes rows without giving them the space: {shown}"
    if _MOVES.search(sql):
        yield f"This changes the space of rows: {shown}"
    space = f"space = '{values[0]}'::bigint"
    for node in _nodes(_plan(session, sql, values)):
        tasks = node.get("Distributed Query", {}).get("Job", {}).get("Task Count", 1)
        if tasks != 1:
            yield f"This asks {tasks} parts of the cluster: {shown}"
        table = node.get("Relation Name")
        if (
            table is None
            or node.get("Schema") != SCHEMA
            or table == _OPEN
            or node["Node Type"] == "ModifyTable"
        ):
            continue
        if not any(space in str(node.get(name, "")) for name in _CONDITIONS):
            yield f"This reads {table} without naming the space: {shown}"


def _plan(session: Session, sql: str, values: tuple[Any, ...]) -> dict[str, Any]:
    explained = f"EXPLAIN (VERBOSE, FORMAT JSON) {sql}"
    if session.address.spread:
        # A cluster explains no statement with parameters.
        rows = session.connection.execute(_written(session, explained, values)).fetchall()
    else:
        rows = session.connection.execute(explained, values, binary=True).fetchall()
    plan: dict[str, Any] = rows[0][0][0]["Plan"]
    return plan


def _written(session: Session, sql: str, values: tuple[Any, ...]) -> str:
    """Return a statement with its values written into it."""
    plain = [value.value if isinstance(value, Cell) else value for value in values]
    return _PARAMETER.sub(lambda found: Literal(plain[int(found[1]) - 1]).as_string(session.connection), sql)


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from _nodes(below)


def keys(connection: psycopg.Connection[Any]) -> list[str]:
    """Return a sentence for each table that cannot be distributed by space: by its key and every unique index."""
    rows = connection.execute(
        "SELECT c.relname, c.relrowsecurity, i.relname, x.indisprimary, "
        "array_agg(a.attname::text ORDER BY array_position(x.indkey::int2[], a.attnum)) FROM pg_class c "
        "JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_index x ON x.indrelid = c.oid AND x.indisunique "
        "LEFT JOIN pg_class i ON i.oid = x.indexrelid "
        "LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(x.indkey::int2[]) "
        f"WHERE n.nspname = '{SCHEMA}' AND c.relkind IN ('r', 'p') AND c.relname <> '{_OPEN}' "
        "GROUP BY 1, 2, 3, 4 ORDER BY 1, 3"
    ).fetchall()
    found = []
    for table, guarded, index, primary, columns in rows:
        if not guarded:
            found.append(f"The table {table} has no row policies.")
        if index is None:
            found.append(f"The table {table} has no key.")
        elif primary and columns[0] != "space":
            found.append(f"The key {index} of {table} does not begin with the space.")
        elif "space" not in columns:
            found.append(f"The unique index {index} of {table} does not hold the space.")
    return found
