"""Has the units that need it resolved, and stores their edges with the keys that they asked."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from recollect.facts import FileFacts
from recollect.graph.resolve import FileView, resolve_file, resolve_folder
from recollect.graph.scope import Scope
from recollect.index.ceiling import Ceiling
from recollect.index.footprint import give_back, rare_collections
from recollect.index.identity import Identity, facts_key
from recollect.index.run import Run
from recollect.index.work import Workshop, decode_facts
from recollect.ports import FileRecord, Writer
from recollect.types import Progress

_FOLDER = "dir:"
_MANY = 1000
_UNITS_PER_LOOK = 200
_PRELOAD_SYMBOLS = 400_000
"""Above this many symbols their definitions are looked up one by one, which is slower and needs little memory."""


def folder_units(paths: Iterable[str]) -> set[str]:
    """Return the units of the folders that hold these files."""
    return {_FOLDER + posixpath.dirname(path) for path in paths}


def resolve_all(run: Run, writer: Writer, ceiling: Ceiling) -> int:
    """Resolve every file and folder of the index; return how many files these were."""
    paths = [record.path for record in writer.files() if not record.skipped]
    known, _ = writer.dependencies()
    wanted = folder_units(paths).union(paths)
    for unit in known:
        if unit not in wanted:
            writer.remove_segment(unit)
    return resolve(run, writer, wanted, ceiling, preload=True)


def resolve(run: Run, writer: Writer, units: Iterable[str], ceiling: Ceiling, preload: bool = False) -> int:
    """Resolve some units again; return how many of them were files."""
    ordered = sorted(units, key=_place)
    if len(ordered) <= _MANY:
        _resolve(run, writer, ordered, ceiling, preload)
    else:
        with rare_collections():
            _resolve(run, writer, ordered, ceiling, preload)
        give_back()
    return sum(not unit.startswith(_FOLDER) for unit in ordered)


def _resolve(run: Run, writer: Writer, ordered: Sequence[str], ceiling: Ceiling, preload: bool) -> None:
    desk = _Desk(run, writer)
    if preload and writer.counts()["symbols"] <= _PRELOAD_SYMBOLS:
        desk.scope.preload()
    for done, unit in enumerate(ordered):
        if done % _UNITS_PER_LOOK == 0:
            run.tell(Progress("edges", done, len(ordered)))
            if ceiling.tight():
                desk.leave()
                desk = _Desk(run, writer)
                if ceiling.tight():
                    ceiling.refuse_more()
        if unit.startswith(_FOLDER):
            desk.folder(unit)
        else:
            desk.file(unit)
    desk.leave()
    run.tell(Progress("edges", len(ordered), len(ordered)))


def _place(unit: str) -> tuple[str, bool, str]:
    """Order units by folder, its files first, so that what was read of these serves the folder too."""
    if unit.startswith(_FOLDER):
        return unit.removeprefix(_FOLDER), True, ""
    return posixpath.dirname(unit), False, unit


class _Desk:
    """What resolving needs at hand: the lookups, and the facts of any file."""

    def __init__(self, run: Run, writer: Writer) -> None:
        self._run = run
        self._writer = writer
        self._workshop = Workshop(run.setup, run.facts)
        self.scope = Scope(writer, writer.external, self._facts_at)
        self._views: dict[str, FileView | None] = {}
        self._open_folder = ""

    def file(self, path: str) -> None:
        """Resolve one file."""
        view = self._view_in(posixpath.dirname(path), path)
        if view is None:
            # It changed while this update ran; the next one finds it so and resolves it.
            return
        self.scope.start()
        rows = resolve_file(view, self.scope)
        self._writer.put_segment(path, rows, self.scope.asked())

    def folder(self, unit: str) -> None:
        """Resolve what the files of one folder have to do with each other."""
        folder = unit.removeprefix(_FOLDER)
        records = self._writer.files_in(posixpath.basename(folder))
        paths = sorted(record.path for record in records if posixpath.dirname(record.path) == folder)
        views = [view for path in paths if (view := self._view_in(folder, path)) is not None]
        self.scope.start()
        rows = resolve_folder(folder, views, self.scope)
        if rows:
            self._writer.put_segment(unit, rows, self.scope.asked())
        else:
            self._writer.remove_segment(unit)

    def _view_in(self, folder: str, path: str) -> FileView | None:
        """Return a file of the folder that is being resolved; its files are kept until the next folder's turn."""
        if folder != self._open_folder:
            self._views.clear()
            self._open_folder = folder
        if path not in self._views:
            self._views[path] = self._view(path)
        return self._views[path]

    def leave(self) -> None:
        """Let go of everything that was looked up; the desk is not used afterwards."""
        self._views.clear()
        self.scope.close()

    def _view(self, path: str) -> FileView | None:
        record = self._writer.file(path)
        if record is None or record.skipped:
            return None
        facts = self._facts(record)
        if facts is None:
            return None
        numbers = self._writer.numbers_of(path)
        identity = Identity(path)
        uids = [identity.uid(symbol.qualified, symbol.kind) for symbol in facts.symbols]
        return FileView(path, facts, [numbers[uid] for uid in uids], record.number)

    def _facts_at(self, path: str) -> FileFacts | None:
        record = self._writer.file(path)
        return None if record is None or record.skipped else self._facts(record)

    def _facts(self, record: FileRecord) -> FileFacts | None:
        known = self._run.facts.get(facts_key(record.content, record.path))
        return decode_facts(known) if known is not None else self._workshop.facts_again(record)
