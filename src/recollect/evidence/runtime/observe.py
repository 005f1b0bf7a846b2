"""Takes reports of runs into the evidence: each report once, and nothing older than is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from recollect.errors import UsageError
from recollect.evidence.runtime.formats import FORMATS, format_of
from recollect.evidence.runtime.gather import Gathering
from recollect.evidence.runtime.match import Ask
from recollect.evidence.runtime.read import Report, read_report
from recollect.evidence.runtime.sums import Sums
from recollect.ports import FileRecord
from recollect.store.sqlite.evidence import SqliteEvidence
from recollect.types import Progress

_SEEN = "report:"
_TOLD_EVERY = 8 << 20
DAY = 86400.0


@dataclass(slots=True)
class Observing:
    """What an observation works with."""

    root: Path
    ask: Ask
    evidence: SqliteEvidence
    files: Sequence[FileRecord]
    tell: Callable[[Progress], None]
    notes: list[str] = field(default_factory=list)
    records: int = 0
    symbols: set[object] = field(default_factory=set)
    steps: set[object] = field(default_factory=set)
    unmatched: int = 0


class Seen(msgspec.Struct, frozen=True):
    """A report that was taken in."""

    name: str
    format: str
    time: float
    records: int


def observe_files(
    job: Observing, paths: Sequence[Path], form: str = "", again: bool = False
) -> tuple[str, ...]:
    """Take in some reports; return which ones were."""
    if form and form not in FORMATS:
        raise UsageError(f"There is no format {form!r}. Use one of: {', '.join(FORMATS)}.")
    taken: list[str] = []
    failed: list[UsageError] = []
    for path in paths:
        try:
            if _observe(job, Report(path, form or format_of(path), _written(path)), again):
                taken.append(str(path))
        except UsageError as error:
            failed.append(error)
    if failed and len(failed) == len(paths):
        raise failed[0]
    job.notes += map(str, failed)
    return tuple(taken)


def take_sums(job: Observing, sums: Sums, gathering: Gathering) -> None:
    """Match what was summed up with the index and write it down."""
    gathering.take(sums)
    written = gathering.write(job.evidence)
    job.symbols |= written.symbols
    job.steps |= written.steps
    job.records += sums.records
    job.unmatched += gathering.unmatched
    job.notes += [note for note in (*sums.notes, *gathering.notes()) if note not in job.notes]
    if sums.unnamed:
        job.notes.append(f"{sums.unnamed:,} of {sums.records:,} records do not say which code they are of.")


def keep_fresh(job: Observing, days: float) -> None:
    """Drop what was last seen longer ago than is kept, and say so."""
    gone = prune(job.evidence, days, time.time())
    if gone:
        job.notes.append(
            f"{gone:,} rows of what was last seen more than {days:g} days ago went; runtime_days says how long is kept."
        )


def prune(evidence: SqliteEvidence, days: float, now: float) -> int:
    """Drop what was last seen longer ago; return how many rows went."""
    if days <= 0:
        return 0
    before = now - days * DAY
    for key, told in evidence.metas(_SEEN):
        if _seen(told).time < before:
            evidence.put_meta(key, None)
    return evidence.forget("runtime", before) if evidence.oldest_run() < before else 0


def reports(evidence: SqliteEvidence) -> list[Seen]:
    """Return the reports that were taken in, the latest last."""
    return sorted((_seen(told) for _, told in evidence.metas(_SEEN)), key=lambda one: one.time)


def forget_all(evidence: SqliteEvidence) -> int:
    """Drop everything that was ever seen running; return how many rows went."""
    for key, _ in evidence.metas(_SEEN):
        evidence.put_meta(key, None)
    return evidence.forget("runtime")


def _observe(job: Observing, report: Report, again: bool) -> bool:
    gathering = Gathering(job.root, job.ask, job.files)
    sums = Sums()
    size = max(1, report.path.stat().st_size)
    told = 0

    def tell(done: int) -> None:
        nonlocal told
        if done - told >= _TOLD_EVERY:
            told = done
            job.tell(Progress("reading", min(done, size) >> 20, size >> 20, report.path.name))

    digest = read_report(report, sums, gathering.file, tell)
    key = f"{_SEEN}{digest}"
    if not again and job.evidence.meta(key):
        job.notes.append(f"{report.path.name} was observed before, and was not counted again.")
        return False
    if not sums.records:
        sums.notes.append(f"{report.path.name} holds nothing that could be read as {report.format}.")
    take_sums(job, sums, gathering)
    seen = Seen(report.path.name, report.format, time.time(), sums.records)
    job.evidence.put_meta(key, msgspec.json.encode(seen).decode())
    return True


def _seen(told: str) -> Seen:
    try:
        return msgspec.json.decode(told, type=Seen)
    except msgspec.MsgspecError:
        return Seen("", "", 0.0, 0)


def _written(path: Path) -> float:
    try:
        return min(time.time(), path.stat().st_mtime)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror or error}. Name a report of runs."
        ) from error
