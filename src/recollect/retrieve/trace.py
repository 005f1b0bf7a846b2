"""What every stage did to every candidate; explanations are drawn from it, never computed again."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from recollect.retrieve.values import Candidate, Candidates, Ranked


@dataclass(slots=True)
class StageTrace:
    """One stage of one run: what went in, what came out, and why."""

    key: str
    """`phase.name`, as the profile calls it."""
    before: Candidates = ()
    after: Candidates = ()
    seconds: float = 0.0
    notes: MutableMapping[int, str] = field(default_factory=dict)
    dropped: MutableMapping[int, str] = field(default_factory=dict)
    covered: set[int] = field(default_factory=set)
    """Which of the dropped are shown all the same, as a part of another."""
    details: dict[int, Mapping[str, float]] = field(default_factory=dict)
    """The terms that a candidate's new score is made of."""
    parts: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    """What each channel adds to the new scores, where they are a sum over channels."""
    summary: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    """Whatever else the stage wants to be asked about later."""

    @property
    def phase(self) -> str:
        """Return the phase of the stage."""
        return self.key.partition(".")[0]

    def position(self, number: int) -> int | None:
        """Return the 1-based place of a candidate after the stage, or None when it is not there."""
        return next((place for place, row in enumerate(self.after, 1) if row.number == number), None)

    def candidate(self, number: int, before: bool = False) -> Candidate | None:
        """Return a candidate as it was after the stage, or before it."""
        rows = self.before if before else self.after
        return next((row for row in rows if row.number == number), None)


class Trace:
    """Collects the stages of one run as they happen."""

    def __init__(self) -> None:
        self.stages: list[StageTrace] = []
        self.ranked: tuple[Ranked, ...] = ()
        self.degradations: dict[str, str] = {}
        self.contributed: list[str] = []
        """Stages beside channels that added to the score of anything."""
        self.shared: dict[Any, Any] = {}
        """What several stages of one run need and only one of them computes."""

    @property
    def current(self) -> StageTrace:
        """Return the stage that is running."""
        return self.stages[-1]

    def begin(self, key: str, before: Candidates = ()) -> StageTrace:
        """Open the record of the next stage."""
        self.stages.append(StageTrace(key, before))
        return self.stages[-1]

    def note(self, number: int, reason: str) -> None:
        """Say what the running stage did to a candidate."""
        self.current.notes[number] = reason

    def drop(self, number: int, reason: str) -> None:
        """Say why the running stage took a candidate out."""
        self.current.dropped[number] = reason

    def cover(self, number: int, reason: str) -> None:
        """Say that the running stage took a candidate out because another one shows all of it."""
        self.drop(number, reason)
        self.current.covered.add(number)

    def detail(self, number: int, terms: Mapping[str, float]) -> None:
        """Give the terms of a candidate's new score."""
        self.current.details[number] = terms

    def summarise(self, text: str) -> None:
        """Say in one sentence what the running stage did as a whole."""
        self.current.summary = text

    def degrade(self, reason: str) -> None:
        """Say that the running stage could not do its work."""
        self.degradations[self.current.key] = reason

    def absent(self, reason: str = "") -> None:
        """Say that what the running stage needs is not there, as if the profile did not name it."""
        if reason:
            self.degrade(reason)
        self.current.data["absent"] = True

    def is_absent(self, key: str) -> bool:
        """Tell whether a stage did not run or lacked what it needs."""
        record = self.of(key)
        return record is None or bool(record.data.get("absent"))

    def of(self, key: str) -> StageTrace | None:
        """Return the record of a stage by `phase.name`."""
        return next((stage for stage in self.stages if stage.key == key), None)
