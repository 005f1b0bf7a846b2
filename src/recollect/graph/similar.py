"""Finds functions of one folder whose bodies say nearly the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
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
    holders: dict[int, list[int]] = {}
    for position, (_, shingles) in enumerate(functions):
        for shingle in shingles:
            holders.setdefault(shingle, []).append(position)
    several = {shingle: held for shingle, held in holders.items() if len(held) > 1}
    for position, (number, shingles) in enumerate(functions):
        shared = Counter(chain.from_iterable([several[shingle] for shingle in shingles & several.keys()]))
        del shared[position]
        alike = [
            (-_likeness(shingles, functions[other][1]), other)
            for other, common in shared.items()
            if common > LEAST_LIKENESS * min(len(shingles), len(functions[other][1]))
        ]
        for likeness, other in nsmallest(MOST_NEIGHBOURS, alike):
            if -likeness > LEAST_LIKENESS:
                edges.add(number, functions[other][0], "similar_to", ("similarity", int(-likeness * 100)))


def _likeness(one: frozenset[int], other: frozenset[int]) -> float:
    """Return the Jaccard index; for bodies of which only the smallest hashes are kept, its estimate from those."""
    union = one | other
    if len(one) < _KEPT and len(other) < _KEPT:
        return len(one & other) / len(union)
    smallest = nsmallest(_KEPT, union)
    return sum(1 for shingle in smallest if shingle in one and shingle in other) / len(smallest)
