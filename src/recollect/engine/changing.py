"""What an open project knows of changes: those of the past, and those that are under way; wiring only."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from recollect.errors import UsageError
from recollect.types import Progress

if TYPE_CHECKING:
    from recollect.evidence.history.view import PastView
    from recollect.evidence.values import HistoryReport
    from recollect.graph.choosing import ChosenTest
    from recollect.graph.runners import RunnerCall
    from recollect.index.opened import OpenIndex
    from recollect.ports import Reader

Listener = Callable[[Progress], None]
DEPTH = 6
"""How many steps lie between a test and what it concerns, at most."""


@dataclass(frozen=True, slots=True)
class TestPlan:
    """Which tests to run for a change, why, and what is not known."""

    __test__ = False

    changed: tuple[str, ...]
    tests: tuple[ChosenTest, ...]
    """Proven ones first."""
    calls: tuple[RunnerCall, ...]
    """What to give to which runner."""
    unreached: tuple[str, ...]
    """Changed symbols that no test is known to reach."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values for JSON."""
        return asdict(self)


class Changing:
    """The part of an open project that reads history and answers about changes."""

    root: Path
    _index: OpenIndex
    _guard: threading.Lock
    _view: PastView | None = None

    def read_history(
        self, seconds: float | None = None, progress: Listener | None = None, most: int | None = None
    ) -> HistoryReport:
        """Take in what git tells of past commits: what changed when, by whom, and together with what.

        A commit is read once; `most` is how many of the newest count. A run that was stopped goes on in the next one.
        """
        from recollect.evidence.history.gather import MOST_COMMITS, Job, gather
        from recollect.store.sqlite.past import open_past

        until = time.monotonic() + seconds if seconds else float("inf")
        notes = list(self._index.keep_up(progress, always=True))
        past = open_past(self._index.project.evidence_db)
        try:
            before = past.stamp()
            job = Job(
                self.root, past, lambda path: self._index.ask(lambda reader: reader.items_of(path)),
                self._index.ask(_patterns), progress or (lambda _: None), until, most or MOST_COMMITS, notes,
            )  # fmt: skip
            report = gather(job)
            if past.stamp() != before:
                self._index.publish()
            return report
        finally:
            past.close()

    def keep_history(self, progress: Listener | None = None) -> bool:
        """Read the history when another commit is checked out than when it was last read; tell whether it was."""
        from recollect.index.project import commit_of

        commit = commit_of(self._index.project)
        if not self._index.settings.history or not commit or self._past().state().head == commit:
            return False
        self.read_history(progress=progress)
        return True

    def tests(
        self,
        base: str | None = None,
        files: Iterable[str] = (),
        *,
        runner: str = "",
        proven: bool = False,
        depth: int = DEPTH,
    ) -> TestPlan:
        """Return the tests that a change concerns: of everything that differs from a base, or of whole files.

        With `proven` those are left out that are only possibly concerned.
        """
        from recollect.graph.choosing import Partner, choose_tests
        from recollect.graph.runners import calls

        changed, gone = self._changed(base, list(files))
        notes = list(self._index.keep_up())
        past = self._past()
        named = [*changed, *gone]
        partners = {
            path: [Partner(str(one.second), one.times, one.percent) for one in past.partners(path)]
            for path in named
        }
        chosen = self._index.ask(lambda reader: choose_tests(reader, changed, partners, depth))
        tests = tuple(test for test in chosen.tests if test.certain or not proven)
        told, without = calls(tests, self._texts, runner)
        notes += [f"{path} is gone; tests of what it defined are known by history only." for path in gone]
        notes += [*chosen.notes, *without, *past.missing()]
        return TestPlan(chosen.changed, tests, told, chosen.unreached, tuple(dict.fromkeys(notes)))

    def _changed(
        self, base: str | None, files: Sequence[str]
    ) -> tuple[Mapping[str, Sequence[tuple[int, int]] | None], Sequence[str]]:
        from recollect.engine.asked import spelled
        from recollect.source.changes import lines_since

        if (base is None) == (not files):
            raise UsageError("Say what changed: the base of a change, or files.")
        if base is None:
            return dict.fromkeys((spelled(self.root, file) for file in files), None), ()
        found = lines_since(self.root, base)
        if not found.lines and not found.gone:
            raise UsageError(f"Nothing differs from '{base}', so there is no change to test.")
        return found.lines, found.gone

    def _texts(self, name: str) -> Iterator[str]:
        """Yield the texts of all files of a name."""
        stem = PurePosixPath(name).stem
        for row in self._index.ask(lambda reader: list(reader.files_named(stem))):
            if PurePosixPath(row.path).name == name:
                with suppress(OSError):
                    yield (self.root / row.path).read_text(encoding="utf-8", errors="replace")

    def _past(self) -> PastView:
        """Return what is known of the past."""
        from recollect.evidence.history.view import PastView

        with self._guard:
            if self._view is None:
                self._view = PastView(self.root, self._index.project.evidence_db)
            return self._view

    def _close_past(self) -> None:
        with self._guard:
            view, self._view = self._view, None
        if view is not None:
            view.close()


def _patterns(reader: Reader) -> tuple[str, ...]:
    """Return git's path patterns for the files that have symbols."""
    names = {PurePosixPath(row.path) for row in reader.files() if row.language and not row.skipped}
    found = {f"*{path.suffix}" if path.suffix else f"*{path.name}" for path in names}
    return tuple(f":(glob)**/{pattern}" for pattern in sorted(found))
