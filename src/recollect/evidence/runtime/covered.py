"""From the lines of files that ran to the functions that did, and the tests that ran them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from recollect.evidence.places import Places
from recollect.evidence.runtime.spans import Own, own_lines
from recollect.evidence.runtime.sums import Call, FileRun
from recollect.graph.keys import last_part
from recollect.source.read import read_source
from recollect.types import Item

_MOVED = 0.1
"""A report of whose functions more stand elsewhere than this is of another state of the file."""
_MANGLED = re.compile(r"^_(Z|R|\$)|anonymous|^$")


class Covering(NamedTuple):
    """What a file's lines say of its functions."""

    ran: tuple[tuple[Item, int], ...]
    tests: tuple[tuple[str, Item], ...]
    changed: bool = False
    """Whether the file is another one than was run, so that only functions that are named count."""


class Lines(NamedTuple):
    """A file as it is now."""

    lines: Sequence[str]
    """Empty where it cannot be read."""
    functions: Sequence[Own]


def lines_and_functions(root: Path, path: str, places: Places) -> Lines:
    """Return the text of a file and which lines its functions have for themselves."""
    source = read_source(root, path)
    if source.reason:
        return Lines((), ())
    lines = source.text.decode("utf-8", "replace").split("\n")
    return Lines(lines, own_lines(places.items(path), lines))


def covered(items: Sequence[Item], now: Lines, run: FileRun) -> Covering:
    """Return the functions of a file that ran, how often, and by which tests."""
    if not now.lines or _changed(run, now.lines):
        return Covering(_by_name(items, run.calls), (), True)
    ran: list[tuple[Item, int]] = []
    tests: list[tuple[str, Item]] = []
    for own in now.functions:
        times = _times(own, run)
        if times:
            ran.append((own.item, times))
            tests += [(test, own.item) for test in _tests(own, run)]
    return Covering(tuple(ran), tuple(tests))


def _changed(run: FileRun, lines: Sequence[str]) -> bool:
    if run.hits and max(run.hits) > len(lines):
        return True
    if run.exact:
        # A statement never stands on a blank line or a comment.
        return any(
            not text or text.startswith("#") for text in (lines[line - 1].strip() for line in run.hits)
        )
    named = [call for call in run.calls if call.line and not _MANGLED.search(call.name)]
    wrong = sum(call.line > len(lines) or _last(call.name) not in lines[call.line - 1] for call in named)
    return wrong > _MOVED * len(named)


def _times(own: Own, run: FileRun) -> int:
    """Return how often a function ran: as the report counts it, else as often as the first of its lines that did."""
    single = not own.lines
    if single:
        entered = [test for test, bits in run.entered.items() if bits & own.head]
        if entered:
            return max(1, sum(map(bool, entered)))
    if not single or own.item.language != "python":
        for call in run.calls:
            if own.head >> call.line & 1 and call.line and _is(own.item, call):
                return call.times
    ran = [
        line
        for line in range(own.item.start_line, own.item.end_line + 1)
        if own.lines >> line & 1 and line in run.hits
    ]
    return run.hits[ran[0]] if ran else 0


def _tests(own: Own, run: FileRun) -> list[str]:
    wanted, by_test = (own.lines, run.tests) if own.lines else (own.head, run.entered)
    return [test for test, bits in by_test.items() if test and bits & wanted]


def _is(item: Item, call: Call) -> bool:
    return last_part(item.name) in call.name or "anonymous" in call.name


def _by_name(items: Sequence[Item], calls: Sequence[Call]) -> tuple[tuple[Item, int], ...]:
    """Return the functions that bear the name of one that ran and share it with no other."""
    found = []
    for call in calls:
        named = [item for item in items if last_part(item.name) == _last(call.name)]
        if call.times > 0 and len(named) == 1:
            found.append((named[0], call.times))
    return tuple(found)


def _last(name: str) -> str:
    words = re.findall(r"[\w$]+", name.partition("(")[0])
    return words[-1] if words else name
