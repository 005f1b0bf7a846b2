"""Who may do what in a space, and which of its memories other spaces may read."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from recollect.errors import NotFoundError, UsageError
from recollect.store.memories import MemoryRow
from recollect.store.memory_rows import memory_of
from recollect.store.postgres.memory_reading import SELECT_WHOLE
from recollect.store.postgres.server import LEVELS, Server, Space, beside, space_uid
from recollect.store.postgres.session import Session


class Member(NamedTuple):
    """A login, or a group of logins, and what it may do."""

    login: str
    role: str


class Share(NamedTuple):
    """One memory that one space lets another read."""

    uid: int
    other: str
    """The other space: of what was given, who got it; of what was got, who gave it."""
    given_by: str
    created: datetime


def members(server: Server, space: Space) -> list[Member]:
    """Return who is let in."""
    sql = "SELECT login, level FROM list_members() WHERE $1::bigint IS NOT NULL"
    return [Member(login, LEVELS[level]) for login, level in server.read(space, lambda one: one.rows(sql))]


def admit(server: Server, space: Space, login: str, role: str) -> None:
    """Let a login in, or give it another role."""
    if role not in LEVELS[1:]:
        raise UsageError(f"There is no role '{role}'; the roles are {', '.join(LEVELS[1:])}.")
    sql = "SELECT admit($2, $3) WHERE $1::bigint IS NOT NULL"
    server.own(space, lambda session: session.rows(sql, (login, LEVELS.index(role))))


def dismiss(server: Server, space: Space, login: str) -> bool:
    """Put a login out; tell whether it was in."""
    sql = "SELECT dismiss($2) WHERE $1::bigint IS NOT NULL"
    return bool(server.own(space, lambda session: session.rows(sql, (login,)))[0][0])


def share(server: Server, space: Space, uid: int, target: str) -> bool:
    """Let another space read a memory; tell whether that is new. Each space is changed by itself."""
    if target == space.name:
        raise UsageError("A space reads its own memories already; name another one.")
    if server.address.spread:
        raise UsageError(
            f"{server.address.shown} is a cluster, on which no space can read memories of another; nothing was shared."
        )

    def give(session: Session) -> int:
        if not session.row("SELECT 1 FROM memory WHERE space = $1 AND uid = $2", (uid,)):
            raise NotFoundError("There is no such memory in this space; recall shows the ids.")
        if not session.rows("SELECT is_space($2) WHERE $1::bigint IS NOT NULL", (space_uid(target),))[0][0]:
            raise NotFoundError(f"There is no space '{target}' on this server; nothing was shared.")
        sql = "INSERT INTO share (space, target, name, uid) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING"
        return session.change(sql, (space_uid(target), target, uid))

    new = server.own(space, give) > 0
    _list(server, space, uid, target)
    return new


def unshare(server: Server, space: Space, uid: int, target: str) -> bool:
    """Take a memory back; tell whether it was shared."""
    sql = "DELETE FROM share WHERE space = $1 AND target = $2 AND uid = $3"
    known = server.own(space, lambda session: session.change(sql, (space_uid(target), uid))) > 0
    _list(server, space, uid, target)
    return known


def _list(server: Server, space: Space, uid: int, target: str) -> None:
    sql = "SELECT list_shared($2, $3, $4) WHERE $1::bigint IS NOT NULL"
    beside(server, Space(target), lambda session: session.rows(sql, (space.uid, uid, space.name)))


def given(server: Server, space: Space) -> list[Share]:
    """Return what this space lets others read."""
    sql = "SELECT uid, name, given_by, created FROM share WHERE space = $1 ORDER BY created, uid, name"
    return [Share._make(row) for row in server.read(space, lambda session: session.rows(sql))]


def received(server: Server, space: Space) -> list[Share]:
    """Return what others let this space read."""
    sql = "SELECT uid, name, given_by, created FROM shared WHERE space = $1 ORDER BY created, uid, name"
    return [Share._make(row) for row in server.read(space, lambda session: session.rows(sql))]


def shared_memories(server: Server, space: Space, source: str, uids: list[int]) -> list[MemoryRow]:
    """Return memories of another space as they are now, as far as they are still shared."""
    sql = f"{SELECT_WHOLE}m.uid = ANY($2::bigint[]) ORDER BY m.number"
    rows = server.read(Space(source, space.name), lambda session: session.rows(sql, (uids,)))
    return [memory_of(row) for row in rows]


def remove_space(server: Server, space: Space) -> None:
    """Remove a space with all that is in it; only owners can."""

    def work(session: Session) -> None:
        tables = [
            row[0]
            for row in session.rows(
                "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = "
                "current_schema() AND c.relkind IN ('r', 'p') AND c.relname <> 'migration' AND $1::bigint IS NOT NULL"
            )
        ]
        # Who is no member any more may not remove anything, so that goes last.
        for table in sorted(tables, key=lambda name: name == "member"):
            session.change(f"DELETE FROM {table} WHERE space = $1")

    server.own(space, work)
