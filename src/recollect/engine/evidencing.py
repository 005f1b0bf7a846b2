"""What an open project learns of its code beside reading it, and what can be asked of that; wiring only."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.errors import UsageError
from recollect.types import Progress

if TYPE_CHECKING:
    from recollect.evidence.values import EnrichReport
    from recollect.index.opened import OpenIndex
    from recollect.ports import FileRecord, Reader
    from recollect.store.sqlite.evidence import SqliteEvidence

Listener = Callable[[Progress], None]


class Evidenced:
    """The part of an open project that gathers evidence."""

    root: Path
    _index: OpenIndex

    def enrich(
        self,
        languages: Sequence[str] = (),
        scip: Sequence[str | Path] = (),
        seconds: float | None = None,
        full: bool = False,
        progress: Listener | None = None,
    ) -> EnrichReport:
        """Have language servers, or with `scip` index files, resolve what the code refers to."""
        from recollect.evidence.values import EnrichReport

        started = time.monotonic()
        notes = list(self._index.keep_up(progress, always=True))
        if not self._index.in_files:
            raise UsageError(
                "What is proven is laid over an index in files, and the index of this project is on a server. "
                "Leave out the store for this command, and ask there."
            )
        evidence = self._evidence()
        before = self._edges()
        until = started + seconds if seconds else float("inf")
        job = _job(self, evidence, progress, until)
        if scip:
            tools = [_from_scip(job, Path(file), self._records()) for file in scip]
        else:
            tools = _with_servers(self, job, set(languages), full)
        self._publish()
        after = self._edges()
        return EnrichReport(
            tuple(tools), before[0], after[0], after[1], time.monotonic() - started, (*notes, *job.notes)
        )

    def _records(self) -> list[FileRecord]:
        return self._index.ask(lambda reader: [row for row in reader.files() if not row.skipped])

    def _evidence(self) -> SqliteEvidence:
        from recollect.store.sqlite.evidence import open_evidence

        return open_evidence(self._index.project.evidence_db)

    def _edges(self) -> tuple[dict[str, int], int]:
        """Return how many edges there are of each provenance, and how many symbols lie outside."""
        from recollect.evidence.record import totals

        def count(reader: Reader) -> tuple[dict[str, int], int]:
            graph = reader.graph()
            beyond = int((graph.numbers > int(reader.meta("high_water") or 0)).sum())
            return dict(totals(graph.provenances.tolist())), beyond

        return self._index.ask(count)

    def _publish(self) -> None:
        """Make everything that is open notice that the graph is another one."""
        self._index.publish()


def _job(project: Evidenced, evidence: SqliteEvidence, progress: Listener | None, until: float) -> Any:
    from recollect.evidence.enrich import Job

    return Job(project.root, project._index.ask, evidence, progress or (lambda _: None), until)


def _with_servers(project: Evidenced, job: Any, languages: set[str], full: bool) -> list[Any]:
    """Ask the servers that are installed, and say which ones are not."""
    from recollect.evidence.enrich import resolve_with
    from recollect.evidence.servers import chosen, servers
    from recollect.store.sqlite.weave import stale_keys

    table = servers(project._index.project.folder)
    offered = {name for server in table for name in server.languages}
    strange = sorted(languages - offered)
    if strange:
        raise UsageError(
            f"No language server is listed for {', '.join(strange)}; the table knows {', '.join(sorted(offered))}, "
            "and .recollect/servers.toml may name more."
        )
    files = defaultdict(list)
    for row in project._records():
        if row.language in offered and (not languages or row.language in languages):
            files[row.language].append(row)
    stale = project._index.ask(lambda reader: stale_keys(reader, job.evidence))  # type: ignore[arg-type]  # in files
    found = chosen(table, files)
    reports: dict[str, Any] = {}
    while left := {one.name: one for one in found.values() if one.name not in reports}:
        for name, server in left.items():
            rows = [
                row for language in sorted(files) if found.get(language) is server for row in files[language]
            ]
            reports[name] = resolve_with(job, server, rows, stale, full)
        # Where one cannot be used, the next one of the table may.
        found = chosen([one for one in table if one.name not in job.unusable], files)
    for language in sorted(set(files) - set(found)):
        ways = " or ".join(
            server.install for server in table if language in server.languages and server.install
        )
        job.notes.append(
            f"{len(files[language])} {language} files were left as they are: no language server for {language} "
            f"can be used ({ways})."
        )
    return list(reports.values())


def _from_scip(job: Any, file: Path, records: Sequence[FileRecord]) -> Any:
    from recollect.evidence.scip.enrich import resolve_from

    return resolve_from(job, file, records)
