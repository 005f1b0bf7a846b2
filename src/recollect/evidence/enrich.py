"""Has language servers resolve what files refer to: only what changed, file by file, within a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from recollect.evidence.lsp.client import Client, Found, Spot
from recollect.evidence.lsp.wire import ServerGone
from recollect.evidence.places import Places
from recollect.evidence.questions import Question, questions, utf16
from recollect.evidence.record import Record, Target, record
from recollect.evidence.servers import Server
from recollect.evidence.values import ToolReport
from recollect.parse import parse
from recollect.ports import FileRecord, Reader
from recollect.source.read import read_source
from recollect.store.resolved import evidence_key, pack
from recollect.store.sqlite.evidence import SqliteEvidence
from recollect.types import Progress

FILE_SECONDS = 30.0
FIRST_FILE_SECONDS = 120.0
"""The first file of a server may have to wait until it has read the whole project."""
_FAILURES = 3
"""After so many files in a row that failed, a server is given up."""
_KEPT_AFTER = 5.0
_MOST_QUESTIONS = 20_000
_OWN = frozenset({"", "self", "super"})
_TELLING = 10
"""A server that answered none of so many questions does not understand the project."""

Answer = TypeVar("Answer")


@dataclass(slots=True)
class Job:
    """What a run works with."""

    root: Path
    ask: Callable[[Callable[[Reader], Sequence]], Sequence]  # type: ignore[type-arg]
    evidence: SqliteEvidence
    tell: Callable[[Progress], None]
    until: float
    """When to stop, on the monotonic clock."""
    notes: list[str] = field(default_factory=list)
    unusable: set[str] = field(default_factory=set)
    """Servers that are installed but did not start."""


class Todo(NamedTuple):
    """A file that is to be resolved, and under what it is kept."""

    record: FileRecord
    key: bytes


def tool_name(server: Server) -> str:
    """Return under which name a server's answers are kept."""
    return f"lsp:{server.name}"


def resolve_with(
    job: Job, server: Server, files: Sequence[FileRecord], stale: set[bytes], full: bool
) -> ToolReport:
    """Have one server resolve those files that it has not resolved as they are now."""
    known = set() if full else job.evidence.resolved_keys(tool_name(server)) - stale
    waiting = [Todo(one, evidence_key(one.content, one.path)) for one in files]
    waiting = [one for one in waiting if one.key not in known]
    run = _Run(job, server)
    try:
        for todo in waiting:
            if time.monotonic() >= job.until or run.given_up:
                break
            run.file(todo)
            job.tell(Progress(server.name, run.done + run.failed, len(waiting), todo.record.path))
    finally:
        run.close()
    left = len(waiting) - run.done - run.failed
    if left and not run.given_up:
        job.notes.append(
            f"The time was up with {left} files left for {server.name}; run enrich again to go on."
        )
    languages = tuple(sorted({one.language for one in files}))
    return ToolReport(
        server.name, server.told_version(), languages, len(files), run.done, len(files) - len(waiting),
        run.failed, left, run.questions, run.answered,
    )  # fmt: skip


class _Run:
    """One server at work, started again when it fails; what it resolved is kept every few seconds."""

    def __init__(self, job: Job, server: Server) -> None:
        self._job = job
        self._server = server
        self._client: Client | None = None
        self._first = True
        self._started = False
        self._complaint = ""
        self._in_a_row = 0
        self._rows: list[tuple[bytes, bytes]] = []
        self._kept = time.monotonic()
        self._places = Places(job.root, job.ask)
        self.done = self.failed = self.questions = self.answered = 0
        self.given_up = False

    def file(self, todo: Todo) -> None:
        """Resolve one file; a server that hangs or dies over it costs this file only."""
        path = todo.record.path
        source = read_source(self._job.root, path)
        if source.reason or source.content != todo.record.content:
            # It changed while this run was under way; the next one resolves it.
            self.failed += 1
            return
        text = source.text.decode("utf-8", "replace")
        try:
            made = self._resolved(todo.record, source.text, text)
        except ServerGone as error:
            self._failed(path, str(error))
            return
        self._in_a_row, self._first = 0, False
        self.done += 1
        self.answered += made.answered
        self._rows.append((todo.key, pack(made.resolved)))
        if self.answered and time.monotonic() - self._kept > _KEPT_AFTER:
            self._keep()

    def close(self) -> None:
        """Keep what was resolved and end the server; a server that answered nothing at all has resolved nothing."""
        name, many = self._server.name, self.questions >= _TELLING
        said = f' It says: "{self._complaint}"' if self._complaint else ""
        if not self.answered and many and self.done:
            self._job.notes.append(
                f"{name} answered none of {self.questions:,} questions about {self.done:,} files, which "
                f"were left as they were: it does not understand how this project is built.{said}"
            )
            self.done, self.given_up = 0, True
        else:
            self._keep()
            if said and many and self.answered < self.questions / 2:
                self._job.notes.append(f"{name} could answer less than half of the questions.{said}")
        if self._client is not None:
            self._client.close()
            self._client = None

    def _resolved(self, file: FileRecord, content: bytes, text: str) -> Record:
        client = self._client or self._start()
        facts = parse(file.path, file.language, content)
        lines = text.split("\n")
        asked = questions(facts, lines, client.can("implementationProvider"))[:_MOST_QUESTIONS]
        self.questions += len(asked)
        spots = [(one.method, Spot(one.line - 1, utf16(lines[one.line - 1], one.column))) for one in asked]
        limit = FIRST_FILE_SECONDS if self._first else FILE_SECONDS
        limit = min(limit, max(1.0, self._job.until - time.monotonic()))
        found = client.definitions(file.path, text, file.language, spots, limit) if spots else []
        self._complaint = client.complaint or self._complaint
        replies = [
            (
                question,
                None if places is None or self._guessed(question, places) else list(self._targets(places)),
            )
            for question, places in zip(asked, found, strict=True)
        ]
        return record(file.path, facts, self._places, replies, "lsp_resolved")

    def _guessed(self, question: Question, found: Sequence[Found]) -> bool:
        if not self._server.guesses:
            return False
        known = question.receiver in _OWN or question.receiver[:1].isupper()
        return not known or len({(one.path, one.line) for one in found}) > 1

    def _targets(self, found: Sequence[Found]) -> Iterator[Target]:
        for place in found:
            name = self._places.word(place.path, place.line, place.column)
            yield Target(place.path, place.line + 1, name)

    def _start(self) -> Client:
        client = Client(self._server, self._job.root)
        try:
            client.warm_up()
        except BaseException:
            client.kill()
            raise
        self._client, self._started = client, True
        return client

    def _failed(self, path: str, reason: str) -> None:
        if self._client is not None:
            self._client.kill()
            self._client = None
        if time.monotonic() >= self._job.until:
            return
        if not self._started:
            self.given_up = True
            self._job.unusable.add(self._server.name)
            self._job.notes.append(f"{self._server.name} is installed but cannot be used: {reason}.")
            return
        self.failed += 1
        self._in_a_row += 1
        self._job.notes.append(f"{path} was left as it was: {reason}.")
        if self._in_a_row >= _FAILURES:
            self.given_up = True
            self._job.notes.append(
                f"{self._server.name} failed {_FAILURES} times in a row and was given up; try its version alone: "
                f"{' '.join(self._server.version or self._server.command)}."
            )

    def _keep(self) -> None:
        self._job.evidence.put_resolved(tool_name(self._server), time.time(), self._rows)
        self._rows.clear()
        self._kept = time.monotonic()


__all__ = ["Job", "Question", "resolve_with", "tool_name"]
