"""Follows the lines of symbols back through the commits that changed them, as `git blame` would, all at once."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np

from recollect.store.past import KEPT_COMMITS, Step, SymbolPast

Array = np.ndarray[Any, np.dtype[Any]]
_HUNK = np.dtype("<i4")
_GONE = -1


class Span(NamedTuple):
    """A symbol of a file as it is now."""

    uid: int
    start: int
    end: int
    """Its last line."""
    leaf: bool


@dataclass(frozen=True, slots=True)
class Ways:
    """Where commits are looked up."""

    steps: Callable[[int, int], Sequence[Step]]
    """By path and blob."""
    lines: Callable[[int, int], bytes | None]
    """By old and new blob."""
    order: Mapping[int, int]
    """The place of each commit that counts, newest first."""
    times: Mapping[int, int]


class Followed(NamedTuple):
    """What was found of the symbols of one file."""

    newest: int
    """The newest commit that changed the file, 0 when none is known."""
    whole: bool
    """Whether the lines could be followed to where they began."""
    symbols: tuple[SymbolPast, ...]


@dataclass(slots=True)
class _Touched:
    commits: list[set[int]]
    newest: int = 0
    whole: bool = True
    seen: set[tuple[int, int]] = field(default_factory=set)


def pack_hunks(hunks: Sequence[tuple[int, int, int, int]]) -> bytes:
    """Return hunks as one blob."""
    return zlib.compress(np.array(hunks, _HUNK).tobytes(), 1)


def unpack_hunks(data: bytes) -> Array | None:
    """Return hunks as rows of four numbers, None when the blob is damaged."""
    try:
        return np.frombuffer(zlib.decompress(data), _HUNK).reshape(-1, 4).astype(np.int64)
    except (zlib.error, ValueError):
        return None


def follow(path: int, blob: int, spans: Sequence[Span], ways: Ways) -> Followed:
    """Return which commits changed the lines of each symbol; a merge itself changes nothing."""
    touched = _Touched([set() for _ in spans])
    starts = np.array([span.start for span in spans], np.int64)
    ends = np.array([span.end for span in spans], np.int64)
    waiting: list[tuple[int, int, int, int, Array, Array]] = []
    count = 0

    def go_on(place: int, path: int, blob: int, starts: Array, ends: Array) -> None:
        nonlocal count
        count += 1
        heappush(waiting, (place, count, path, blob, starts, ends))

    go_on(-1, path, blob, starts, ends)
    while waiting:
        place, _, path, blob, starts, ends = heappop(waiting)
        steps = _nearest(ways, path, blob, place)
        touched.whole = touched.whole and bool(steps)
        # A content may come back: what counts is which commit made it.
        made = (path, steps[0].commit) if steps else (path, 0)
        if made in touched.seen:
            continue
        touched.seen.add(made)
        for step in steps:
            touched.newest = touched.newest or step.commit
            older = _over(step, blob, starts, ends, ways, touched)
            if older is not None and (older[0] != _GONE).any():
                go_on(ways.order[step.commit], step.path, step.old, *older)
    return Followed(touched.newest, touched.whole, _told(spans, touched.commits, ways))


def _nearest(ways: Ways, path: int, blob: int, place: int) -> list[Step]:
    """Return the steps of the commit that made a blob, the first one behind a place when several did."""
    found = [step for step in ways.steps(path, blob) if ways.order.get(step.commit, -2) > place]
    first = min((ways.order[step.commit] for step in found), default=0)
    return [step for step in found if ways.order[step.commit] == first]


def _over(
    step: Step, blob: int, starts: Array, ends: Array, ways: Ways, touched: _Touched
) -> tuple[Array, Array] | None:
    """Count a commit for the symbols that it changed, and return where they stood before it."""
    alive = np.flatnonzero(starts != _GONE)
    if not step.old:
        if not step.merge:
            _count(touched, alive, step.commit)
        return None
    if step.old == blob:
        return starts, ends
    packed = ways.lines(step.old, blob)
    hunks = None if packed is None else unpack_hunks(packed)
    if hunks is None:
        # Of a merge the other parents tell more.
        touched.whole = touched.whole and step.merge
        return None
    changed, older = moved(hunks, starts, ends)
    if not step.merge:
        _count(touched, np.flatnonzero(changed), step.commit)
    return older


def _count(touched: _Touched, which: Array, commit: int) -> None:
    for at in which.tolist():
        touched.commits[at].add(commit)


def moved(hunks: Array, starts: Array, ends: Array) -> tuple[Array, tuple[Array, Array]]:
    """Tell which spans a change touched, and where each stood before it, -1 for those that were not there."""
    new, behind, old, beyond = hunks.T
    alive = starts != _GONE
    before = np.searchsorted(behind, starts, side="right")
    until = np.searchsorted(new, ends, side="right")
    changed = alive & (until > before)
    at = np.minimum(before, len(hunks) - 1)
    inside = (before < len(hunks)) & (new[at] <= starts)
    # A border inside replaced lines keeps its distance to the border of them that lies in the symbol.
    first = np.where(
        inside, np.maximum(old[at], beyond[at] - (behind[at] - starts)), starts + _shift(hunks, before)
    )
    last = np.maximum(until - 1, 0)
    held = (until > 0) & (behind[last] > ends)
    final = np.where(
        held, np.minimum(beyond[last] - 1, old[last] + ends - new[last]), ends + _shift(hunks, until)
    )
    # All of it was written by this commit, unless line stands for line.
    anew = inside & held & (at == last) & (behind - new != beyond - old)[at]
    gone = ~alive | anew | (final < first)
    return changed, (np.where(gone, _GONE, first), np.where(gone, _GONE, final))


def _shift(hunks: Array, count: Array) -> Array:
    """Return by how much lines stood elsewhere that have so many hunks before them."""
    shift: Array = np.where(count > 0, (hunks[:, 3] - hunks[:, 1])[np.maximum(count - 1, 0)], 0)
    return shift


def _told(spans: Sequence[Span], commits: Sequence[set[int]], ways: Ways) -> tuple[SymbolPast, ...]:
    found = []
    for span, numbers in zip(spans, commits, strict=True):
        if numbers:
            newest = sorted(numbers, key=lambda number: ways.order[number])
            latest = max(ways.times.get(number, 0) for number in numbers)
            found.append(SymbolPast(span.uid, len(newest), latest, span.leaf, tuple(newest[:KEPT_COMMITS])))
    return tuple(found)
