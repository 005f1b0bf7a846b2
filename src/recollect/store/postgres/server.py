"""One server of PostgreSQL: its connections, its transactions, and doing again what a cut or a collision undid."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import psycopg
import psycopg_pool

from recollect.errors import BusyError, RecollectError, StoreError, UsageError
from recollect.store.ids import uid_from
from recollect.store.postgres import schema
from recollect.store.postgres.address import Address
from recollect.store.postgres.faults import Undone, away, may_be_done_again, reason, state_of, translate
from recollect.store.postgres.session import Session

Result = TypeVar("Result")

LEVELS = ("", "reader", "writer", "owner")
"""What a login may be in a space; positions are stored."""
CONNECT_SECONDS = 5
MOST_CONNECTIONS = 8
PATIENCE = 10.0
"""Seconds for which a server that was there a moment ago is asked again."""
IDLE_SECONDS = 120
"""After so long without a statement the server ends a write, so that nobody waits for a client that is gone."""
RECEIPT_DAYS = 1
_LASTING = (
    "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'"
)
"""What was acknowledged survives a crash of the server, however it is set."""
_PLANS = ("SET LOCAL enable_seqscan = off", "SET LOCAL jit = off")
"""Every statement finds its rows by a key, however small the server took a table for when it made the plan."""
_FIRST_NAP, _LONGEST_NAP = 0.02, 0.5

# Without a handler Python would print what the pool notes in passing.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


class Space(NamedTuple):
    """A space to work in, and the one through which it is read when it was shared."""

    name: str
    through: str = ""

    @property
    def uid(self) -> int:
        """Return the number under which rows of the space are kept."""
        return space_uid(self.name)


def space_uid(name: str) -> int:
    """Return the number of the space with a name; it needs no look-up, so any server knows it."""
    return uid_from("space", name)


class Server:
    """Hands out transactions; safe to share between threads."""

    def __init__(self, address: Address, patience: float = PATIENCE) -> None:
        self.address = address
        self.patience = patience
        self._pool: psycopg_pool.ConnectionPool[Any] | None = None
        self._guard = threading.Lock()
        self._entered: dict[str, int] = {}
        self.standby = False
        """Whether the last transaction was answered by a server that only follows another one."""
        self.counts: Counter[str] = Counter()
        """Transactions, those of them that were done again, and how often the server was given up."""

    def open(self) -> None:
        """Look whether the server can be used and bring its schema up to date."""
        with connected(self.address) as connection:
            try:
                schema.prepare(connection, self.address)
                self.address = replace(self.address, spread=schema.is_spread(connection))
            except psycopg.Error as error:
                raise translate(error, self.address) from None
        self._pool = psycopg_pool.ConnectionPool(
            self.address.url,
            min_size=0,
            max_size=MOST_CONNECTIONS,
            kwargs=_options(),
            open=True,
            timeout=max(1.0, min(CONNECT_SECONDS, self.patience)),
            reconnect_timeout=CONNECT_SECONDS,
        )

    def close(self) -> None:
        """Close the connections."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    def enter(self, space: Space) -> int:
        """Return the level of the login in a space, which is begun when nobody has; refuse who is no member."""
        name = space.through or space.name
        with self._guard:
            known = self._entered.get(name)
        if known is None:
            known = _level(self, name, begin=False) or _level(self, name, begin=True)
            if not known:
                raise UsageError(
                    f"This login is no member of the space '{name}' on {self.address.shown}; one of its owners lets "
                    "it in with 'recollect store grant LOGIN reader|writer|owner'."
                )
            with self._guard:
                self._entered[name] = known
        return known

    def read(self, space: Space, work: Callable[[Session], Result]) -> Result:
        """Do work that reads one snapshot; it is done again when the connection is lost."""
        self.enter(space)
        return self._again(lambda: self._transact(space, "reader", 0, work))

    def write(self, space: Space, family: str, work: Callable[[Session], Result], wait: float) -> Result:
        """Do work in the one write transaction of a family, exactly once, however often the connection is lost."""
        self.enter(space)
        token = secrets.randbits(63)
        tried: list[Result] = []

        def once(session: Session) -> Result:
            take_turn(session, family)
            if tried and session.row("SELECT 1 FROM receipt WHERE space = $1 AND token = $2", (token,)):
                return tried[-1]
            tried.append(work(session))
            leave_receipt(session, token)
            return tried[-1]

        return self._again(lambda: self._transact(space, "writer", wait, once))

    def own(self, space: Space, work: Callable[[Session], Result]) -> Result:
        """Do work that only owners of a space may do."""
        self.enter(space)
        return self._again(lambda: self._transact(space, "owner", CONNECT_SECONDS, work))

    @contextmanager
    def reading(self, space: Space) -> Iterator[Session]:
        """Open one snapshot."""
        self.enter(space)
        with self._session(space, "reader", 0) as session:
            yield session

    @contextmanager
    def writing(self, space: Space, family: str, wait: float) -> Iterator[Session]:
        """Open the one write transaction of a family; commit when the block ends well, undo all of it otherwise."""
        self.enter(space)
        with self._session(space, "writer", wait) as session:
            take_turn(session, family)
            yield session

    @contextmanager
    def _session(self, space: Space, role: str, wait: float, entering: bool = False) -> Iterator[Session]:
        # Until it has begun nothing was done, so that may be tried again; what follows is the caller's.
        begin = self._beginning(space, role, wait, entering)
        lent, connection = self._again(lambda: _begun(self, begin))
        with lent:
            try:
                yield Session(connection, space.uid, self.address)
                connection.execute("COMMIT")
            except psycopg.Error as error:
                _undo(connection)
                if may_be_done_again(error, connection):
                    raise away(self.address, reason(error, self.address)) from None
                raise translate(error, self.address) from None
            except Undone as error:
                raise away(self.address, str(error)) from None
            except BaseException:
                _undo(connection)
                raise

    def _transact(
        self, space: Space, role: str, wait: float, work: Callable[[Session], Result], entering: bool = False
    ) -> Result:
        with self._lent() as connection:
            try:
                connection.execute(self._beginning(space, role, wait, entering))
                self.standby = connection.info.parameter_status("in_hot_standby") == "on"
                result = work(Session(connection, space.uid, self.address))
                connection.execute("COMMIT")
            except psycopg.Error as error:
                _undo(connection)
                if may_be_done_again(error, connection):
                    raise Undone(reason(error, self.address)) from None
                raise translate(error, self.address) from None
            except BaseException:
                _undo(connection)
                raise
        return result

    def _beginning(self, space: Space, role: str, wait: float, entering: bool) -> str:
        """Return what begins a transaction, in one message to the server."""
        level = "READ COMMITTED, READ WRITE" if role != "reader" else "REPEATABLE READ, READ ONLY"
        lines = [
            f"BEGIN ISOLATION LEVEL {level}",
            # The machines of a cluster speak to each other as the login itself, whose memberships they then know.
            *([] if self.address.spread else [f"SET LOCAL ROLE recollect_{role}"]),
            f"SET LOCAL search_path = {schema.SCHEMA}, public",
            *_PLANS,
            f"SET LOCAL recollect.space = '{space.uid}'",
            f"SET LOCAL recollect.through = '{space_uid(space.through) if space.through else ''}'",
        ]
        if role == "reader":
            # The snapshot is taken by the first query, not by BEGIN.
            lines += [] if entering else ["SELECT 1"]
        else:
            lines += [
                _LASTING,
                f"SET LOCAL lock_timeout = {max(1, int(wait * 1000))}",
                f"SET LOCAL idle_in_transaction_session_timeout = {IDLE_SECONDS * 1000}",
            ]
        return "; ".join(lines)

    def _again(self, attempt: Callable[[], Result]) -> Result:
        """Make attempts until one ends otherwise than by a lost connection or a collision, or patience does."""
        deadline, nap = time.monotonic() + self.patience, _FIRST_NAP
        while True:
            self.counts["transactions"] += 1
            try:
                return attempt()
            except Undone as error:
                self.counts["again"] += 1
                if time.monotonic() >= deadline:
                    self.counts["away"] += 1
                    raise away(self.address, str(error)) from None
            time.sleep(nap * (0.5 + secrets.randbelow(1000) / 1000))
            nap = min(nap * 2, _LONGEST_NAP)
            if self._pool is not None:
                self._pool.check()

    @contextmanager
    def _lent(self) -> Iterator[psycopg.Connection[Any]]:
        pool = self._pool
        if pool is None:
            raise StoreError(f"The store {self.address.shown} was closed; open it again.")
        try:
            connection = pool.getconn()
        except psycopg_pool.PoolTimeout:
            with self._beside(pool) as connection:
                yield connection
            return
        try:
            yield connection
        finally:
            pool.putconn(connection)

    @contextmanager
    def _beside(self, pool: psycopg_pool.ConnectionPool[Any]) -> Iterator[psycopg.Connection[Any]]:
        """Open a connection beside a pool that has none to give: it may still be pausing after failures."""
        size = pool.get_stats()
        if size.get("pool_size", 0) - size.get("pool_available", 0) >= MOST_CONNECTIONS:
            raise BusyError(
                f"All {MOST_CONNECTIONS} connections to {self.address.shown} are in use; "
                "try again when others are done."
            )
        try:
            connection = psycopg.connect(self.address.url, **_options())
        except psycopg.Error as error:
            raise Undone(reason(error, self.address)) from None
        with closing(connection):
            yield connection


