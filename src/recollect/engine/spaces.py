"""What can be done with the space of a project on a server: members, shares, checks; wiring only."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect import config
from recollect.errors import UsageError
from recollect.index.project import project_at
from recollect.index.shared import shared_place
from recollect.source.git import project_root

if TYPE_CHECKING:
    from recollect.store.postgres.address import Address
    from recollect.store.postgres.server import Server, Space


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of a store has found."""

    server: str
    statements: int
    """How many different ones were issued and looked at."""
    findings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"server": self.server, "statements": self.statements, "findings": list(self.findings)}


def place_of(folder: Path | None) -> tuple[Address, Space]:
    """Return server and space of the project around a folder; refuse one that is kept in files."""
    root = project_root(folder or Path())
    place = shared_place(project_at(root), config.load(root))
    if place is None:
        raise UsageError(
            "This project is kept in files, not on a server; name one with --store postgresql://HOST/DATABASE."
        )
    from recollect.store.postgres.installed import require

    require()
    from recollect.store.postgres.address import read
    from recollect.store.postgres.server import Space

    return read(place.url), Space(place.space)


@contextmanager
def opened(folder: Path | None) -> Iterator[tuple[Server, Space]]:
    """Open the server of a project, with the space that the project has there."""
    from recollect.store.postgres.server import Server

    address, space = place_of(folder)
    server = Server(address)
    server.open()
    try:
        yield server, space
    finally:
        server.close()


def check(folder: Path | None) -> Checked:
    """Do everything that recollect does in a space that is removed again, and look at each statement it took."""
    from recollect.engine.exercise import exercise
    from recollect.store.postgres import proving, sharing
    from recollect.store.postgres.server import Server, Space, connected
    from recollect.store.postgres.session import Recorded

    address, _ = place_of(folder)
    server = Server(address)
    server.open()
    spaces = [Space(f"recollect-check-{secrets.token_hex(6)}") for _ in range(2)]
    try:
        with Recorded() as statements, tempfile.TemporaryDirectory(prefix="recollect-check-") as place:
            exercise(Path(place), address, server, (spaces[0], spaces[1]))
        with connected(address) as connection:
            found = proving.keys(connection)
        found += server.own(spaces[0], lambda session: proving.findings(session, statements))
    finally:
        for space in spaces:
            sharing.remove_space(server, space)
        server.close()
    return Checked(address.shown, len(statements), tuple(found))
