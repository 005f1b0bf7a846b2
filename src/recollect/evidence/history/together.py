"""Counts which files and symbols the same commits changed; merges and mass commits say nothing about that."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

from recollect.store.past import FilePast, Pair, Person, SymbolPast

MOST_FILES = 20
"""A commit that touches more is a sweep: renames, reformatting, a new year."""
MOST_SYMBOLS = 30
LEAST_COUNT = 2
"""Once may be chance."""
KEPT_FILES = 20
KEPT_SYMBOLS = 10
_PEOPLE = 8
Name = TypeVar("Name", str, int)


class Known(NamedTuple):
    """What files are counted from."""

    order: Mapping[int, int]
    """The place of each commit that counts, newest first."""
    commits: Mapping[int, tuple[int, int, int]]
    """Time, person and number of files by commit."""
    people: Mapping[int, tuple[str, str]]
    paths: Mapping[int, str]


def files(known: Known, changes: Iterable[tuple[int, int, int, int]], now: Iterable[str]) -> list[FilePast]:
    """Return the past of the files that there are now; what a file was called before counts for it."""
    here = set(now)
    commits_of: dict[str, list[int]] = defaultdict(list)
    for number, path in _named(known, changes, here):
        commits_of[path].append(number)
    return [_past(known, path, numbers) for path, numbers in sorted(commits_of.items())]


def file_pairs(known: Known, changes: Iterable[tuple[int, int, int, int]], now: Iterable[str]) -> list[Pair]:
    """Return which files change together, both ways round."""
    by_commit: dict[int, set[str]] = defaultdict(set)
    for number, path in _named(known, changes, set(now)):
        by_commit[number].add(path)
    groups = [sorted(paths) for number, paths in by_commit.items() if known.commits[number][2] <= MOST_FILES]
    changed = Counter(path for paths in by_commit.values() for path in paths)
    return _pairs(groups, changed, KEPT_FILES)


def symbol_pairs(symbols: Iterable[SymbolPast], order: Mapping[int, int]) -> list[Pair]:
    """Return which symbols change together; one that others lie in would only say that it holds them."""
    by_commit: dict[int, list[int]] = defaultdict(list)
    changed: dict[int, int] = {}
    for one in symbols:
        if one.leaf:
            changed[one.uid] = one.commits
            for number in one.numbers:
                if number in order:
                    by_commit[number].append(one.uid)
    groups = [sorted(set(uids)) for uids in by_commit.values() if len(uids) <= MOST_SYMBOLS]
    return _pairs(groups, changed, KEPT_SYMBOLS)


def _pairs(groups: Sequence[Sequence[Name]], changed: Mapping[Name, int], kept: int) -> list[Pair]:
    counts: Counter[tuple[Name, Name]] = Counter()
    for group in groups:
        counts.update(combinations(group, 2))
    found: dict[Name, list[Pair]] = defaultdict(list)
    for (one, other), count in counts.items():
        if count >= LEAST_COUNT:
            for first, second in ((one, other), (other, one)):
                found[first].append(Pair(first, second, count, min(100, round(100 * count / changed[first]))))
    return [
        pair
        for rows in found.values()
        for pair in sorted(rows, key=lambda row: (-row.times, -row.percent, str(row.second)))[:kept]
    ]


def _named(
    known: Known, changes: Iterable[tuple[int, int, int, int]], here: set[str]
) -> Iterable[tuple[int, str]]:
    """Yield commit and present path of every change, newest first, following files through their renames."""
    rows = [row for row in changes if row[0] in known.order]
    rows.sort(key=lambda row: (known.order[row[0]], row[1]))
    today: dict[int, str] = {number: path for number, path in known.paths.items() if path in here}
    for number, path, before, _ in rows:
        name = today.get(path)
        if name is None:
            continue
        yield number, name
        if before and before != path:
            today.setdefault(before, name)


def _past(known: Known, path: str, numbers: Sequence[int]) -> FilePast:
    shares: dict[int, list[int]] = {}
    for number in numbers:
        when, person, _ = known.commits[number]
        share = shares.setdefault(person, [0, 0])
        share[0] += 1
        share[1] = max(share[1], when)
    people = [Person(*known.people[person], *share) for person, share in shares.items()]
    people.sort(key=lambda one: (-one.commits, -one.latest, one.name, one.email))
    latest = max(known.commits[number][0] for number in numbers)
    return FilePast(path, len(numbers), latest, tuple(people[:_PEOPLE]))
