"""Writes full text to a server: what one transaction brings is a part; small parts are joined as they gather."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from recollect.store.fulltext.part import Gathering, Part, Places, make_part
from recollect.store.fulltext.words import words_of
from recollect.store.postgres.columns import Table
from recollect.store.postgres.index_counting import Counting
from recollect.store.postgres.index_texts import FAMILIES, Texts, pack_head
from recollect.store.sqlite.texts import TEXT_TABLES, text_table

_PART = Table(
    "code_part", (("family", "smallint"), ("part", "integer"), ("words", "bigint"), ("head", "bytea"))
)
_PAGE = Table(
    "code_page", (("family", "smallint"), ("part", "integer"), ("page", "integer"), ("data", "bytea"))
)
MOST_WORDS = 4_000_000
"""So many words wait in memory before they become a part; 12 bytes each."""
JOINED_WORDS = 1_000_000
"""Parts are joined to no more than this, which keeps a change of one file from rewriting much."""
FEW = 8
"""So many parts of about the same size become one."""
_SMALLEST = 1024


class TextWriting(Counting):
    """Writes full text."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._gathered: dict[str, Gathering] = {
            name: Gathering(partial(words_of, name)) for name in TEXT_TABLES
        }
        self._grown: set[str] = set()

    def put_text(self, table: str, number: int, columns: Sequence[str]) -> None:
        """Take the texts of an item."""
        gathered = self._gathered[text_table(table).name]
        gathered.put(number, columns)
        if gathered.words >= MOST_WORDS:
            self._write_part(table)

    def remove_texts(self, numbers: Iterable[int]) -> None:
        """Forget the texts of items."""
        gone = list(numbers)
        for gathered in self._gathered.values():
            gathered.remove(gone)

    def texts(self, table: str) -> Texts:
        """Return the parts of a text table, with what was written in this transaction."""
        if self._gathered[table]:
            self._write_part(table)
        return super().texts(table)

    def settle(self) -> None:
        """Write the texts that wait, and join small parts."""
        for table, gathered in self._gathered.items():
            if gathered:
                self._write_part(table)
        for table in sorted(self._grown):
            self._join(table)
        self._grown.clear()
        super().settle()

    def _write_part(self, table: str) -> None:
        part, pages = self._gathered[table].part()
        self._gathered[table] = Gathering(partial(words_of, table))
        self._keep_part(FAMILIES[table], part, pages)
        self._texts.pop(table, None)
        self._grown.add(table)

    def _keep_part(self, family: int, part: Part, pages: Sequence[bytes]) -> None:
        number = int(self.meta("parts") or 0) + 1
        self.set_meta("parts", str(number))
        self.insert(_PART, [(family, number, part.words, pack_head(part))])
        self.insert(_PAGE, [(family, number, page, data) for page, data in enumerate(pages)])

    def _join(self, table: str) -> None:
        """Join parts until there are few of every size; what no longer counts is left behind."""
        while chosen := _to_join(super().texts(table)):
            texts = super().texts(table)
            part, pages = self._joined(FAMILIES[table], texts, chosen)
            numbers = [texts.numbers[place] for place in chosen]
            for name in ("code_part", "code_page"):
                sql = f"DELETE FROM {name} WHERE space = $1 AND tree = $2 AND family = $3 AND part = ANY($4::int[])"
                self.change(sql, (FAMILIES[table], numbers))
            if len(part.numbers) or len(part.gone):
                self._keep_part(FAMILIES[table], part, pages)
            self._texts.pop(table, None)

    def _joined(self, family: int, texts: Texts, chosen: Sequence[int]) -> tuple[Part, list[bytes]]:
        wanted = [(place, page) for place in chosen for page in range(len(texts.parts[place].firsts))]
        known: dict[str, int] = {}
        which, numbers, places = [], [], []
        for (place, _), page in self.pages(family, texts.numbers, wanted).items():
            words = np.array([known.setdefault(word, len(known)) for word in page.words], np.uint32)
            kept = texts.home[page.places.numbers] == place
            which.append(np.repeat(words, np.diff(page.starts))[kept])
            numbers.append(page.places.numbers[kept])
            places.append(page.places.places[kept])
        empty = np.zeros(0, np.uint32)
        standing = Places(np.concatenate([empty, *numbers]), np.concatenate([empty, *places]))
        # In order of text and place, as those of one word have to be.
        order = np.argsort(standing.keys, kind="stable")
        standing = Places(standing.numbers[order], standing.places[order])
        return make_part(
            list(known), np.concatenate([empty, *which])[order], standing, self._texts_in(texts, chosen)
        )

    def _texts_in(self, texts: Texts, chosen: Sequence[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        living = np.flatnonzero(np.isin(texts.home, chosen)).astype(np.uint32)
        gone = np.unique(np.concatenate([texts.parts[place].gone for place in chosen]))
        alive = np.isin(gone, np.flatnonzero(texts.home >= 0))
        older = any(place not in chosen for place in range(min(chosen)))
        kept = gone[~alive] if older or len(chosen) < len(texts.parts) else gone[:0]
        return living, texts.statistics.sizes[living], kept.astype(np.uint32)


def _to_join(texts: Texts) -> list[int]:
    """Return the positions of parts that should become one, none when all is well."""
    sizes: dict[int, list[int]] = defaultdict(list)
    living = np.bincount(texts.home[texts.home >= 0], minlength=len(texts.parts))
    for place, part in enumerate(texts.parts):
        if len(part.numbers) > FEW and living[place] * 2 < len(part.numbers):
            return [place]
        sizes[_level(part.words)].append(place)
    for level, places in sorted(sizes.items()):
        if len(places) >= FEW and _SMALLEST * FEW ** (level + 1) <= JOINED_WORDS:
            return places
    return []


def _level(words: int) -> int:
    return max(0, math.ceil(math.log(max(1, words / _SMALLEST), FEW)))
