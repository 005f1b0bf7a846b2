"""The memories of one space: snapshots, and the write transaction that is done exactly once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from recollect.errors import StoreError
from recollect.store.memories import MemoryRow
from recollect.store.moving import STATE, Rows
from recollect.store.postgres import sharing
from recollect.store.postgres.address import Address
from recollect.store.postgres.memory_dreams import DreamReading
from recollect.store.postgres.memory_writing import FAMILY, MemoryWriting
from recollect.store.postgres.server import PATIENCE, Server, Space
from recollect.store.postgres.session import Session
from recollect.store.sqlite.memory_store import words_in

DEFAULT_WAIT = 30.0
Result = TypeVar("Result")


class PostgresMemories:
    """Keeps memories; safe to share between threads."""

    def __init__(self, server: Server, space: Space) -> None:
        self.server = server
        self.space = space
        self._stem = words_in(stems=True)

    def read(self, work: Callable[[DreamReading], Result]) -> Result:
        """Do work on one snapshot, again when the connection is lost."""
        return self.server.read(self.space, lambda session: work(_reading(session)))

    def write(self, work: Callable[[MemoryWriting], Result], wait: float = DEFAULT_WAIT) -> Result:
        """Do work in the one write transaction, exactly once, again when the connection is lost."""

        def once(session: Session) -> Result:
            writer = self._writing(session)
            result = work(writer)
            writer.settle()
            return result

        return self.server.write(self.space, FAMILY, once, wait)

    @contextmanager
    def reader(self) -> Iterator[DreamReading]:
        """Open a snapshot; it never waits for a writer."""
        with self.server.reading(self.space) as session:
            yield _reading(session)

    @contextmanager
    def writer(self, wait: float = DEFAULT_WAIT) -> Iterator[MemoryWriting]:
        """Open the one write transaction; commit when the block ends well, undo all of it otherwise."""
        with self.server.writing(self.space, FAMILY, wait) as session:
            writer = self._writing(session)
            yield writer
            writer.settle()

    def tokenizer(self, stems: bool = True) -> Callable[[str], list[str]]:
        """Return a function that cuts a text into words as full text does, or leaves them unstemmed."""
        return words_in(stems)

    def wipe(self, wait: float = DEFAULT_WAIT) -> list[str]:
        """Return what is left to do after rows were removed; their bytes are the server's to clear."""
        del wait
        return [
            f"The rows are gone from {self.server.address.shown}; its files keep their bytes until its next VACUUM, "
            "and its backups for as long as its administrator keeps them."
        ]

    def notes(self) -> tuple[str, ...]:
        """Return what an answer has to say of where it comes from."""
        if not self.server.standby:
            return ()
        return (
            f"A standby of {self.server.address.shown} answers: what was written last may be missing, and nothing can "
            "be written until a main server is back.",
        )

    def told(self) -> Mapping[str, int]:
        """Return how often the server was used, used again after a cut, and given up."""
        return dict(self.server.counts)

    def received(self) -> Mapping[str, Sequence[MemoryRow]]:
        """Return what other spaces share with this one, as it is now, by the name of the space."""
        uids: dict[str, list[int]] = {}
        for one in sharing.received(self.server, self.space):
            uids.setdefault(one.other, []).append(one.uid)
        found = {
            name: sharing.shared_memories(self.server, self.space, name, some) for name, some in uids.items()
        }
        return {name: rows for name, rows in found.items() if rows}

    def check(self) -> list[str]:
        """Return what is wrong with the memories, a sentence for each finding; nothing when they are sound."""
        return self.read(_check)

    def close(self) -> None:
        """Close the connections."""
        self.server.close()

    def _writing(self, session: Session) -> MemoryWriting:
        return MemoryWriting(session.connection, session.space, session.address, self._stem)


class MemorySpace:
    """The space of a server in which memories are kept."""

    def __init__(
        self, address: Address, space: Space, patience: float = PATIENCE, copy: Path | None = None
    ) -> None:
        self.address = address
        self.space = space
        self.patience = patience
        self.copy = copy
        """The folder in which a copy is kept for when the server is away; None keeps none."""

    @property
    def shown(self) -> str:
        """Return what people are told of the place."""
        return f"the space '{self.space.name}' on {self.address.shown}"

    def exists(self) -> bool:
        """Tell whether there may be anything; only the server knows."""
        return True

    @contextmanager
    def rows(self) -> Iterator[Rows]:
        """Open the memories to be copied as they are now."""
        from recollect.store.postgres.moving import space_rows

        with space_rows(self.address, self.space) as found:
            yield found

    def open(self, wait: float) -> PostgresMemories:
        """Open the server and enter the space."""
        del wait
        server = Server(self.address, self.patience)
        server.open()
        try:
            server.enter(self.space)
            server.read(self.space, self._refuse_unfinished)
        except BaseException:
            server.close()
            raise
        return PostgresMemories(server, self.space)

    def _refuse_unfinished(self, session: Session) -> None:
        """Refuse memories of which only a part has arrived."""
        if session.row("SELECT 1 FROM memory_meta WHERE space = $1 AND key = $2", (STATE,)):
            raise StoreError(
                f"The space '{self.space.name}' on {self.address.shown} is being filled by 'recollect migrate'; wait "
                "for it, or run that command again when it was interrupted."
            )


def _reading(session: Session) -> DreamReading:
    return DreamReading(session.connection, session.space, session.address)


def _check(reader: DreamReading) -> list[str]:
    found = []
    for table, column in (("tagged", "memory"), ("mention", "memory")):
        sql = (
            f"SELECT count(*) FROM {table} t WHERE t.space = $1 AND NOT EXISTS "
            f"(SELECT 1 FROM memory m WHERE m.space = $1 AND m.number = t.{column})"
        )
        (stray,) = reader.rows(sql)[0]
        if stray:
            found.append(f"{reader.address.shown}: {stray} rows of {table} belong to no memory.")
    (last,) = reader.rows("SELECT coalesce(max(number), 0) FROM memory WHERE space = $1")[0]
    if last > reader.last_numbers()[0]:
        found.append(f"{reader.address.shown}: the count of memories is behind their numbers.")
    return found
