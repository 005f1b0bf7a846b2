"""Thinks a dream up: reads memories and says what should become of them, without writing anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from recollect.memory.dream import gates
from recollect.memory.dream.clusters import clusters
from recollect.memory.dream.gates import Cluster
from recollect.memory.dream.made import Made, card, reflection
from recollect.memory.dream.nearness import Near, cohesion, nearness
from recollect.memory.dream.phrases import keyphrases
from recollect.memory.dream.rules import rules
from recollect.memory.fading import life, promoted, raise_score
from recollect.memory.fading import rules as life_rules
from recollect.store.memories import DERIVED, SORTS, MemoryRow
from recollect.store.memory_port import MemoryReader

Cut = Callable[[str], list[str]]
_NAMED = ("person", "path", "symbol", "url", "tool", "project")
"""What has a card; a date is no thing."""


class Tools(NamedTuple):
    """What cuts texts, and the stems that say nothing."""

    stem: Cut
    cut: Cut
    silent: frozenset[str]


class Plan(NamedTuple):
    """What a dream would do."""

    looked_at: int
    clusters: int
    rejected: Mapping[str, int]
    """How many clusters each gate kept out."""
    made: list[Made]
    known: int
    """How many reflections and cards are there already."""
    links: list[tuple[int, int, float]]
    moves: list[tuple[int, str, str]]
    """Uid and the layers between which a memory moves."""
    raised: list[int]


def plan(reader: MemoryReader, tools: Tools, now: int) -> Plan:
    """Return what a dream would do."""
    every = list(reader.each_memory())
    rows = [row for row in every if row.kind not in DERIVED and row.status in {"active", "contested"}]
    near = nearness([row.text for row in rows], tools.stem, tools.silent)
    names = _names(reader)
    found = clusters(near.neighbours)
    rejected: Counter[str] = Counter()
    made: list[Made] = []
    contested = frozenset(
        uid for link in reader.links_of(("contests",)) for uid in (link.source, link.target)
    )
    for members in found:
        cluster = _cluster(members, rows, near, names, contested, tools)
        reason = gates.gate(cluster)
        if reason:
            rejected[reason] += 1
        else:
            made.append(reflection(cluster.rows, cluster.phrases, cluster.cohesion, tools.stem, now))
    made += _cards(reader, rows, names, tools.stem, now)
    standing = [row for row in every if row.kind in DERIVED]
    new = [one for one in made if not _is_known(reader, one, standing)]
    moves, raised = _earned(reader, rows, now)
    return Plan(
        len(rows), len(found), dict(rejected), new, len(made) - len(new), _links(rows, near), moves, raised
    )


def _cluster(
    members: Sequence[int],
    rows: Sequence[MemoryRow],
    near: Near,
    names: Mapping[int, frozenset[int]],
    contested: frozenset[int],
    tools: Tools,
) -> Cluster:
    inside = set(members)
    drawn = {
        place: sum(weight for other, weight in near.neighbours[place] if other in inside) for place in members
    }
    order = sorted(members, key=lambda place: (-drawn[place], place))
    own = [rows[place] for place in order]
    weights = [near.weights[place] for place in order]
    phrases = keyphrases([row.text for row in own], weights, tools.stem, tools.cut)
    named = [names.get(row.number, frozenset()) for row in own]
    return Cluster(own, named, contested, cohesion(weights), phrases)


def _names(reader: MemoryReader) -> dict[int, frozenset[int]]:
    """Return what each memory names, by its number."""
    sorts = {SORTS.index(f"entity:{kind}") for kind in _NAMED}
    gathered: dict[int, set[int]] = {}
    for memory, name, sort in reader.all_mentions():
        if sort in sorts:
            gathered.setdefault(memory, set()).add(name)
    return {memory: frozenset(found) for memory, found in gathered.items()}


def _cards(
    reader: MemoryReader, rows: Sequence[MemoryRow], names: Mapping[int, frozenset[int]], stem: Cut, now: int
) -> Iterator[Made]:
    holders: dict[int, list[MemoryRow]] = {}
    for row in rows:
        for name in names.get(row.number, ()):
            holders.setdefault(name, []).append(row)
    labels = {
        number: (kind, name) for kind in _NAMED for name, number in reader.labels(f"entity:{kind}").items()
    }
    for name in sorted(holders):
        members = holders[name]
        if len(members) >= rules()["card"]["least"]:
            company = Counter(
                labels[other][1] for row in members for other in names[row.number] if other != name
            )
            yield card(*labels[name], members, company, stem, now)


def _is_known(reader: MemoryReader, one: Made, standing: Sequence[MemoryRow]) -> bool:
    """Tell whether what would be made is there already, or nearly so."""
    for row in standing:
        if row.uid == one.row.uid:
            return True
        if row.kind == one.row.kind == "reflection" and row.status == "active":
            members = members_of(reader, row.uid)
            if len(members & set(one.members)) >= rules()["gates"]["known"] * len(members | set(one.members)):
                return True
    return False


def members_of(reader: MemoryReader, uid: int) -> set[int]:
    """Return the uids of which something was made."""
    links = reader.links(uid)
    return {link.target for link in links if link.source == uid and link.type == "consolidated_from"}


def _links(rows: Sequence[MemoryRow], near: Near) -> list[tuple[int, int, float]]:
    numbers = rules()["link"]
    found: dict[tuple[int, int], float] = {}
    for place, neighbours in enumerate(near.neighbours):
        for other, weight in neighbours[: int(numbers["most"])]:
            if weight >= numbers["least"]:
                one, two = sorted((rows[place].uid, rows[other].uid))
                found[one, two] = round(numbers["weight"] * weight, 4)
    return [(one, two, weight) for (one, two), weight in sorted(found.items())]


def _earned(
    reader: MemoryReader, rows: Sequence[MemoryRow], now: int
) -> tuple[list[tuple[int, str, str]], list[int]]:
    used = reader.uses()
    lives = [life(row, used.get(row.uid, (0, 0.0))) for row in rows]
    moves = [
        (one.row.uid, one.row.layer, layer) for one in lives if (layer := promoted(one, now)) != one.row.layer
    ]
    numbers = life_rules()["raise"]
    room = int(numbers["most_share"] * len(rows)) - sum(row.priority == 1 for row in rows)
    scored = [(raise_score(one, now), one.row) for one in lives if one.row.priority > 1]
    worthy = sorted(
        ((score, row.uid) for score, row in scored if score >= numbers["threshold"]),
        key=lambda pair: (-pair[0], pair[1]),
    )
    return moves, [uid for _, uid in worthy[: max(0, room)]]
