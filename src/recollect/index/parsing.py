"""Has files prepared, by worker processes when there is enough to do and right here when there is not."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain

from recollect.index.ceiling import Ceiling
from recollect.index.footprint import give_back
from recollect.index.pool import Batches, Pool
from recollect.index.run import Run
from recollect.index.task import LARGE_BYTES, Task
from recollect.index.work import Prepared, Workshop
from recollect.source.languages import language_by_name

_FEW_FILES = 60
_FEW_BYTES = 600_000
_EDITED_BYTES = 262_144
"""Files of up to this size took under three seconds when they were garbage to the end."""


@contextmanager
def prepared_files(run: Run, tasks: Sequence[Task], ceiling: Ceiling) -> Iterator[Iterator[list[Prepared]]]:
    """Yield an iterator over prepared files, in lists as they get ready; no process outlives the block."""
    small = len(tasks) <= _FEW_FILES and sum(task.size for task in tasks) <= _FEW_BYTES
    # What is parsed right here cannot be ended, so only what cannot take long is.
    here = [task for task in tasks if small and not _may_take_long(run, task)] if sys.executable else tasks
    if len(here) == len(tasks):
        yield _here(run, tasks)
        return
    elsewhere = [task for task in tasks if _may_take_long(run, task)] if small else tasks
    with Pool(run.setup, 1 if small else run.settings.workers, ceiling.per_worker_bytes) as pool:
        yield chain(_here(run, here), _elsewhere(pool, elsewhere, ceiling))
    give_back()


def _may_take_long(run: Run, task: Task) -> bool:
    # A file that was indexed is no garbage as a rule, and whoever edits it waits for it.
    harmless = _EDITED_BYTES if task.known else LARGE_BYTES
    return harmless < task.size <= run.settings.max_file_bytes


def _here(run: Run, tasks: Sequence[Task]) -> Iterator[list[Prepared]]:
    workshop = Workshop(run.setup, run.facts)
    for task in tasks:
        yield [workshop.prepare(task)]


def by_language(tasks: Sequence[Task]) -> list[Task]:
    """Order files so that few processes meet a rare language, because each that does compiles its query."""
    return sorted(tasks, key=lambda task: (language_by_name(task.path), task.path))


def _elsewhere(pool: Pool, tasks: Sequence[Task], ceiling: Ceiling) -> Iterator[list[Prepared]]:
    batches = Batches(by_language(tasks))
    for files in pool.run(batches):
        yield files
        if ceiling.tight(pool.pids) and not batches.shrink():
            ceiling.refuse_more(pool.pids)
