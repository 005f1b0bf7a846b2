"""The first index: files appear as they are read, edges at the end; a run cut short goes on where it stopped."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.index.ceiling import Ceiling
from recollect.index.edges import resolve_all
from recollect.index.footprint import rare_collections
from recollect.index.parsing import prepared_files
from recollect.index.run import Look, Outcome, Run
from recollect.index.task import Task
from recollect.index.work import Prepared
from recollect.index.write import Changes, keep_facts
from recollect.types import Progress

_FILES_PER_TRANSACTION = 400
_FIRST_FILES = 100
"""Somebody may wait for the first answer, so that the first files are published sooner than the others."""
_BYTES_PER_TRANSACTION = 16 << 20


def build(run: Run, look: Look, tasks: Sequence[Task]) -> Outcome:
    """Write every file that is not there yet, then all edges, then declare the index complete."""
    outcome = Outcome(changed=True)
    ceiling = Ceiling(run.settings.memory_cap_mb)
    waiting: list[Prepared] = []
    size = done = 0
    _remove(run, look, outcome)
    run.tell(Progress("files", 0, len(tasks)))
    with rare_collections(), prepared_files(run, tasks, ceiling) as results:
        for files in results:
            waiting += files
            size += sum(len(file.facts) for file in files)
            done += len(files)
            run.tell(Progress("files", done, len(tasks)))
            enough = (
                _FILES_PER_TRANSACTION if done > len(waiting) else min(_FIRST_FILES, _FILES_PER_TRANSACTION)
            )
            if len(waiting) >= enough or size >= _BYTES_PER_TRANSACTION:
                _publish_files(run, waiting, outcome)
                waiting, size = [], 0
    _publish_files(run, waiting, outcome)
    del waiting
    with run.store.writer(run.settings.lock_wait_seconds) as writer:
        outcome.resolved = resolve_all(run, writer, ceiling)
        writer.set_folders(look.scan.folders)
        run.remember(writer, look)
        writer.set_meta("complete", "1")
        writer.publish()
    return outcome


def _remove(run: Run, look: Look, outcome: Outcome) -> None:
    if look.scan.removed:
        changes = Changes()
        with run.store.writer(run.settings.lock_wait_seconds) as writer:
            for path in look.scan.removed:
                changes.remove(writer, path, outcome)
            writer.publish()


def _publish_files(run: Run, files: Sequence[Prepared], outcome: Outcome) -> None:
    keep_facts(run.facts, files)
    changes = Changes(compared=False)
    with run.store.writer(run.settings.lock_wait_seconds) as writer:
        for file in files:
            changes.put(writer, file, outcome)
        writer.set_meta("complete", "0")
        run.remember_rules(writer)
        writer.publish()
