"""Finds functions of one folder whose bodies say nearly the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nsmallest
from itertools import chain

from recollect.graph.edges import Edges
from recollect.graph.names import FileView

MOST_FUNCTIONS = 500
MOST_NEIGHBOURS = 5
LEAST_LIKENESS = 0.5
_LEAST_SHINGLES = 8
_KEPT = 64


def add_similar(files: Sequence[FileView], edges: Edges) -> None:
    """Add similar_to between functions with a Jaccard likeness of more than one half, at most five from each."""
    functions = [
        (view.numbers[index], frozenset(symbol.shingles))
        for view in sorted(files, key=lambda view: view.path)
        for index, symbol in enumerate(view.facts.symbols)
        if len(symbol.shingles) >= _LEAST_SHINGLES
    ]
    if not 1 < len(functions) <= MOST_FUNCTIONS:
        return
    bodies = [shingles for _, shingles in functions]
    alike: list[list[tuple[float, int]]] = [[] for _ in functions]
    for one, other in _related(bodies):
        likeness = _likeness(bodies[one], bodies[other])
        if likeness > LEAST_LIKENESS:
            alike[one].append((-likeness, other))
            alike[other].append((-likeness, one))
    for (number, _), near in zip(functions, alike, strict=True):
        for likeness, other in nsmallest(MOST_NEIGHBOURS, near):
            edges.add(number, functions[other][0], "similar_to", ("similarity", int(-likeness * 100)))


def _related(bodies: Sequence[frozenset[int]]) -> Iterator[tuple[int, int]]:
    """Yield each pair of bodies that share more than half of the smaller one.

    Such a pair shares one of the rarer half of its smaller body's shingles, so that the common ones are never followed.
    """
    holders: dict[int, list[int]] = {}
    for position, shingles in enumerate(bodies):
        for shingle in shingles:
            holders.setdefault(shingle, []).append(position)
    several = {shingle: held for shingle, held in holders.items() if len(held) > 1}
    for one, shingles in enumerate(bodies):
        size = len(shingles)
        shared = [several[shingle] for shingle in shingles & several.keys()]
        if len(shared) <= size * LEAST_LIKENESS:
            continue
        rarer = sorted(shared, key=len)[: len(shared) - int(size * LEAST_LIKENESS)]
        for other in set(chain.from_iterable(rarer)):
            larger = len(bodies[other])
            if (larger, other) > (size, one) and len(shingles & bodies[other]) > LEAST_LIKENESS * size:
                yield one, other


def _likeness(one: frozenset[int], other: frozenset[int]) -> float:
    """Return the Jaccard index; for bodies of which only the smallest hashes are kept, its estimate from those."""
    union = one | other
    if len(one) < _KEPT and len(other) < _KEPT:
        return len(one & other) / len(union)
    smallest = nsmallest(_KEPT, union)
    return sum(1 for shingle in smallest if shingle in one and shingle in other) / len(smallest)
