"""A later update: everything that differs in one transaction, so that readers see the old state or the new one."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.index.ceiling import Ceiling
from recollect.index.depend import dependents
from recollect.index.edges import folder_units, resolve, resolve_all
from recollect.index.parsing import prepared_files
from recollect.index.run import Look, Outcome, Run
from recollect.index.task import Task
from recollect.index.write import Changes, keep_facts
from recollect.types import Progress


def change(run: Run, look: Look, tasks: Sequence[Task]) -> Outcome:
    """Write what changed, resolve again whatever that can have an effect on, and publish."""
    outcome = Outcome()
    changes = Changes(compared=look.current)
    ceiling = Ceiling(run.settings.memory_cap_mb)
    done = 0
    with run.store.writer(run.settings.lock_wait_seconds) as writer:
        for path in look.scan.removed:
            changes.remove(writer, path, outcome)
        with prepared_files(run, tasks, ceiling) as results:
            for files in results:
                keep_facts(run.facts, files)
                for file in files:
                    changes.put(writer, file, outcome)
                done += len(files)
                run.tell(Progress("files", done, len(tasks)))
        if not look.current:
            outcome.resolved = resolve_all(run, writer, ceiling)
            outcome.changed = True
        elif outcome.changed:
            units, asked = writer.dependencies()
            touched = folder_units(changes.files | changes.removed)
            wanted = dependents(units, asked, changes.keys) | changes.files | touched
            outcome.resolved = resolve(run, writer, wanted - changes.removed, ceiling)
        writer.set_folders(look.scan.folders)
        run.remember(writer, look)
        if outcome.changed:
            writer.publish()
    return outcome
