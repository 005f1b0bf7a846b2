"""What a data set, a question and an answer are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Memory:
    """One text of a memory corpus."""

    id: int
    content: str
    category: str = ""
    tags: str = ""
    """Comma-separated."""
    expanded_keywords: str = ""
    """Separated by spaces."""
    importance: float = 0.5
    split: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields that only some data sets have: conversation, session, date, speaker."""

    def to_row(self) -> dict[str, Any]:
        """Return everything that the corpus says of this memory, as a line that `recollect import` takes."""
        row = asdict(self)
        del row["extra"], row["split"]
        return {**row, **self.extra}


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that answers a question: a memory, a file, a span of one, or a symbol."""

    id: int = 0
    path: str = ""
    start: int | None = None
    end: int | None = None
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One query with everything that answers it."""

    id: str
    text: str
    targets: tuple[Target, ...]
    stratum: str = "all"
    split: str = ""


@dataclass(frozen=True, slots=True)
class RepositorySpec:
    """Where the code of one split comes from."""

    name: str
    url: str = ""
    revision: str = ""
    root: str = ""
    """The folder that is indexed, relative to the repository; empty for all of it."""
    language: str = ""
    path: str = ""
    """Where it is on this machine, absolute or relative to the data set."""


@dataclass(frozen=True, slots=True)
class Repository:
    """The code of one split, laid out on disk for a retriever that may write beside it."""

    name: str
    folder: Path
    """The top: paths of answers are relative to it."""
    root: str = ""
    revision: str = ""
    language: str = ""
    split: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """One result of a code retriever, or of any whose results are not the ids of memories."""

    path: str = ""
    start: int | None = None
    end: int | None = None
    name: str = ""
    """The qualified name when a symbol is meant."""
    tokens: int = 0
    """What reading it costs; 0 when unknown."""


Corpus = Sequence[Memory] | Repository


@dataclass(frozen=True, slots=True)
class DataSet:
    """Questions, and the corpora that they are asked of, each within its split."""

    name: str
    kind: str
    """memory, repository, codesearch or tasks."""
    folder: Path
    questions: tuple[Question, ...]
    memories: Mapping[str, tuple[Memory, ...]] = field(default_factory=dict)
    repositories: Mapping[str, RepositorySpec] = field(default_factory=dict)
    digest: str = ""
    """Hash of what was asked and what counts as an answer: two runs compare only when it is equal."""

    @property
    def splits(self) -> tuple[str, ...]:
        """Return the names of the corpora."""
        return tuple(self.memories or self.repositories)

    @property
    def strata(self) -> tuple[str, ...]:
        """Return the kinds of question, sorted."""
        return tuple(sorted({question.stratum for question in self.questions}))
