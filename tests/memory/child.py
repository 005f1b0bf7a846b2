"""What the subprocesses of the fault tests do: python child.py TASK FOLDER [NUMBER]."""

import sys
from pathlib import Path

from recollect.memory.forget import Selection
from recollect.memory.opened import OpenMemory

PART = 20


def write_forever(memory, number):
    """Write whole parts; every memory says to which part it belongs."""
    part = number * 10_000
    while True:
        rows = [{"text": f"part p{part}x line {at} of the story", "tags": [f"p{part}"]} for at in range(PART)]
        memory.remember_many(rows, None)
        print(part, flush=True)
        part += 1


def forget_forever(memory, _):
    """Forget part after part."""
    part = 0
    while True:
        gone = memory.forget(Selection(tag=f"p{part}"), dry_run=False)
        if not gone.ids:
            return
        print(part, flush=True)
        part += 1


def dream_forever(memory, _):
    """Dream, take the dream back, and dream again."""
    while True:
        done = memory.dream()
        print(done.number, flush=True)
        memory.undo_dream(done.number)


def migrate(memory, _):
    """Open a store of an older schema, slowly enough to be killed in the middle."""
    print("now", flush=True)
    list(memory.export())


def write_and_read(memory, number):
    """Write own memories and one that all write, link two, and always find what was written."""
    for at in range(25):
        item = memory.remember(f"writer w{number}x wrote note n{at}x here", {"tags": [f"w{number}"]}, None)
        memory.remember("all writers say this same sentence", {}, None)
        found = memory.recall(f"w{number}x n{at}x", 3, {}, None).hits
        assert found[0].id == item.id, (number, at)
    memory.close()


if __name__ == "__main__":
    task, folder, *more = sys.argv[1:]
    globals()[task](OpenMemory(Path(folder) / ".recollect" / "memory.db"), int(more[0]) if more else 0)
