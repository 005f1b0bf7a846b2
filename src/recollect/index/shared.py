"""How a project is called in a store that it shares with others, and where its working tree is found there."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.config import Settings
from recollect.index.project import Project
from recollect.source.git import remote_url

if TYPE_CHECKING:
    from recollect.store.memory_port import MemoryPlace
    from recollect.store.postgres.events import EventSpace as EventPlace

_SCHEME = re.compile(r"^[\w+.\-]+://")
OFFLINE_PATIENCE = 2.0
"""Seconds for which a server is asked again when there is a copy that can answer."""
_BEFORE_HOST = re.compile(r"^[^/@]*@")


@dataclass(frozen=True, slots=True)
class Shared:
    """A place in a shared store."""

    url: str = field(repr=False)
    space: str
    """What the project and its memories are called there."""
    tree: str
    """What this working tree is called there; its index is its own, since its files are."""
    copy: Path | None = None
    """The folder of the copy that answers while the server is away."""

    def memories(self) -> MemoryPlace:
        """Return the place of the memories of the project."""
        from recollect.store.postgres.installed import require

        require()
        from recollect.store.postgres.address import read
        from recollect.store.postgres.memory_store import MemorySpace
        from recollect.store.postgres.server import PATIENCE, Space

        address, space = read(self.url), Space(self.space)
        return MemorySpace(address, space, OFFLINE_PATIENCE if self.copy else PATIENCE, self.copy)

    def events(self) -> EventPlace:
        """Return the place of what was shown and used."""
        from recollect.store.postgres.installed import require

        require()
        from recollect.store.postgres.address import read
        from recollect.store.postgres.events import EventSpace
        from recollect.store.postgres.server import Space

        return EventSpace(read(self.url), Space(self.space))


def shared_place(project: Project, settings: Settings) -> Shared | None:
    """Return where a project lies in the shared store that is set, or None when its files are its store."""
    if not settings.store:
        return None
    from recollect.store.postgres.address import read

    address = read(settings.store)
    space = settings.space or address.space or space_name(project)
    copy = project.memory_db.parent if settings.offline else None
    return Shared(settings.store, space, f"{socket.gethostname()}:{project.root}", copy)


def space_name(project: Project) -> str:
    """Return what a project is called when nobody has named it: after its remote repository, or else its folder."""
    url = remote_url(project.root)
    if not url:
        return project.shared.name
    # The same repository is fetched as https://NAME:TOKEN@HOST/PATH.git and as git@HOST:PATH.
    place = _BEFORE_HOST.sub("", _SCHEME.sub("", url)).replace(":", "/", 1)
    return place.rstrip("/").removesuffix(".git").lower()
