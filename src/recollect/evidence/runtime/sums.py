"""What a report of runs says, before it is known which symbols it speaks of; sums stay small however long it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Frame(NamedTuple):
    """A function as a tracer names it; any part may be missing."""

    path: str = ""
    name: str = ""
    space: str = ""
    """The module, package or type that it says the function belongs to."""
    line: int = 0


class Tally:
    """How often, and when last."""

    __slots__ = ("last", "times")

    def __init__(self, times: int = 0, last: float = 0.0) -> None:
        self.times = times
        self.last = last

    def add(self, times: int, last: float) -> None:
        """Count more of it."""
        self.times += times
        self.last = max(self.last, last)


class Call(NamedTuple):
    """A function that a coverage report counts by name."""

    name: str
    line: int
    times: int


@dataclass(slots=True)
class FileRun:
    """Which lines of one file ran."""

    paths: tuple[str, ...]
    """Where the file may be; a report with several roots names several."""
    last: float
    hits: dict[int, int] = field(default_factory=dict)
    """How often each line ran; lines that did not are absent."""
    calls: list[Call] = field(default_factory=list)
    tests: dict[str, int] = field(default_factory=dict)
    """The lines that each test ran, as bits."""
    entered: dict[str, int] = field(default_factory=dict)
    """The lines at which functions were entered, by test, where the report knows them."""
    exact: bool = False
    """Whether only lines with a statement are named, so that a blank one means that the file has changed."""

    def joined(self, other: FileRun) -> FileRun:
        """Return what ran of a file by two parts of a report."""
        hits, tests, entered = dict(self.hits), dict(self.tests), dict(self.entered)
        for line, times in other.hits.items():
            hits[line] = hits.get(line, 0) + times
        for known, more in ((tests, other.tests), (entered, other.entered)):
            for test, bits in more.items():
                known[test] = known.get(test, 0) | bits
        times_of = {call[:2]: call.times for call in self.calls}
        for call in other.calls:
            times_of[call[:2]] = times_of.get(call[:2], 0) + call.times
        calls = [Call(name, line, times) for (name, line), times in times_of.items()]
        return FileRun(self.paths, max(self.last, other.last), hits, calls, tests, entered, self.exact)


@dataclass(slots=True)
class Sums:
    """What was read of reports, summed up by function."""

    frames: dict[Frame, Tally] = field(default_factory=dict)
    steps: dict[tuple[Frame, Frame], Tally] = field(default_factory=dict)
    tests: dict[tuple[str, Frame], Tally] = field(default_factory=dict)
    records: int = 0
    unnamed: int = 0
    """Records that do not say which code they speak of."""
    notes: list[str] = field(default_factory=list)

    def ran(self, frame: Frame, times: int, last: float) -> None:
        """Count runs of a function."""
        self.frames.setdefault(frame, Tally()).add(times, last)

    def step(self, caller: Frame, called: Frame, times: int, last: float) -> None:
        """Count steps from one function to another."""
        self.steps.setdefault((caller, called), Tally()).add(times, last)

    def tested(self, test: str, frame: Frame, times: int, last: float) -> None:
        """Count runs of a function by a test."""
        self.tests.setdefault((test, frame), Tally()).add(times, last)


def lines_of(bits: int) -> list[int]:
    """Return the lines that a row of bits stands for."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def bits_of(lines: list[int]) -> int:
    """Return lines as a row of bits."""
    bits = 0
    for line in lines:
        bits |= 1 << line
    return bits
