"""What the commands that gather evidence report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolReport:
    """What one language server or index file contributed."""

    name: str
    version: str
    languages: tuple[str, ...]
    files: int
    """Files that it speaks for."""
    resolved: int
    """Files that were resolved in this run."""
    known: int
    """Files that had been resolved before and have not changed since."""
    failed: int
    left: int
    """Files that the time did not suffice for."""
    questions: int
    answered: int


@dataclass(frozen=True, slots=True)
class EnrichReport:
    """What one run of `enrich` did to the edges."""

    tools: tuple[ToolReport, ...]
    before: Mapping[str, int]
    """Edges by provenance when it began."""
    after: Mapping[str, int]
    outside: int
    """Symbols outside the repository that the code uses."""
    seconds: float
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ObserveReport:
    """What was learned from reports of runs."""

    sources: tuple[str, ...]
    records: int
    """Spans, lines or rows that were read."""
    symbols: int
    """Symbols that were seen running."""
    steps: int
    """Edges between symbols that were seen while code ran."""
    unmatched: int
    """Records that no symbol of the index fits."""
    seconds: float
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class HistoryReport:
    """What one run read of git's history."""

    commit: str
    """What was checked out; empty without a repository."""
    read: int
    """Commits that were read in this run."""
    commits: int
    """Commits that are known of those that lead here."""
    followed_now: int
    """Commits whose lines were read in this run."""
    followed: int
    files: int
    """Files whose past is known."""
    symbols: int
    """Symbols that were followed in this run."""
    pairs: int
    """Pairs of files or symbols that change together."""
    seconds: float
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class KnownRuns:
    """What is known of runs."""

    symbols: int
    """Symbols, and the types and files that hold them."""
    calls: int
    """Steps from one symbol to another."""
    tests: int
    """Steps from a test to what it ran."""
    last: float
    """When anything was last seen running, in seconds since 1970; 0 when nothing was."""
    reports: tuple[Mapping[str, Any], ...]
    """Name, format, time and number of records of each report that was observed."""
    days: float
    """How long it is kept; 0 for good."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class DeadCode:
    """A symbol that nothing living is known to use."""

    id: str
    kind: str
    name: str
    path: str
    start_line: int
    end_line: int
    certainty: float
    """How sure it is that nothing needs it, in [0, 1]."""
    reasons: tuple[str, ...]
    """What that rests on, and what speaks against it."""


@dataclass(frozen=True, slots=True)
class DeadReport:
    """The candidates for dead code, surest first."""

    candidates: tuple[DeadCode, ...]
    looked_at: int
    """Symbols that might have been dead."""
    doubtful: int
    """Symbols that nothing is proven to use but that are less sure than was asked for."""
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        return asdict(self)
