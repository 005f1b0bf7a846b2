"""Tells at query time whether files are still what was indexed, by looking at the files themselves."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from recollect.ports import FileRecord, Reader
from recollect.source.read import content_hash
from recollect.source.sweep import CLOCK_STEP_NS


@dataclass(frozen=True, slots=True)
class Freshness:
    """Which of the files that were asked about are no longer what the index knows."""

    changed: frozenset[str]
    deleted: frozenset[str]

    @property
    def fresh(self) -> bool:
        """Whether everything is as it was indexed."""
        return not self.changed and not self.deleted


def check(reader: Reader, root: Path, paths: Iterable[str]) -> Freshness:
    """Compare files with their records: size and time first, the bytes when these differ."""
    changed: set[str] = set()
    deleted: set[str] = set()
    certain_ns = int(reader.meta("scanned_ns") or 0) - CLOCK_STEP_NS
    for path in dict.fromkeys(paths):
        place = f"{root}/{path}"
        try:
            found = os.lstat(place)
        except (OSError, ValueError):
            deleted.add(path)
            continue
        if not stat.S_ISREG(found.st_mode):
            deleted.add(path)
            continue
        record = reader.file(path)
        if record is None or _differs(place, found, record, certain_ns):
            changed.add(path)
    return Freshness(frozenset(changed), frozenset(deleted))


def _differs(place: str, found: os.stat_result, record: FileRecord, certain_ns: int) -> bool:
    if found.st_size != record.size:
        return True
    # A file written while the index looked at it may carry the same time as before; only its bytes can tell.
    if found.st_mtime_ns == record.mtime_ns < certain_ns:
        return False
    try:
        return content_hash(Path(place).read_bytes()) != record.content
    except OSError:
        return True
