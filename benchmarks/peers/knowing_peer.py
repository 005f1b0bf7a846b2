"""knowing as it is shipped: its own index, and one `context` command for each question."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from recollect.bench import NotInstalledError
from recollect.bench.values import Answer
from recollect.errors import UsageError

EXTENSIONS = (
    ".go",
    ".py",
    ".ts",
    ".tsx",
    ".js",
    ".jsx",
    ".rs",
    ".java",
    ".cs",
    ".rb",
    ".kt",
    ".php",
    ".swift",
    ".scala",
)


class AsShipped:
    """Symbols in knowing's order; the environment variable KNOWING names the program where PATH does not."""

    name = "knowing"

    def __init__(self):
        program = os.environ.get("KNOWING") or shutil.which("knowing")
        if not program:
            raise NotInstalledError("knowing is not installed here; put it on PATH or name it in KNOWING.")
        self._program = program
        self._folder = tempfile.TemporaryDirectory(prefix="knowing-peer-")
        self._database = Path(self._folder.name) / "knowing.db"

    def build_index(self, corpus):
        """Index the measured folder without language servers and blame."""
        self._top = f"{corpus.folder}/"
        place = str(corpus.folder / corpus.root)
        self._run("index", "-no-enrich", "-skip-blame", "-db", str(self._database), place)

    def index_size_bytes(self):
        """Return the size of its database."""
        return self._database.stat().st_size

    def retrieve(self, query, k):
        """Return symbols with their files."""
        printed = self._run("context", "-db", str(self._database), "-task", query, "-format", "json")
        return [self._answer(row["qualified_name"]) for row in (json.loads(printed).get("symbols") or [])[:k]]

    def close(self):
        """Remove its database and home."""
        self._folder.cleanup()

    def _answer(self, name):
        place = name.partition("://")[2].removeprefix(self._top)
        for extension in EXTENSIONS:
            head, mark, symbol = place.partition(f"{extension}.")
            if mark:
                return Answer(path=head + extension, name=symbol)
        return Answer(path=place, name=name)

    def _run(self, *arguments):
        environment = {**os.environ, "HOME": self._folder.name}
        done = subprocess.run(
            [self._program, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=environment,
            check=False,
        )
        if done.returncode:
            raise UsageError(f"knowing {arguments[0]} failed: {done.stderr.strip()[-300:]}")
        return done.stdout
