"""What a change may concern without certainty, by file: such lists are long and say little one by one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from recollect.types import Reached


class Doubt(NamedTuple):
    """Items of one file that are reached equally far, in the same way, and equally surely."""

    path: str
    distance: int
    relation: str
    provenance: str
    percent: int
    items: tuple[Reached, ...]

    @property
    def said(self) -> str:
        """Return how the step is known and how sure it is."""
        return f"{self.relation}, {self.provenance}, {self.percent}% sure"


def doubts(reached: Iterable[Reached]) -> list[Doubt]:
    """Return what is not certain, in the order of the surest of each group."""
    groups: dict[tuple[str, int, str, str, int], list[Reached]] = {}
    for one in reached:
        if not one.certain:
            key = (one.path, one.distance, one.relation, one.provenance, round(one.confidence * 100))
            groups.setdefault(key, []).append(one)
    return [Doubt(*key, tuple(items)) for key, items in groups.items()]
