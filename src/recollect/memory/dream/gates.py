"""Which clusters are worth a reflection; each gate has a name, under which the report counts what it kept out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from recollect.memory.dream.rules import rules
from recollect.store.memories import DERIVED, MemoryRow


class Cluster(NamedTuple):
    """Members of a cluster, the most central first, with what they have in common."""

    rows: Sequence[MemoryRow]
    names: Sequence[frozenset[int]]
    """What each member names."""
    contested: frozenset[int]
    """The uids of memories that contradict another one, or are contradicted."""
    cohesion: float
    phrases: Sequence[str]


def gate(cluster: Cluster) -> str:
    """Return the name of the first gate that a cluster does not pass, empty when it passes all."""
    return next((name for name, stops in _GATES.items() if stops(cluster)), "")


def _own(cluster: Cluster) -> bool:
    return _share(row.kind not in DERIVED for row in cluster.rows) < _limit("own")


def _duplicates(cluster: Cluster) -> bool:
    return len({" ".join(row.text.lower().split()) for row in cluster.rows}) < int(
        rules()["cluster"]["least"]
    )


def _contradiction(cluster: Cluster) -> bool:
    return any(row.uid in cluster.contested for row in cluster.rows)


def _cohesion(cluster: Cluster) -> bool:
    return cluster.cohesion < _limit("cohesion")


def _persona(cluster: Cluster) -> bool:
    return _share(_looks().search(row.text) is not None for row in cluster.rows) >= _limit("persona")


def _entity(cluster: Cluster) -> bool:
    counted = Counter(name for names in cluster.names for name in names)
    return max(counted.values(), default=0) / len(cluster.rows) >= _limit("entity")


def _phrases(cluster: Cluster) -> bool:
    return len(cluster.phrases) < _limit("phrases")


_GATES: Mapping[str, Callable[[Cluster], bool]] = {
    "own": _own, "duplicates": _duplicates, "contradiction": _contradiction, "cohesion": _cohesion,
    "persona": _persona, "entity": _entity, "phrases": _phrases,
}  # fmt: skip
NAMES = tuple(_GATES)


def _limit(name: str) -> float:
    return float(rules()["gates"][name])


def _share(answers: Iterable[bool]) -> float:
    found = list(answers)
    return sum(found) / len(found) if found else 0.0


@cache
def _looks() -> re.Pattern[str]:
    return re.compile(rules()["persona"]["looks"])
