"""Gathers what reports say of this code until it is written down at once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from recollect.evidence.places import Places
from recollect.evidence.runtime.covered import covered, lines_and_functions
from recollect.evidence.runtime.match import Ask, Matcher
from recollect.evidence.runtime.roots import Roots
from recollect.evidence.runtime.sums import FileRun, Sums, Tally
from recollect.ports import FileRecord
from recollect.store.ids import uid_of
from recollect.store.resolved import shape_of
from recollect.store.sqlite.evidence import Passed, Ran, SqliteEvidence
from recollect.types import EDGE_TYPES, TYPE_KINDS, Item

_CALLS, _TESTS = EDGE_TYPES.index("calls"), EDGE_TYPES.index("tests")
_SHOWN = 3


class _Known(NamedTuple):
    uid: int
    shape: int


class Written(NamedTuple):
    """What a report told of, by symbol and by step."""

    symbols: frozenset[Any]
    steps: frozenset[Any]


class Gathering:
    """Evidence of one report, in terms of symbols."""

    def __init__(self, root: Path, ask: Ask, files: Sequence[FileRecord]) -> None:
        self._places = Places(root, ask)
        self._roots = Roots(root, (one.path for one in files))
        self._matcher = Matcher(self._places, self._roots, ask)
        self._ran: dict[_Known, Tally] = {}
        self._around: dict[_Known, Tally] = {}
        self._passed: dict[tuple[_Known, _Known, int], Tally] = {}
        self._deferred: dict[tuple[str, ...], FileRun] = {}
        self._known_lines = lru_cache(maxsize=256)(lambda path: lines_and_functions(root, path, self._places))
        self._changed: dict[str, None] = {}
        self._no_tests: dict[str, None] = {}
        self.files = self.unmatched = 0

    def file(self, run: FileRun) -> None:
        """Take in which lines of a file ran; a file that is not recognised waits until the others are known."""
        path = next((known for one in run.paths if (known := self._roots.of(one))), None)
        if path is not None:
            self._covered(path, run)
        elif any(map(self._roots.named_here, run.paths)):
            waiting = self._deferred.get(run.paths)
            self._deferred[run.paths] = run if waiting is None else waiting.joined(run)
        else:
            self.unmatched += 1

    def take(self, sums: Sums) -> None:
        """Take in what was summed up by function, and the files that waited."""
        self._roots.again()
        deferred, self._deferred = self._deferred, {}
        for run in deferred.values():
            path = next((known for one in run.paths if (known := self._roots.of(one))), None)
            if path is None:
                self.unmatched += 1
            else:
                self._covered(path, run)
        for frame, tally in sums.frames.items():
            item = self._matcher.frame(frame)
            if item is None:
                self.unmatched += tally.times
            else:
                self._run(item, tally.times, tally.last)
        for (caller, called), tally in sums.steps.items():
            begin, end = self._matcher.frame(caller), self._matcher.frame(called)
            if begin is not None and end is not None and begin.id != end.id:
                self._step(begin, end, _CALLS, tally)
        for (test, frame), tally in sums.tests.items():
            item = self._matcher.frame(frame)
            if item is not None:
                self._tested(test, item, tally)

    def write(self, evidence: SqliteEvidence) -> Written:
        """Add everything to what is known; return which symbols and steps there were."""
        now = time.time()
        rows = [
            Ran(known.uid, known.shape, tally.times, min(now, tally.last))
            for known, tally in self._ran.items()
        ]
        for known, tally in self._around.items():
            if known not in self._ran:
                rows.append(Ran(known.uid, known.shape, tally.times, min(now, tally.last)))
        steps = [
            Passed(begin.uid, end.uid, kind, begin.shape, end.shape, tally.times, min(now, tally.last))
            for (begin, end, kind), tally in self._passed.items()
        ]
        evidence.add_ran(rows)
        evidence.add_passed(steps)
        written = Written(frozenset(self._ran), frozenset(self._passed))
        for gathered in (self._ran, self._around, self._passed):
            gathered.clear()
        return written

    def notes(self) -> list[str]:
        """Say what could not be told, or only in part."""
        matcher, roots = self._matcher, self._roots
        told = []
        if roots.foreign():
            told.append(f"Paths under {roots.foreign()} were taken for files of this folder.")
        told += _some(self._changed, "{} files changed since the report was made; only functions that it names were "
                      "counted of them ({}). Run again for the rest.")  # fmt: skip
        told += _some(
            matcher.moved, "{} symbols stand elsewhere now than when they ran and were found by name ({})."
        )
        told += _some(
            {f"{path} ({', '.join(files[:_SHOWN])})": None for path, files in roots.ambiguous.items()},
            "{} paths fit several files here and were left out: {}. Make the report at the top of the repository.",
        )
        told += _some(matcher.ambiguous, "{} names fit several symbols and were left out ({}).")
        told += _some(roots.strange, "{} files of the report are not indexed here, such as {}.", 1)
        told += _some(self._no_tests, "{} tests of the report are no symbols here, such as {}.", 1)
        return told

    def _covered(self, path: str, run: FileRun) -> None:
        self.files += 1
        found = covered(self._places.items(path), self._known_lines(path), run)
        if found.changed:
            self._changed[path] = None
        for item, times in found.ran:
            self._run(item, times, run.last)
        for test, item in found.tests:
            self._tested(test, item, Tally(1, run.last))

    def _tested(self, test: str, item: Item, tally: Tally) -> None:
        known = self._matcher.test(test)
        if known is None:
            self._no_tests[test] = None
        elif not item.test:
            self._step(known, item, _TESTS, tally)

    def _run(self, item: Item, times: int, last: float) -> None:
        own = self._ran.setdefault(_known(item), Tally())
        own.add(times, last)
        for around in self._holding(item):
            tally = self._around.setdefault(_known(around), Tally())
            tally.times, tally.last = max(tally.times, own.times), max(tally.last, own.last)

    def _holding(self, item: Item) -> list[Item]:
        """Return the type and the file that hold a symbol: they run when it does."""
        owner = item.name.rpartition(".")[0]
        return [
            one for one in self._places.items(item.path)
            if one.id != item.id and (one.kind == "file" or (one.name == owner and one.kind in TYPE_KINDS))
        ]  # fmt: skip

    def _step(self, begin: Item, end: Item, kind: int, tally: Tally) -> None:
        key = (_known(begin), _known(end), kind)
        self._passed.setdefault(key, Tally()).add(tally.times, tally.last)


def _known(item: Item) -> _Known:
    return _Known(uid_of(item.id), shape_of(item.kind, item.signature))


def _some(found: dict[str, Any], sentence: str, shown: int = _SHOWN) -> list[str]:
    return [sentence.format(f"{len(found):,}", ", ".join(list(found)[:shown]))] if found else []
