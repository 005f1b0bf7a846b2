"""What an open project learns of the runs of its code; wiring only."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from recollect.engine.evidencing import Evidenced, Listener
from recollect.errors import UsageError

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.evidence.runtime.known import Running
    from recollect.evidence.runtime.receive import Receiver
    from recollect.evidence.values import DeadReport, KnownRuns, ObserveReport

LEAST_CERTAINTY = 0.5
"""How sure it has to be that code is dead before it is told."""


class Observed(Evidenced):
    """The part of an open project that is told how its code ran."""

    settings: Settings
    _guard: threading.Lock
    _runs: Running | None = None

    def _running(self) -> Running:
        """Return what is known of runs."""
        from recollect.evidence.runtime.known import Running

        with self._guard:
            if self._runs is None:
                self._runs = Running(self._index.project.evidence_db)
            return self._runs

    def _close_runs(self) -> None:
        with self._guard:
            runs, self._runs = self._runs, None
        if runs is not None:
            runs.close()

    def observe(
        self,
        files: Sequence[str | Path],
        format: str = "",  # noqa: A002  # as the command line says it
        again: bool = False,
        progress: Listener | None = None,
    ) -> ObserveReport:
        """Learn from traces and coverage reports which symbols ran, how often and when; each report counts once."""
        from recollect.evidence.runtime.observe import keep_fresh, observe_files

        started = time.monotonic()
        notes = list(self._index.keep_up(progress, always=True))
        job = _job(self, progress)
        sources = observe_files(job, [Path(file) for file in files], format, again)
        keep_fresh(job, self.settings.runtime_days)
        self._publish()
        return _report(sources, job, notes, started)

    def listen(self, host: str = "127.0.0.1", port: int = 4318) -> Listening:
        """Receive traces of programs on this machine until what is returned is closed; use it as a context manager."""
        from recollect.evidence.runtime.receive import Receiver

        return Listening(self, Receiver(host, port))

    def dead(
        self, paths: Iterable[str] = (), least: float = LEAST_CERTAINTY, progress: Listener | None = None
    ) -> DeadReport:
        """Return the functions, methods and types that nothing living is known to use, surest first.

        `paths` are files or folders below the root; `least` is how sure it has to be, from 0 to 1.
        """
        from recollect.evidence.dead.find import Digging, find_dead, notes_of
        from recollect.evidence.values import DeadReport

        if not 0 <= least <= 1:
            raise UsageError(f"A certainty lies between 0 and 1, not at {least:g}.")
        below = tuple(path.replace("\\", "/").removeprefix("./").rstrip("/") for path in paths)
        notes = list(self._index.keep_up(progress))
        running, tell = self._running(), progress or (lambda _: None)
        found, looked_at = self._index.ask(
            lambda reader: find_dead(Digging(self.root, reader, running.ran, tell), below)
        )
        sure = tuple(one for one in found if one.certainty >= least)
        notes += notes_of(self._evidence(), bool(found))
        return DeadReport(sure, looked_at, len(found) - len(sure), tuple(notes))

    def runs(self) -> KnownRuns:
        """Return what is known of runs, and from which reports."""
        from recollect.evidence.runtime.observe import reports
        from recollect.evidence.values import KnownRuns

        evidence = self._evidence()
        told = tuple({"name": one.name, "format": one.format, "time": one.time, "records": one.records}
                     for one in reports(evidence))  # fmt: skip
        return KnownRuns(*evidence.run_counts(), told, self.settings.runtime_days)

    def forget_runs(self, days: float = 0) -> int:
        """Drop everything that was seen running, or with `days` what was last seen longer ago; return how much went."""
        from recollect.evidence.runtime.observe import forget_all, prune

        evidence = self._evidence()
        gone = prune(evidence, days, time.time()) if days else forget_all(evidence)
        self._publish()
        return gone


class Listening:
    """A project that is told of runs while they happen."""

    def __init__(self, project: Observed, receiver: Receiver) -> None:
        self._project = project
        self._receiver = receiver
        self.address = receiver.address
        """Where exporters of OpenTelemetry are to send to."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def keep(self) -> ObserveReport:
        """Write down what was heard since the last time, and report it."""
        from recollect.evidence.runtime.gather import Gathering
        from recollect.evidence.runtime.observe import keep_fresh, take_sums
        from recollect.evidence.values import ObserveReport

        started = time.monotonic()
        sums, project = self._receiver.heard(), self._project
        if not sums.records:
            return ObserveReport((self.address,), 0, 0, 0, 0, 0.0)
        notes = list(project._index.keep_up(always=True))
        job = _job(project, None)
        take_sums(job, sums, Gathering(project.root, job.ask, job.files))
        keep_fresh(job, project.settings.runtime_days)
        if job.symbols or job.steps:
            project._publish()
        return _report((self.address,), job, notes, started)

    def close(self) -> ObserveReport:
        """Stop listening, write down the rest and report it."""
        self._receiver.close()
        return self.keep()


def _job(project: Observed, progress: Listener | None) -> Any:
    from recollect.evidence.runtime.observe import Observing

    return Observing(
        project.root,
        project._index.ask,
        project._evidence(),
        project._records(),
        progress or (lambda _: None),
    )


def _report(sources: Sequence[str], job: Any, notes: Sequence[str], started: float) -> ObserveReport:
    from recollect.evidence.values import ObserveReport

    seconds = time.monotonic() - started
    counts = (job.records, len(job.symbols), len(job.steps), job.unmatched)
    return ObserveReport(tuple(sources), *counts, seconds, (*notes, *job.notes))
