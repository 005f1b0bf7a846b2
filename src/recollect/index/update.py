"""Brings the index in step with the files: the one way in, whether it is the first run or one edited file."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from recollect.config import Settings
from recollect.errors import BusyError
from recollect.index.freshness import check
from recollect.index.project import Project, commit_of
from recollect.index.run import Look, Outcome, Run
from recollect.index.task import Task
from recollect.ports import FactsStore, Reader, Store
from recollect.source.folders import FoundFile
from recollect.source.walk import scan
from recollect.store.sqlite.lock import writer_lock
from recollect.types import IndexReport, Progress

_MAX_LEFT_OUT = 20


def update(
    project: Project,
    store: Store,
    facts_store: FactsStore,
    settings: Settings,
    progress: Callable[[Progress], None] | None = None,
) -> IndexReport:
    """Index what is new or changed, forget what is gone, and say what was done."""
    started = time.perf_counter()
    run = Run(project, store, facts_store, settings, progress or (lambda _: None))
    look = _look(run)
    if look.settled:
        outcome = _remember_look(run, look)
    else:
        with writer_lock(project.lock, settings.lock_wait_seconds):
            look = _look_under_lock(run, look)
            outcome = Outcome() if look.settled else _apply(run, look)
            if outcome.changed:
                _prune(run)
    return _report(run, look, outcome, time.perf_counter() - started)


def pending(project: Project, reader: Reader, ignore: Sequence[str] = ()) -> int:
    """Return how many files look as if they were added, changed or removed since the last update."""
    known = {record.path: (record.size, record.mtime_ns) for record in reader.files()}
    found = scan(project.root, known, reader.folders(), int(reader.meta("scanned_ns") or 0), ignore)
    # A file written just before the last look is only a candidate; its record or its bytes tell.
    checked = check(reader, project.root, (file.path for file in found.changed))
    return len(found.added) + len(checked.changed) + len(checked.deleted) + len(found.removed)


def _look(run: Run) -> Look:
    with run.store.reader() as reader:
        complete = reader.meta("complete") == "1"
        records = {record.path: record for record in reader.files()}
        folders = reader.folders() if complete else {}
        since = int(reader.meta("scanned_ns") or 0) if complete else 0
        current = reader.meta("rules") in {run.rules, None}
        commit = reader.meta("commit") or ""
        generation = reader.generation()
    known = {path: (record.size, record.mtime_ns) for path, record in records.items()}
    found = scan(run.project.root, known, folders if current else {}, since, run.settings.ignore)
    return Look(found, records, folders, generation, complete, current, commit_of(run.project), commit)


def _look_under_lock(run: Run, look: Look) -> Look:
    """Look again if another process published meanwhile; with work to do, other grammars make all of it anew."""
    from recollect.parse import grammar_version

    with run.store.reader() as reader:
        moved = reader.generation() != look.generation
        grammars = reader.meta("grammars")
    if moved:
        look = _look(run)
    return replace(look, current=look.current and grammars in {grammar_version(), None})


def _apply(run: Run, look: Look) -> Outcome:
    # Imported here because most updates find nothing to do.
    from recollect.index.build import build
    from recollect.index.change import change

    return (change if look.complete else build)(run, look, _tasks(look))


def _prune(run: Run) -> None:
    from recollect.index.pruning import prune_facts

    prune_facts(run)


def _tasks(look: Look) -> Sequence[Task]:
    waiting: list[FoundFile] = sorted((*look.scan.added, *look.scan.changed))
    if not look.current:
        # Other rules may leave out other files and give other rows, so every file counts as new.
        listed = {file.path for file in waiting}.union(look.scan.removed)
        waiting += [
            FoundFile(path, record.size, record.mtime_ns)
            for path, record in look.records.items()
            if path not in listed
        ]
        return [Task(file.path, file.size, file.mtime_ns) for file in waiting]
    records = look.records
    return [
        Task(file.path, file.size, file.mtime_ns, records[file.path].content if file.path in records else b"")
        for file in waiting
    ]


def _remember_look(run: Run, look: Look) -> Outcome:
    """Keep what the look found out about folders, so that the next one is cheaper; nothing is lost if it cannot be."""
    if look.scan.folders != look.folders or look.commit != look.known_commit:
        try:
            with writer_lock(run.project.lock, 0), run.store.writer(0) as writer:
                writer.set_folders(look.scan.folders)
                writer.set_meta("scanned_ns", str(look.scan.started_ns))
                writer.set_meta("commit", look.commit)
        except BusyError:
            pass
    return Outcome()


def _left_out(look: Look) -> list[str]:
    """Say which files and folders could not even be listed, in those folders that were listed this time."""
    omitted = look.scan.omitted
    said = [f"{entry.path} was left out: {entry.reason}." for entry in omitted[:_MAX_LEFT_OUT]]
    more = len(omitted) - len(said)
    return [*said, f"{more} more could not be read either."] if more else said


def _report(run: Run, look: Look, outcome: Outcome, seconds: float) -> IndexReport:
    with run.store.reader() as reader:
        counts = reader.counts()
        records = reader.files() if outcome.changed else look.records.values()
        skipped = Counter(record.skipped for record in records if record.skipped)
    mode = "full" if not look.complete else "incremental" if outcome.changed else "unchanged"
    return IndexReport(
        mode=mode,
        files=counts["files"],
        parsed=outcome.parsed,
        reused=outcome.reused,
        removed=outcome.removed,
        resolved=outcome.resolved,
        symbols=counts["symbols"],
        edges=counts["edges"],
        seconds=seconds,
        skipped=dict(sorted(skipped.items())),
        notes=(*outcome.notes, *_left_out(look)),
    )
