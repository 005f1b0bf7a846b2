"""One measured run: what was asked, what came back and what it cost; written as JSON and read back."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from recollect.errors import UsageError

FORMAT = 2


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its results and metrics."""

    id: str
    stratum: str
    split: str
    results: tuple[Any, ...]
    metrics: Mapping[str, float]
    milliseconds: float
    tokens_to_recall: Mapping[str, int | None] = field(default_factory=dict)
    recall_within: Mapping[str, float] = field(default_factory=dict)
    text: str = ""
    cpu_milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SplitCost:
    """What one corpus is and what it cost."""

    name: str
    documents: int
    bytes: int
    build_seconds: float
    index_bytes: int | None
    p50_ms: float
    p95_ms: float
    metrics: Mapping[str, float]
    notes: Mapping[str, int] = field(default_factory=dict)
    """What the retriever had to say, and how often."""
    build_cpu_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """All that was measured of one retriever on one data set."""

    retriever: str
    data: str
    kind: str
    digest: str
    k: int
    metrics: Mapping[str, float]
    strata: Mapping[str, Mapping[str, float]]
    latency_ms: Mapping[str, float]
    build_seconds: float
    index_bytes: int | None
    rss_bytes: int
    """The most memory that the process held during this run."""
    splits: tuple[SplitCost, ...]
    questions: tuple[Asked, ...]
    command: str = ""
    version: str = ""
    revision: str = ""
    """The commit of the working tree that the command was run in, with + when it had changes."""
    machine: str = ""
    made: str = ""
    cpu_ms: Mapping[str, float] = field(default_factory=dict)
    """Processor time of an answer, which a busy machine does not lengthen."""
    build_cpu_seconds: float = 0.0

    def values(self, metric: str) -> dict[str, float]:
        """Return one metric by question."""
        return {asked.id: asked.metrics[metric] for asked in self.questions if metric in asked.metrics}

    def in_stratum(self, metric: str, stratum: str) -> list[float]:
        """Return one metric of the questions of a stratum, or with `all` of all of them."""
        return [
            asked.metrics[metric]
            for asked in self.questions
            if metric in asked.metrics and stratum in ("all", asked.stratum)
        ]

    def by_split(self, metric: str) -> dict[str, float]:
        """Return the mean of one metric by split."""
        return {split.name: split.metrics[metric] for split in self.splits if metric in split.metrics}

    def summary(self) -> str:
        """Return the figures overall and by stratum as plain text."""
        from recollect.bench import metrics, tables

        strata = tables.plain(tables.strata_table([self], metrics.MAIN[self.kind]))
        return f"{tables.plain(tables.run_table([self]))}\n\n{strata}"

    def to_dict(self) -> dict[str, Any]:
        """Return the run as plain values for JSON."""
        return {"format": FORMAT, **asdict(self)}


def save(run: Run, file: Path) -> None:
    """Write a run with one question a line, so that two of them can be compared by eye; `.gz` is compressed."""
    row = run.to_dict()
    questions = ",\n  ".join(json.dumps(asked, ensure_ascii=False) for asked in row.pop("questions"))
    head = json.dumps(row, ensure_ascii=False, indent=1)
    file.parent.mkdir(parents=True, exist_ok=True)
    content = f'{head[:-2]},\n "questions": [\n  {questions}\n ]\n}}\n'.encode()
    file.write_bytes(gzip.compress(content, mtime=0) if file.suffix == ".gz" else content)


def load(file: Path) -> Run:
    """Read a run that was saved."""
    try:
        content = file.read_bytes()
        row = json.loads(gzip.decompress(content) if file.suffix == ".gz" else content)
        found = row.pop("format")
    except FileNotFoundError as error:
        raise UsageError(f"There is no run {file}; make one with: recollect bench run.") from error
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{file} is not a run of recollect bench ({error}).") from error
    if found != FORMAT:
        raise UsageError(f"{file} has the format {found}, this recollect reads {FORMAT}; run it again.")
    try:
        row["questions"] = tuple(
            Asked(**{**asked, "results": tuple(asked["results"])}) for asked in row["questions"]
        )
        row["splits"] = tuple(SplitCost(**split) for split in row["splits"])
        return Run(**row)
    except (TypeError, KeyError) as error:
        raise UsageError(f"{file} is not a complete run ({error}); run it again.") from error
