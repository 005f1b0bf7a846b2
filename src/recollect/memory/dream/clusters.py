"""Gathers near memories: each takes the label that weighs most among its neighbours, until none changes."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.memory.dream.rules import rules

Neighbours = Sequence[Sequence[tuple[int, float]]]


def clusters(neighbours: Neighbours) -> list[list[int]]:
    """Return the places of the members of each cluster, largest first."""
    both = _both_ways(neighbours)
    labels = list(range(len(both)))
    for _ in range(int(rules()["cluster"]["sweeps"])):
        changed = False
        for place, near in enumerate(both):
            best = _heaviest(near, labels, labels[place])
            if best != labels[place]:
                labels[place], changed = best, True
        if not changed:
            break
    gathered: dict[int, list[int]] = {}
    for place, label in enumerate(labels):
        gathered.setdefault(label, []).append(place)
    numbers = rules()["cluster"]
    kept = [members for members in gathered.values() if numbers["least"] <= len(members) <= numbers["most"]]
    return sorted(kept, key=lambda members: (-len(members), members))


def _both_ways(neighbours: Neighbours) -> list[dict[int, float]]:
    both: list[dict[int, float]] = [{} for _ in neighbours]
    for place, near in enumerate(neighbours):
        for other, weight in near:
            both[place][other] = max(weight, both[place].get(other, 0.0))
            both[other][place] = max(weight, both[other].get(place, 0.0))
    return both


def _heaviest(near: dict[int, float], labels: Sequence[int], own: int) -> int:
    """Return the label with the most weight; of equals the own one, else the least."""
    if not near:
        return own
    sums: dict[int, float] = {}
    for other, weight in near.items():
        sums[labels[other]] = sums.get(labels[other], 0.0) + weight
    most = max(sums.values())
    best = [label for label, weight in sums.items() if weight >= most - 1e-12]
    return own if own in best else min(best)
