"""What is indexed, how fresh it is and how much room it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.index.project import Project, commit_of
from recollect.index.update import pending
from recollect.ports import Store
from recollect.store.sqlite.evidence import open_evidence
from recollect.types import Status

_PARTS = ("", "-wal", "-shm")
_COUNTED = ("files", "symbols", "chunks", "edges")
_KIND = "kind:"


def status(project: Project, store: Store, ignore: Sequence[str] = ()) -> Status:
    """Describe the index, comparing it with the files as they are now."""
    with store.reader() as reader:
        records = list(reader.files())
        counts = reader.counts()
        return Status(
            root=str(project.root),
            indexed=bool(records) or reader.meta("complete") is not None,
            complete=reader.meta("complete") == "1",
            pending=pending(project, reader, ignore),
            commit=commit_of(project),
            indexed_commit=reader.meta("commit") or "",
            generation=reader.generation(),
            counts={name: counts.get(name, 0) for name in _COUNTED},
            kinds=_kinds(counts),
            languages=_counted(record.language for record in records if not record.skipped),
            skipped=_counted(record.skipped for record in records if record.skipped),
            sizes=sizes(project),
            **_evidence(project),
        )


def _evidence(project: Project) -> dict[str, Any]:
    """Return what is known of the code beside reading it; nothing where nothing was gathered."""
    evidence = open_evidence(project.evidence_db)
    try:
        ran, calls, tests, last = evidence.run_counts()
        counts = {"resolved": evidence.resolved_files(), "ran": ran, "calls": calls, "tests": tests}
    finally:
        evidence.close()
    return {"evidence": {name: count for name, count in counts.items() if count}, "last_run": last}


def _kinds(counts: Mapping[str, int]) -> dict[str, int]:
    """Return how many items there are of each kind, but for those that have a count of their own."""
    kinds = {name.removeprefix(_KIND): count for name, count in counts.items() if name.startswith(_KIND)}
    shown = [(kind, count) for kind, count in kinds.items() if kind not in ("file", "chunk")]
    return dict(sorted(shown, key=lambda pair: (-pair[1], pair[0])))


def sizes(project: Project) -> dict[str, int]:
    """Return the bytes that each database takes on disk, its log included."""
    places = (project.index_db, project.parsed_db, project.evidence_db, project.memory_db)
    return {place.name: _bytes_of(place) for place in places if place.exists()}


def _bytes_of(place: Path) -> int:
    parts = (place.with_name(place.name + part) for part in _PARTS)
    return sum(part.stat().st_size for part in parts if part.exists())


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items(), key=lambda pair: (-pair[1], pair[0])))
