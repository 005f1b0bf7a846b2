"""The index of one working tree on a server as a Store: hands out snapshots and the write transaction."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from recollect.errors import BusyError, CorruptError
from recollect.store.ids import uid_from
from recollect.store.postgres.address import read
from recollect.store.postgres.index_cache import Kept
from recollect.store.postgres.index_check import findings
from recollect.store.postgres.index_reader import PostgresReader
from recollect.store.postgres.index_snapshot import Place
from recollect.store.postgres.index_writer import PostgresWriter
from recollect.store.postgres.server import Server, Space
from recollect.store.postgres.session import Session
from recollect.store.sqlite.database import begin_folder
from recollect.store.sqlite.evidence import SqliteEvidence, open_evidence

DEFAULT_WAIT = 30.0
IDLE_SECONDS = 900
"""A write of the index may be silent for so long, since files are read and names resolved meanwhile."""
TABLES = (
    "code_meta", "code_folder", "code_file", "code_item", "code_external", "code_segment", "code_part", "code_page",
)  # fmt: skip
"""What belongs to one tree."""
_TREE_BITS = (1 << 31) - 1


def tree_of(name: str) -> int:
    """Return the number of a working tree; it needs no look-up."""
    return uid_from("tree", name) & _TREE_BITS


class PostgresIndex:
    """The index of one working tree as a Store."""

    def __init__(self, server: Server, space: Space, tree: str, cache: Path | None) -> None:
        self.server = server
        self.space = space
        self.tree = tree
        self.evidence: SqliteEvidence | None = None
        self._place = Place(tree_of(tree), cache, server.address.shown)
        self._kept = Kept()
        self._family = f"code {self._place.tree}"

    @contextmanager
    def reader(self) -> Iterator[PostgresReader]:
        """Open a snapshot; it never waits for a writer."""
        with self.server.reading(self.space) as session:
            reader = PostgresReader(session, self._place, "code", self._kept)
            reader.evidence = self.evidence
            yield reader

    @contextmanager
    def writer(self, wait: float = DEFAULT_WAIT) -> Iterator[PostgresWriter]:
        """Open the one write transaction of this tree; commit when the block ends well, undo all of it otherwise."""
        with ExitStack() as stack:
            session = self._turn(stack, wait)
            writer = PostgresWriter(session, self._place, "code", Kept())
            if writer.meta("space") is None:
                self._begin(writer)
            yield writer
            writer.settle()

    def _turn(self, stack: ExitStack, wait: float) -> Session:
        """Wait for other writers of this tree and begin; say which process it is that takes so long."""
        try:
            session = stack.enter_context(self.server.writing(self.space, self._family, wait))
        except BusyError:
            raise BusyError(
                f"{self._holder()} is writing the index and did not finish within {wait:g} seconds; "
                "wait for it to end, or end that process, then try again."
            ) from None
        # Nobody waits for this lock: it only tells others which process has the turn.
        session.rows(
            "SELECT pg_advisory_xact_lock(hashint8($1 # $2::bigint), $3::int)",
            (self._place.tree, os.getpid()),
        )
        session.change(f"SET LOCAL idle_in_transaction_session_timeout = {IDLE_SECONDS * 1000}")
        return session

    def _holder(self) -> str:
        sql = (
            "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted "
            "AND classid::bigint = hashint8($1 # $2::bigint)::bigint & 4294967295"
        )
        with self.server.reading(self.space) as session:
            found = session.row(sql, (self._place.tree,))
        return f"Process {found[0]}" if found else "Another process"

    def _begin(self, writer: PostgresWriter) -> None:
        writer.set_meta("space", secrets.token_hex(8))
        sql = "INSERT INTO code_tree (space, tree, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
        writer.change(sql, (self.tree,))

    def discard(self) -> None:
        """Throw the index of this tree away, so that it is made anew."""
        with self.server.writing(self.space, self._family, DEFAULT_WAIT) as session:
            for table in TABLES:
                session.change(f"DELETE FROM {table} WHERE space = $1 AND tree = $2", (self._place.tree,))

    def check(self) -> Sequence[str]:
        """Return what is wrong with the index, a sentence for each finding; nothing when it is sound."""
        try:
            with self.reader() as reader:
                return findings(reader)
        except CorruptError as error:
            return [str(error)]

    def close(self) -> None:
        """Close the connections, and the evidence that was laid over the index."""
        if self.evidence is not None:
            self.evidence.close()
        self.server.close()


def open_index(
    url: str, place: tuple[str, str], cache: Path | None = None, evidence: Path | None = None
) -> PostgresIndex:
    """Open the index of a working tree, by space and tree; evidence about the code is laid over its edges."""
    space, tree = place
    address = read(url)
    server = Server(address)
    server.open()
    index = PostgresIndex(server, Space(space or address.space), tree, cache)
    if cache is not None:
        begin_folder(cache)
    index.evidence = open_evidence(evidence) if evidence is not None else None
    return index


__all__ = ["PostgresIndex", "open_index", "tree_of"]