def beside(server: Server, space: Space, work: Callable[[Session], Result]) -> Result:
    """Do work in a space of which the login may be no member; the policies of the server decide what it may."""
    return server._again(lambda: server._transact(space, "writer", CONNECT_SECONDS, work, True))


def _begun(server: Server, begin: str) -> tuple[ExitStack, psycopg.Connection[Any]]:
    """Return a connection on which a transaction has begun, and what gives it back."""
    with ExitStack() as stack:
        connection = stack.enter_context(server._lent())
        try:
            connection.execute(begin)
        except psycopg.Error as error:
            _undo(connection)
            if may_be_done_again(error, connection):
                raise Undone(reason(error, server.address)) from None
            raise translate(error, server.address) from None
        server.standby = connection.info.parameter_status("in_hot_standby") == "on"
        return stack.pop_all(), connection
    raise AssertionError("a context that raises nothing ends here")


def _level(server: Server, name: str, begin: bool) -> int:
    sql = "SELECT recollect.enter_space($1, $2, $3)"

    def work(session: Session) -> int:
        return int(session.rows(sql, (name, begin))[0][0])

    role = "writer" if begin else "reader"
    # Others may begin the same space at the same moment.
    return server._again(lambda: server._transact(Space(name), role, CONNECT_SECONDS, work, True))


