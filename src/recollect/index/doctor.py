"""Looks for what is wrong with a project's data; every finding is a sentence with the cure in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from recollect.errors import CorruptError
from recollect.index.project import Project
from recollect.index.run import rules_are_ours
from recollect.ports import FactsStore, Reader, Store
from recollect.source.read import UNREADABLE, UNSTABLE
from recollect.types import Diagnosis, IndexReport

_SHOWN = 5


def examine(project: Project, store: Store) -> tuple[str, ...]:
    """Return a sentence for each thing that is wrong, none when all is well."""
    found = [*_places(project), *store.check()]
    try:
        with store.reader() as reader:
            found += _state(reader)
            found += _strays(project, reader)
    except CorruptError as error:
        found.append(str(error))
    return tuple(dict.fromkeys(found))


def diagnose(
    project: Project,
    stores: Callable[[], tuple[Store, FactsStore]],
    rebuild: Callable[[], IndexReport] | None = None,
) -> Diagnosis:
    """Examine a project and, given the means, build its index anew when something is wrong with it."""
    findings = examine(project, stores()[0])
    if not findings or rebuild is None:
        return Diagnosis(not findings, findings, ())
    rebuild()
    left = examine(project, stores()[0])
    return Diagnosis(not left, findings, tuple(finding for finding in findings if finding not in left))


def _places(project: Project) -> Iterator[str]:
    for place in dict.fromkeys((project.folder, project.parsed_db.parent)):
        if place.exists() and not os.access(place, os.W_OK | os.X_OK):
            yield f"{place} cannot be written, so nothing new is learned; make it writable for this user."
    for place in (project.index_db, project.parsed_db, project.memory_db):
        if place.exists() and not os.access(place, os.R_OK | os.W_OK):
            yield f"{place} cannot be read and written; give this user the right to."


def _state(reader: Reader) -> Iterator[str]:
    if reader.meta("complete") != "1":
        yield "The first index was never finished; 'recollect index' goes on where it stopped."
    elif not rules_are_ours(reader.meta("rules")):
        yield "The index was made by another version of recollect; 'recollect index' brings it up to date."
    yield from reader.notes()["remarks"]


def _strays(project: Project, reader: Reader) -> Iterator[str]:
    records = {record.path: record for record in reader.files()}
    units, _ = reader.dependencies()
    orphans = [unit for unit in units if ":" not in unit and unit not in records]
    if orphans:
        yield f"Edges of files that are not known are left ({_few(orphans)}); 'recollect doctor --repair' removes them."
    gone = [path for path in records if not os.path.lexists(project.root / path)]
    if gone:
        yield f"Files of the index are gone from disk ({_few(gone)}); 'recollect index' forgets them."
    unread = [path for path, record in records.items() if record.skipped in {UNREADABLE, UNSTABLE}]
    if unread:
        yield f"Files could not be read ({_few(unread)}); check their permissions, then run 'recollect index'."


def _few(paths: list[str]) -> str:
    shown = ", ".join(str(Path(path)) for path in paths[:_SHOWN])
    return shown if len(paths) <= _SHOWN else f"{shown} and {len(paths) - _SHOWN} more"
