"""Where the stems of memories stand: packed numbers in parts, which are merged as they become many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

import numpy as np

from recollect.store.memory_rows import TAG_JOINT
from recollect.store.postgres.columns import Table
from recollect.store.postgres.session import Session

MOST_PARTS = 64
"""So many parts of one level are merged into one of the next."""
LEVELS = 3
LONGEST = 200
"""Letters of a stem that are kept."""
_STEMS = 500
_POSTING = Table(
    "posting",
    (("stem", "text"), ("level", "smallint"), ("part", "bigint"), ("first", "bigint"), ("last", "bigint"),
     ("numbers", "bytea")),
    ("space",),
)  # fmt: skip
_MERGE = (
    "WITH old AS (DELETE FROM posting WHERE space = $1 AND level = {level} RETURNING stem, part, first, last, numbers) "
    "INSERT INTO posting (space, stem, level, part, first, last, numbers) SELECT $1, stem, {above}, max(part), "
    "min(first), max(last), string_agg(numbers, ''::bytea ORDER BY part) FROM old GROUP BY stem"
)

Stem = Callable[[str], list[str]]


def stems_of(text: str, tags: Sequence[str], stem: Stem) -> list[str]:
    """Return every stem of a memory, once for each time that it stands there."""
    found = [*stem(text), *(stem(TAG_JOINT.join(tags)) if tags else ())]
    return found if max(map(len, found), default=0) <= LONGEST else [kept(one) for one in found]


def kept(stem: str) -> str:
    """Return what a stem is kept as: itself, or when it is longer than a key may be, its beginning and a hash."""
    if len(stem) <= LONGEST:
        return stem
    return f"{stem[:LONGEST]} {blake2b(stem.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}"


def put_words(session: Session, words: Mapping[str, Sequence[int]], counters: dict[str, int]) -> None:
    """Write one part, given the rising numbers for each stem, and merge what has become many."""
    if not words:
        return
    counters["part"] = counters.get("part", 0) + 1
    packed = ((stem, np.asarray(numbers, "<i4")) for stem, numbers in words.items())
    part = counters["part"]
    session.put(
        _POSTING,
        ((stem, 0, part, int(held[0]), int(held[-1]), held.tobytes()) for stem, held in packed),
    )
    for level in range(LEVELS):
        name = f"parts {level}"
        counters[name] = counters.get(name, 0) + 1
        if counters[name] < MOST_PARTS:
            return
        session.change(_MERGE.format(level=level, above=level + 1))
        counters[name] = 0


def drop_words(session: Session, gone: Iterable[tuple[int, Iterable[str]]]) -> None:
    """Take memories out of the places of the stems that they hold."""
    numbers: set[int] = set()
    stems: set[str] = set()
    for number, held in gone:
        numbers.add(number)
        stems.update(held)
    if not numbers or not stems:
        return
    wanted = np.asarray(sorted(numbers), np.int64)
    for part in _portions(sorted(stems)):
        _drop(session, part, wanted)


def _drop(session: Session, stems: Sequence[str], wanted: np.ndarray) -> None:
    rows = session.rows(
        "SELECT stem, level, part, numbers FROM posting WHERE space = $1 AND stem = ANY($2::text[]) "
        "AND first <= $4 AND last >= $3",
        (stems, int(wanted[0]), int(wanted[-1])),
    )
    kept: list[tuple[str, int, int, bytes]] = []
    empty: list[tuple[str, int, int]] = []
    for stem, level, part, packed in rows:
        held = np.frombuffer(packed, "<i4")
        left = held[~np.isin(held, wanted)]
        if not len(left):
            empty.append((stem, level, part))
        elif len(left) < len(held):
            kept.append((stem, level, part, left.tobytes()))
    if empty:
        session.change(
            "DELETE FROM posting p USING unnest($2::text[], $3::smallint[], $4::bigint[]) AS old (stem, level, part) "
            "WHERE p.space = $1 AND p.stem = old.stem AND p.level = old.level AND p.part = old.part",
            _columns(empty),
        )
    if kept:
        session.change(
            "UPDATE posting p SET numbers = new.numbers FROM "
            "unnest($2::text[], $3::smallint[], $4::bigint[], $5::bytea[]) AS new (stem, level, part, numbers) "
            "WHERE p.space = $1 AND p.stem = new.stem AND p.level = new.level AND p.part = new.part",
            _columns(kept),
        )


def _columns(rows: Sequence[Sequence[object]]) -> tuple[list[object], ...]:
    return tuple(list(column) for column in zip(*rows, strict=True))


def _portions(stems: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(stems), _STEMS):
        yield stems[start : start + _STEMS]