@contextmanager
def connected(address: Address) -> Iterator[psycopg.Connection[Any]]:
    """Open a connection outside of any pool, with the reason when that cannot be done."""
    try:
        connection = psycopg.connect(address.url, **_options())
    except psycopg.Error as error:
        raise _unreachable(error, address) from None
    try:
        yield connection
    finally:
        connection.close()


def take_turn(session: Session, family: str) -> None:
    """Wait until no other transaction of the space writes a family of tables."""
    sql = "SELECT 1 FROM turn WHERE space = $1 AND family = $2 FOR UPDATE"
    if not session.rows(sql, (family,)):
        session.change("INSERT INTO turn (space, family) VALUES ($1, $2) ON CONFLICT DO NOTHING", (family,))
        session.rows(sql, (family,))


def leave_receipt(session: Session, token: int) -> None:
    """Note that a transaction was committed, for whoever loses the connection before it is told so."""
    session.change("INSERT INTO receipt (space, token) VALUES ($1, $2)", (token,))
    if token % 64 == 0:
        sql = f"DELETE FROM receipt WHERE space = $1 AND written < now() - interval '{RECEIPT_DAYS} days'"
        session.change(sql)


def _options() -> dict[str, Any]:
    return {
        "autocommit": True,
        "cursor_factory": psycopg.RawCursor,
        "connect_timeout": CONNECT_SECONDS,
        "application_name": "recollect",
        "keepalives_idle": 30,
        "client_encoding": "utf8",
    }


def _undo(connection: psycopg.Connection[Any]) -> None:
    """Roll a transaction back; a connection that cannot even do that is given up."""
    try:
        if not connection.closed:
            connection.execute("ROLLBACK")
    except psycopg.Error:
        connection.close()


def _unreachable(error: psycopg.Error, address: Address) -> RecollectError:
    if state_of(error):
        return translate(error, address)
    why = reason(error, address)
    if "does not exist" in why or "authentication failed" in why or "no password supplied" in why:
        return StoreError(
            f"The store {address.shown} cannot be opened ({why}). Check its URL; nothing was changed."
        )
    return away(address, why)
