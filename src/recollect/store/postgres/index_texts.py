"""Searches full text on a server: the words' pages are fetched once and remembered, the scores are FTS5's own."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from recollect.errors import UsageError
from recollect.ports import Filters, TextHit
from recollect.store.fulltext.expression import Node, Phrase, phrases_of, read
from recollect.store.fulltext.matching import Statistics, scores
from recollect.store.fulltext.part import NOWHERE, Array, Page, Part, Places, places_of, unpack_page
from recollect.store.postgres.index_filters import conditions
from recollect.store.postgres.index_snapshot import Snapshot
from recollect.store.sqlite.texts import TEXT_TABLES, text_table

FAMILIES = {name: family for family, name in enumerate(TEXT_TABLES, 1)}
"""The number of each text table."""
_PAGE_OVERHEAD = 200


class Texts(NamedTuple):
    """One text table as it stands: its parts, oldest first, and which of them holds each text."""

    numbers: tuple[int, ...]
    parts: tuple[Part, ...]
    home: Array
    """The position of the part that holds a text, by its number; -1 where none does."""
    whole: tuple[bool, ...]
    """Of each part, whether all its texts still count."""
    statistics: Statistics


def pack_head(part: Part) -> bytes:
    """Return what is known of a part before its pages, as one blob."""
    firsts = "\0".join(part.firsts).encode()
    columns = [part.numbers, part.sizes, part.gone]
    head = struct.pack("<4I", len(firsts), *(len(column) for column in columns))
    raw = head + firsts + b"".join(column.astype("<u4").tobytes() for column in columns)
    return zlib.compress(raw, 1)


def unpack_head(data: bytes) -> Part:
    """Return what was packed; raise ValueError, struct.error or zlib.error when it is damaged."""
    raw = zlib.decompress(data)
    length, *counts = struct.unpack_from("<4I", raw)
    at = 16 + length
    firsts = tuple(raw[16:at].decode().split("\0")) if length else ()
    columns = []
    for count in counts:
        columns.append(np.frombuffer(raw, "<u4", count, at))
        at += 4 * count
    return Part(firsts, *columns)


class TextReading(Snapshot):
    """Searches full text."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._texts: dict[str, Texts] = {}

    def search(
        self, table: str, match: str, weights: Sequence[float], limit: int, filters: Filters
    ) -> Sequence[TextHit]:
        """Return the best matches of an FTS5 expression; equal scores go by path, line and uid."""
        if limit <= 0:
            return []
        numbers, found = self.matches(table, match, weights, filters)
        if len(numbers) > limit:
            least = np.partition(found, len(found) - limit)[len(found) - limit]
            numbers, found = numbers[found >= least], found[found >= least]
        rows = list(zip(numbers.tolist(), found.tolist(), strict=True))
        if len(set(found.tolist())) == len(rows):
            rows.sort(key=lambda row: -row[1])
        else:
            places = self._places(numbers.tolist())
            rows = sorted(
                (row for row in rows if row[0] in places), key=lambda row: (-row[1], places[row[0]])
            )
        return [TextHit(number, score) for number, score in rows[:limit]]

    def matches(
        self, table: str, match: str, weights: Sequence[float], filters: Filters
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of all matches, rising, and their scores; single words add up to many."""
        definition = text_table(table)
        if len(weights) != len(definition.columns):
            raise UsageError(
                f"{table} takes {len(definition.columns)} weights ({', '.join(definition.columns)})."
            )
        node = read(table, match)
        texts = self.texts(table)
        if not texts.statistics.texts:
            return np.zeros(0, np.int64), np.zeros(0)
        pages = self._pages_for(table, texts, node)

        def lookup(word: str, prefix: bool) -> Places:
            return _living(texts, pages, word, prefix)

        numbers, found = scores(node, lookup, texts.statistics, weights)
        return self._filtered(numbers, found, filters)

    def _filtered(self, numbers: Array, found: Array, filters: Filters) -> tuple[Array, Array]:
        parameters: list[Any] = []
        extra = conditions(filters, self, parameters)
        if not extra or not len(numbers):
            return numbers, found
        sql = (
            "SELECT i.number FROM code_item i JOIN code_file f ON f.space = i.space AND f.tree = i.tree "
            f"AND f.number = i.file WHERE i.space = $1 AND i.tree = $2{extra}"
        )
        allowed = self._allowed(sql, parameters)
        kept = np.isin(numbers, allowed)
        return numbers[kept], found[kept]

    def _allowed(self, sql: str, parameters: list[Any]) -> Array:
        """Return all items that pass a filter; remembered, since a question asks it for every word."""
        key = ("allowed", self.meta("space"), self.generation(), sql, repr(parameters))
        found = self.kept.get(key) if self.may_cache() else None
        if found is None:
            rows = self.rows(sql, parameters)
            found = np.fromiter((row[0] for row in rows), np.int64, len(rows))
            if self.may_cache():
                self.kept.put(key, found, found.nbytes)
        allowed: Array = found
        return allowed

    def _places(self, numbers: list[int]) -> dict[int, tuple[Any, ...]]:
        sql = (
            "SELECT i.number, f.path, i.start_line, i.uid FROM code_item i JOIN code_file f "
            "ON f.space = i.space AND f.tree = i.tree AND f.number = i.file "
            "WHERE i.space = $1 AND i.tree = $2 AND i.number = ANY($3::int[])"
        )
        return {row[0]: row[1:] for row in self.rows(sql, (numbers,))}

    def texts(self, table: str) -> Texts:
        """Return the parts of a text table with what they add up to."""
        if table not in self._texts:
            self._texts[table] = self._read_texts(FAMILIES[table])
        return self._texts[table]

    def _read_texts(self, family: int) -> Texts:
        sql = "SELECT part FROM code_part WHERE space = $1 AND tree = $2 AND family = $3 ORDER BY part"
        numbers = tuple(row[0] for row in self.rows(sql, (family,)))
        key = ("texts", self.meta("space"), family, numbers)
        found = self.kept.get(key)
        if found is None:
            found = together(numbers, [self._part(family, number) for number in numbers])
            self.kept.put(key, found, found.home.nbytes + found.statistics.sizes.nbytes)
        texts: Texts = found
        return texts

    def _part(self, family: int, number: int) -> Part:
        key = ("part", self.meta("space"), family, number)
        found = self.kept.get(key)
        if found is None:
            sql = "SELECT head FROM code_part WHERE space = $1 AND tree = $2 AND family = $3 AND part = $4"
            ((data,),) = self.rows(sql, (family, number))
            try:
                found = unpack_head(data)
            except (ValueError, struct.error, zlib.error) as error:
                raise self.damaged(f"part {number} of the texts cannot be unpacked: {error}") from error
            self.kept.put(key, found, 2 * len(data) + 12 * len(found.numbers))
        part: Part = found
        return part

    def _pages_for(self, table: str, texts: Texts, node: Node) -> Mapping[tuple[int, int], Page]:
        """Return the pages that hold the words of an expression, by position of the part and page."""
        wanted = {
            (place, page)
            for phrase in set(phrases_of(node))
            for place, part in enumerate(texts.parts)
            for page in _pages(part, phrase)
        }
        return self.pages(FAMILIES[table], texts.numbers, sorted(wanted))

    def pages(
        self, family: int, numbers: Sequence[int], wanted: Sequence[tuple[int, int]]
    ) -> Mapping[tuple[int, int], Page]:
        """Return pages by position of the part and page; those not remembered are fetched together."""
        found: dict[tuple[int, int], Page] = {}
        keys = {pair: ("page", self.meta("space"), family, numbers[pair[0]], pair[1]) for pair in wanted}
        missing = []
        for pair, key in keys.items():
            page = self.kept.get(key)
            if page is None:
                missing.append(pair)
            else:
                found[pair] = page
        if missing:
            for pair, page, size in self._fetched(family, numbers, missing):
                self.kept.put(keys[pair], page, size)
                found[pair] = page
        return found

    def _fetched(
        self, family: int, numbers: Sequence[int], missing: Sequence[tuple[int, int]]
    ) -> list[tuple[tuple[int, int], Page, int]]:
        sql = (
            "SELECT w.place, w.page, p.data FROM unnest($4::int[], $5::int[], $6::int[]) AS w (place, part, page) "
            "JOIN code_page p ON p.space = $1 AND p.tree = $2 AND p.family = $3 AND p.part = w.part AND p.page = w.page"
        )
        columns = zip(*((place, numbers[place], page) for place, page in missing), strict=True)
        rows = self.rows(sql, (family, *(list(column) for column in columns)))
        try:
            pages = [((place, page), unpack_page(data)) for place, page, data in rows]
        except (ValueError, zlib.error) as error:
            raise self.damaged(f"a page of words cannot be unpacked: {error}") from error
        if len(pages) < len(missing):
            raise self.damaged("pages of words are missing")
        return [
            (pair, page, page.places.numbers.nbytes * 2 + len(page.words) * 70 + _PAGE_OVERHEAD)
            for pair, page in pages
        ]


def together(numbers: Sequence[int], parts: Sequence[Part]) -> Texts:
    """Return what some parts add up to, the oldest first."""
    largest = max((int(part.numbers[-1]) for part in parts if len(part.numbers)), default=0)
    home = np.full(largest + 1, -1, np.int32)
    sizes = np.zeros(largest + 1, np.uint32)
    for place, part in enumerate(parts):
        home[part.gone[part.gone <= largest]] = -1
        home[part.numbers] = place
        sizes[part.numbers] = part.sizes
    sizes[home < 0] = 0
    living = np.bincount(home[home >= 0], minlength=len(parts)) if len(parts) else np.zeros(0, np.int64)
    whole = tuple(int(count) == len(part.numbers) for count, part in zip(living, parts, strict=True))
    statistics = Statistics(int(living.sum()), int(sizes.sum(dtype=np.int64)), sizes)
    return Texts(tuple(numbers), tuple(parts), home, whole, statistics)


def _pages(part: Part, phrase: Phrase) -> set[int]:
    found: set[int] = set()
    for step, word in enumerate(phrase.words):
        if step in phrase.open:
            found.update(part.pages_starting(word))
        elif (page := part.page_of(word)) is not None:
            found.add(page)
    return found


def _living(texts: Texts, pages: Mapping[tuple[int, int], Page], word: str, prefix: bool) -> Places:
    """Return where a word stands in texts that still count."""
    found: list[Places] = []
    for place, part in enumerate(texts.parts):
        if prefix:
            rows = [pages[place, page].starting(word) for page in part.pages_starting(word)]
        else:
            page = part.page_of(word)
            rows = [] if page is None else [pages[place, page].of(word)]
        for row in rows:
            if not len(row.numbers):
                continue
            if not texts.whole[place]:
                kept = texts.home[row.numbers] == place
                row = Places(row.numbers[kept], row.places[kept])  # noqa: PLW2901  # the same row, narrowed
            found.append(row)
    if len(found) == 1 and not prefix:
        return found[0]
    return places_of(np.sort(np.concatenate([row.keys for row in found]))) if found else NOWHERE
