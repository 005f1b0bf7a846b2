"""The values that the stages of the pipeline speak in; frozen, and free of behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from recollect.ports import Filters
from recollect.types import Place


@dataclass(frozen=True, slots=True)
class Keywords:
    """What a query is searched by, from the most to the least specific."""

    exact: tuple[str, ...] = ()
    compounds: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    speculative: tuple[str, ...] = ()
    """Compounds made of two neighbouring words; they count as compounds when a symbol is called so."""

    @property
    def primary(self) -> tuple[str, ...]:
        """Return what the user wrote as an identifier."""
        return self.exact + self.compounds

    @property
    def all(self) -> tuple[str, ...]:
        """Return every keyword, the most specific first."""
        return self.exact + self.compounds + self.components + self.speculative


class ChangedLines(NamedTuple):
    """The first and last line of each stretch of a file that was changed; None stands for the whole file."""

    path: str
    spans: tuple[tuple[int, int], ...] | None


@dataclass(frozen=True, slots=True)
class Query:
    """The text of a question and everything that was read from it, once."""

    text: str
    id: str
    shape: str = "words"
    """empty, words, identifier, trace or diff."""
    words: tuple[str, ...] = ()
    """Every word in order, lower case, with the noise."""
    keywords: Keywords = Keywords()
    identifiers: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    path_terms: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    """Paths that stand in the text, with their lines (0 when none was given)."""
    about_tests: bool = False
    files: tuple[str, ...] = ()
    """Files that were named by the caller instead of, or beside, a text."""
    lines: tuple[ChangedLines, ...] = ()
    """Which lines of them were changed, where that is known."""
    filters: Filters = field(default_factory=Filters)
    budget: int | None = None
    limit: int | None = None
    seed: int = 0
    session: str = ""
    notes: tuple[str, ...] = ()
    """Sentences about what was cut or ignored while reading."""


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """One item on its way to the answer."""

    number: int
    """Dense number of the item."""
    score: float
    reason: str = ""
    """Why it is here, from whoever brought it in."""
    signals: Mapping[str, float] = {}
    """What stages measured, by `stage.name`; what is not known is absent."""

    def scored(self, score: float, **signals: float) -> Candidate:
        """Return the candidate with another score and more signals; `__` in a signal's name stands for a dot."""
        if not signals:
            return Candidate(self.number, score, self.reason, self.signals)
        more = {name.replace("__", "."): value for name, value in signals.items()}
        return Candidate(self.number, score, self.reason, {**self.signals, **more})


Candidates = tuple[Candidate, ...]


class Ranked(msgspec.Struct, frozen=True):
    """What one channel found, best first, with the weight that the profile gives it."""

    channel: str
    weight: float
    hits: Candidates
    """Candidates whose scores only order them; a fuser uses the ranks."""
    degraded: str = ""
    """Why the channel could not do its work, empty when it did."""
