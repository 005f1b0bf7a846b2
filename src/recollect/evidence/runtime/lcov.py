"""Reads LCOV reports line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from recollect.evidence.runtime.sums import Call, FileRun

_LONGEST = 1 << 16


class Lcov:
    """A report while it is read."""

    def __init__(self, last: float) -> None:
        self._last = last
        self._test = ""
        self._run: FileRun | None = None
        self._begins: dict[str, int] = {}
        self.damaged = 0
        """Lines that could not be read."""
        self.cut_short = False

    def files(self, file: IO[bytes]) -> Iterator[FileRun]:
        """Yield what ran of each file; a file whose end is missing counts as far as it goes."""
        while line := file.readline(_LONGEST):
            told = line.decode("utf-8", "replace").strip()
            if told == "end_of_record":
                if self._run is not None:
                    yield self._run
                self._run = None
            elif told and not told.startswith("#"):
                self._line(told)
        if self._run is not None:
            self.cut_short = True
            yield self._run

    def _line(self, told: str) -> None:
        kind, _, rest = told.partition(":")
        if kind == "TN":
            self._test = rest.strip()
        elif kind == "SF":
            self._run, self._begins = FileRun((rest,), self._last), {}
        elif self._run is not None and kind in {"FN", "FNDA", "DA"}:
            try:
                self._count(self._run, kind, rest)
            except ValueError:
                self.damaged += 1

    def _count(self, run: FileRun, kind: str, rest: str) -> None:
        first, _, more = rest.partition(",")
        if kind == "FN":
            # FN:line,name and, since LCOV 1.16, FN:line,end,name.
            end, comma, name = more.partition(",")
            self._begins[name if comma and end.isdigit() else more] = int(first)
        elif kind == "FNDA":
            run.calls.append(Call(more, self._begins.get(more, 0), int(first)))
        elif (times := int(float(more.partition(",")[0]))) > 0:
            line = int(first)
            run.hits[line] = run.hits.get(line, 0) + times
            if self._test:
                run.tests[self._test] = run.tests.get(self._test, 0) | 1 << line
