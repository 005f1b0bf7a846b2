"""Runs an update in a process of its own, for tests that end or limit it."""

import subprocess
import sys

UPDATE = """
import sys
from pathlib import Path
from recollect.config import Settings
from recollect.errors import RecollectError
from recollect.index.opened import OpenIndex
from recollect.index.project import project_at
index = OpenIndex(project_at(Path(sys.argv[1])), Settings())
try:
    report = index.update()
    print(report.mode, report.files)
except RecollectError as error:
    print(type(error).__name__, error)
    sys.exit(error.exit_code)
finally:
    index.close()
"""


def start(root, before="", prefix=(), **options):
    """Start an update; `before` is code that runs first, `prefix` a command that starts the process."""
    command = [*prefix, sys.executable, "-c", before + UPDATE, str(root)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options, encoding="utf-8"
    )


def run(root, before="", prefix=()):
    """Run an update to its end and return exit code and what it said."""
    process = start(root, before, prefix)
    said, errors = process.communicate(timeout=50)
    assert "Traceback" not in errors, errors
    return process.returncode, said
