"""Lays evidence over the edges that were read from source: confirms, refutes, adds; nothing is kept in the index."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
import numpy as np

from recollect.decay import runtime_confidence
from recollect.store.resolved import ANSWER, Resolved, evidence_key, name_key, shape_of, unpack
from recollect.store.resolved import EDGE as RESOLVED
from recollect.store.sqlite.arrays import Array
from recollect.store.sqlite.evidence import Passed, SqliteEvidence
from recollect.store.sqlite.graph import EDGE
from recollect.store.sqlite.snapshot import Snapshot
from recollect.types import EDGE_TYPES, PROVENANCES

RESOLVED_PERCENT = 90
COVERED_PERCENT = 95
_TESTS = EDGE_TYPES.index("tests")
_WEAK = [PROVENANCES.index(name) for name in ("inferred", "ambiguous", "convention", "similarity", "history")]
_GUESSED = [PROVENANCES.index(name) for name in ("inferred", "ambiguous")]


class Woven(NamedTuple):
    """Edges with the evidence among them, and the numbers of what lies outside the repository."""

    rows: Array
    phantoms: Array


class _Items(NamedTuple):
    """What evidence has to know of the items it speaks of; sorted by uid."""

    uids: Array
    numbers: Array
    shapes: Array

    def look_up(self, uids: Array, shapes: Array) -> tuple[Array, Array]:
        """Return the numbers of items, and which of them are still what they were."""
        if not len(self.uids):
            return np.zeros(len(uids), np.uint32), np.zeros(len(uids), bool)
        places = np.minimum(np.searchsorted(self.uids, uids), len(self.uids) - 1)
        same = (self.uids[places] == uids) & ((shapes == 0) | (self.shapes[places] == shapes))
        return self.numbers[places], same


def weave(snapshot: Snapshot, evidence: SqliteEvidence, static: Array) -> Woven:
    """Return the static edges with everything on them that the evidence says of this very code."""
    found = _resolved(snapshot, evidence)
    passed = evidence.passed()
    together = evidence.together()
    symbols = evidence.together_symbols()
    uids = {row.source for row in passed} | {row.target for row in passed}
    uids.update(found.edges["source"].tolist(), found.edges["target"].tolist())
    uids.update(row[0] for row in symbols)
    uids.update(found.answers["source"].tolist())
    items = _items(snapshot, uids)
    phantoms = _phantoms(snapshot, found)
    rows = _refuted(snapshot, items, static, found)
    rows = _laid_over(rows, _proven(items, found, phantoms), always=())
    if passed:
        rows = _laid_over(rows, _seen(items, passed), always=(_TESTS,))
    rows = np.concatenate([rows, _together(snapshot, together), _together_symbols(items, symbols)])
    return Woven(rows, phantoms.numbers)


def _resolved(snapshot: Snapshot, evidence: SqliteEvidence) -> Resolved:
    """Return all that tools said of the contents that are indexed now."""
    sql = "SELECT content, path FROM file WHERE skipped = ''"
    wanted = {evidence_key(content, path) for content, path in snapshot.each(sql)}
    parts = []
    for key, data in evidence.resolved():
        part = _unpacked(data) if key in wanted else None
        if part is not None:
            parts.append(part)
    outside = dict(pair for part in parts for pair in part.outside)
    return Resolved(
        np.concatenate([np.zeros(0, RESOLVED), *(part.edges for part in parts)]),
        np.concatenate([np.zeros(0, ANSWER), *(part.answers for part in parts)]),
        tuple(sorted(outside.items())),
    )


def _unpacked(data: bytes) -> Resolved | None:
    """Return what was packed; a damaged row is only a file that has to be resolved again."""
    try:
        return unpack(data)
    except (zlib.error, ValueError, msgspec.MsgspecError):
        return None


def _items(snapshot: Snapshot, uids: Iterable[int]) -> _Items:
    wanted = json.dumps([uid for uid in uids if uid < 1 << 63])
    sql = "SELECT uid, number, kind, signature FROM item WHERE uid IN (SELECT value FROM json_each(?)) ORDER BY uid"
    rows = [
        (uid, number, shape_of(snapshot.word(kind), signature))
        for uid, number, kind, signature in snapshot.each(sql, (wanted,))
    ]
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    uid, number, shape = columns
    return _Items(np.array(uid, np.uint64), np.array(number, np.uint32), np.array(shape, np.uint32))


def _phantoms(snapshot: Snapshot, found: Resolved) -> _Items:
    """Number what lies outside, above every number that an item has or ever had."""
    row = snapshot.row("SELECT value FROM meta WHERE key = 'high_water'")
    first = int(row[0]) + 1 if row else 1
    used = set(found.edges["target"][found.edges["outside"] == 1].tolist())
    uids = np.array(sorted(uid for uid, _ in found.outside if uid in used), np.uint64)
    return _Items(uids, np.arange(first, first + len(uids), dtype=np.uint32), np.zeros(len(uids), np.uint32))


def _proven(items: _Items, found: Resolved, phantoms: _Items) -> Array:
    """Return the edges that tools resolved between symbols that are still what they were."""
    edges = found.edges
    sources, begun = items.look_up(edges["source"], edges["begins"])
    targets, ended = items.look_up(edges["target"], edges["ends"])
    beyond, known = phantoms.look_up(edges["target"], np.zeros(len(edges), np.uint32))
    outside = edges["outside"] == 1
    kept = begun & np.where(outside, known, ended)
    rows = np.zeros(int(kept.sum()), EDGE)
    rows["source"], rows["target"] = sources[kept], np.where(outside, beyond, targets)[kept]
    for name in ("line", "type"):
        rows[name] = edges[name][kept]
    rows["count"] = np.maximum(1, edges["count"][kept])
    rows["provenance"] = edges["how"][kept]
    rows["confidence"] = RESOLVED_PERCENT
    return rows


def _refuted(snapshot: Snapshot, items: _Items, static: Array, found: Resolved) -> Array:
    """Leave out guesses about names that a tool has answered for; what it confirmed is among its own edges."""
    guessed = np.flatnonzero(np.isin(static["provenance"], _GUESSED))
    if not len(guessed) or not len(found.answers):
        return static
    sources, known = items.look_up(found.answers["source"], np.zeros(len(found.answers), np.uint32))
    answered = np.unique(_paired(sources[known], found.answers["name"][known]))
    guessed = guessed[np.isin(static["source"][guessed], sources[known])]
    names = _names(snapshot, np.unique(static["target"][guessed]).tolist())
    keys = np.array([names.get(target, 0) for target in static["target"][guessed].tolist()], np.uint32)
    gone = np.isin(_paired(static["source"][guessed], keys), answered)
    return np.delete(static, guessed[gone])


def _names(snapshot: Snapshot, numbers: list[int]) -> dict[int, int]:
    wanted = json.dumps(numbers)
    sql = "SELECT number, name FROM {} WHERE number IN (SELECT value FROM json_each(?))"
    found = {number: name for number, name in snapshot.each(sql.format("item"), (wanted,)) if name}
    gathered = snapshot.each(sql.format("external"), (wanted,))
    found.update((number, name.partition(":")[2] or name) for number, name in gathered)
    return {number: name_key(name) for number, name in found.items()}


def _seen(items: _Items, passed: list[Passed]) -> Array:
    """Return the steps that were seen while code ran, between symbols that are still what they were."""
    table = np.array([tuple(row) for row in passed], np.float64)
    ends = [
        items.look_up(
            np.array([row[column] for row in passed], np.uint64),
            np.array([row[column + 3] for row in passed], np.uint32),
        )
        for column in (0, 1)
    ]
    kept = ends[0][1] & ends[1][1]
    rows = np.zeros(int(kept.sum()), EDGE)
    rows["source"], rows["target"] = ends[0][0][kept], ends[1][0][kept]
    rows["type"] = table[kept, 2]
    rows["count"] = np.minimum(255, table[kept, 5])
    rows["provenance"] = PROVENANCES.index("runtime")
    sure = np.array([round(100 * runtime_confidence(int(count))) for count in table[kept, 5]], np.uint8)
    rows["confidence"] = np.where(rows["type"] == _TESTS, COVERED_PERCENT, sure)
    return rows


def _laid_over(rows: Array, proven: Array, always: tuple[int, ...]) -> Array:
    """Return both together: a proven edge takes the place of a weak one, and gives way to a proven one."""
    proven = proven[np.unique(_triples(proven), return_index=True)[1]]
    known = np.isin(_triples(rows), _triples(proven))
    weak = known & (np.isin(rows["provenance"], _WEAK) | np.isin(rows["type"], always))
    strong = _triples(rows[known & ~weak])
    added = proven[~np.isin(_triples(proven), strong)].copy()
    _keep_places(rows[weak], added)
    return np.concatenate([rows[~weak], added])


def _keep_places(before: Array, added: Array) -> None:
    """Where an edge was known from the source, keep the line and the count that stand there."""
    if not len(before) or not len(added):
        return
    keys = _triples(before)
    order = np.argsort(keys, kind="stable")
    places = np.minimum(np.searchsorted(keys[order], _triples(added)), len(order) - 1)
    same = keys[order][places] == _triples(added)
    from_before = before[order][places]
    unplaced = same & (added["line"] == 0)
    added["line"][unplaced] = from_before["line"][unplaced]
    added["count"][same] = np.maximum(added["count"], from_before["count"])[same]


def _together(snapshot: Snapshot, pairs: list[tuple[str, str, int, int]]) -> Array:
    """Return edges between files that were changed together."""
    sql = "SELECT path, number FROM file WHERE skipped = ''"
    numbers: dict[str, int] = dict(snapshot.each(sql)) if pairs else {}
    found = [row for row in pairs if row[0] in numbers and row[1] in numbers]
    rows = np.zeros(len(found), EDGE)
    for place, (first, second, count, percent) in enumerate(found):
        rows[place] = (
            numbers[first], numbers[second], 0, EDGE_TYPES.index("changes_with"), PROVENANCES.index("history"),
            percent, min(255, count),
        )  # fmt: skip
    return rows


def _together_symbols(items: _Items, pairs: list[tuple[int, int, int, int]]) -> Array:
    """Return edges between symbols that were changed together; both ways round are among the pairs."""
    table = np.array(pairs, np.uint64).reshape(-1, 4)
    anything = np.zeros(len(table), np.uint32)
    (first, begun), (second, ended) = (items.look_up(table[:, at], anything) for at in (0, 1))
    kept = begun & ended
    rows = np.zeros(int(kept.sum()), EDGE)
    rows["source"], rows["target"] = first[kept], second[kept]
    rows["type"], rows["provenance"] = EDGE_TYPES.index("changes_with"), PROVENANCES.index("history")
    rows["confidence"], rows["count"] = table[kept, 3], np.minimum(255, table[kept, 2])
    return rows


def _paired(sources: Array, names: Array) -> Array:
    return (sources.astype(np.uint64) << np.uint64(32)) | names.astype(np.uint64)


def _triples(rows: Array) -> Array:
    """Return source, target and type of edges as one value each; numbers of items stay below 2**28."""
    return (
        (rows["source"].astype(np.uint64) << np.uint64(36))
        | (rows["target"].astype(np.uint64) << np.uint64(8))
        | rows["type"].astype(np.uint64)
    )


def stale_keys(snapshot: Snapshot, evidence: SqliteEvidence) -> set[bytes]:
    """Return the files with an edge whose other end is gone or has another signature than when it was resolved."""
    parts = [(key, _unpacked(data)) for key, data in evidence.resolved()]
    uids: set[int] = set()
    for _, part in parts:
        if part is not None:
            uids.update(part.edges["target"].tolist(), part.edges["source"].tolist())
    items = _items(snapshot, uids)
    return {key for key, part in parts if part is None or not _holds(items, part)}


def _holds(items: _Items, part: Resolved) -> bool:
    edges = part.edges[part.edges["outside"] == 0]
    begun = items.look_up(edges["source"], edges["begins"])[1]
    ended = items.look_up(edges["target"], edges["ends"])[1]
    return bool((begun & ended).all())
