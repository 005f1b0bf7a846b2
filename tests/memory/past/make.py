"""Writes the memories of a past version: PYTHONPATH=<its src> python make.py FOLDER; xz its memory.db.

test_past.py opens memory.v<schema>.db.xz of every schema that ever held memories.
"""

import sys
from pathlib import Path

from recollect.memory.forget import Selection
from recollect.memory.opened import OpenMemory

memory = OpenMemory(Path(sys.argv[1]) / ".recollect" / "memory.db", clock=lambda: 1_750_000_000.0)
old = memory.remember(
    "We retry idempotent calls only", {"tags": ["http"], "kind": "decision", "source": "chat"}, None
)
fields = {"links": {"supersedes": [old.id]}, "priority": "P1", "importance": 0.8, "metadata": {"ticket": 7}}
memory.remember("We retry all calls now, ask Anna Berg", fields, None)
said = (("Shall we move to Postgres?", "Anna"), ("Yes, in May 2025.", "Ben"))
memory.remember_many([{"text": text, "session": "s1", "author": author} for text, author in said], None)
memory.remember("We retry idempotent calls only", {}, None)
gone = memory.remember("a passing thought", {}, None)
memory.forget(Selection(ids=(gone.id,)), False)
memory.remember("日本語のメモ 👩‍👩‍👧", {"expires": "2099-01-01"}, None)
memory.close()
