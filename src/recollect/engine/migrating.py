"""Moves the memories of a project between files and a server; wiring only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recollect import config
from recollect.errors import UsageError
from recollect.index.project import Project, project_at
from recollect.index.shared import space_name
from recollect.source.git import project_root
from recollect.types import Progress

if TYPE_CHECKING:
    from recollect.memory.move import Moved
    from recollect.store.moving import Filled, Rows
    from recollect.store.postgres.address import Address
    from recollect.store.postgres.server import Space

_STORE_LINE = re.compile(r"(?m)^[ \t]*store[ \t]*=.*\n?")


class End(NamedTuple):
    """One end of a move: a file, or a space of a server."""

    file: Path | None
    url: str
    project: Project | None
    """The project whose memories these are; None for a file that was named by itself."""


def migrate(
    source: str | Path,
    target: str | Path,
    switch: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Moved:
    """Copy all memories from a project, file or URL to another one, verified; with `switch` the project uses it then.

    The source is only read. Called again after an interruption it goes on where it stopped.
    """
    from recollect.memory.move import move

    ends = _end(source), _end(target)
    project = next((end.project for end in ends if end.project is not None), None)
    if project is None and any(end.url and "space=" not in end.url for end in ends):
        project = project_at(project_root(Path()))
    if switch and project is None:
        raise UsageError("Only a project can be switched; name its folder as the source or the target.")
    if ends[0] == ends[1]:
        raise UsageError("The source and the target are the same place; nothing was moved.")
    with _rows(ends[0], project) as rows:
        moved = move(rows, _filled(ends[1], project), progress)
    if switch and project is not None:
        switch_store(project, ends[1].url)
    return moved


def switch_store(project: Project, url: str) -> None:
    """Let a project use a server from now on, or its files when the URL is empty."""
    file = config.project_file(project.root)
    text = _STORE_LINE.sub("", file.read_text(encoding="utf-8") if file.exists() else "")
    # Before any table of the file, since what follows a table belongs to it.
    config.save(project.root, (f'store = "{url}"\n' if url else "") + text)


def _end(given: str | Path) -> End:
    text = str(given)
    if "://" in text:
        from recollect.store.postgres.address import read
        from recollect.store.postgres.installed import require

        require()
        read(text)
        return End(None, text, None)
    place = Path(text).expanduser()
    if place.is_dir():
        project = project_at(project_root(place))
        return End(project.memory_db, "", project)
    if place.suffix != ".db":
        raise UsageError(
            f"{text} is neither the folder of a project, nor a memory.db, nor a URL such as "
            "postgresql://HOST/DATABASE?space=NAME."
        )
    return End(place.resolve(), "", None)


def _space(end: End, project: Project | None) -> tuple[Address, Space]:
    from recollect.store.postgres.address import read
    from recollect.store.postgres.server import Space

    address = read(end.url)
    name = address.space
    if not name and project is not None:
        name = config.load(project.root).space or space_name(project)
    return address, Space(name)


@contextmanager
def _rows(end: End, project: Project | None) -> Iterator[Rows]:
    if end.file is not None:
        from recollect.store.sqlite.moving import file_rows

        with file_rows(end.file) as rows:
            yield rows
    else:
        from recollect.store.postgres.moving import space_rows

        with space_rows(*_space(end, project)) as there:
            yield there


def _filled(end: End, project: Project | None) -> Filled:
    if end.file is not None:
        from recollect.store.sqlite.moving import FileFilled

        return FileFilled(end.file)
    from recollect.store.postgres.moving import SpaceFilled

    return SpaceFilled(*_space(end, project))
