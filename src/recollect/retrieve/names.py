"""Finding symbols by name in tiers: equal, beginning, containing, lying in a path of that name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.ports import Filters, NameRow, Reader
from recollect.retrieve.fts import leaf
from recollect.retrieve.values import Keywords
from recollect.types import CALLABLE_KINDS, TYPE_KINDS


@dataclass(frozen=True, slots=True)
class Caps:
    """When a tier still runs, and how many results it may bring the list to."""

    fallback_below: int = 5
    prefix_below: int = 15
    prefix_cap: int = 30
    substring_below: int = 5
    substring_cap: int = 20
    path_below: int = 30
    path_cap: int = 40
    exact_limit: int = 200
    shortest_substring: int = 4
    shortest_path: int = 3


class _Tiers:
    """The list as it grows; a symbol is listed once, with the tier and keyword that found it first."""

    def __init__(self, reader: Reader, filters: Filters, caps: Caps) -> None:
        self.reader = reader
        self.filters = filters
        self.caps = caps
        self.found: dict[int, str] = {}

    def exact(self, words: Sequence[str]) -> None:
        by_leaf: dict[str, list[str]] = {}
        for word in words:
            by_leaf.setdefault(leaf(word).lower(), []).append(word)
        rows = self.reader.named(by_leaf, self.filters, self.caps.exact_limit)
        for name, written in by_leaf.items():
            matching = [row for row in rows if row.name.lower() == name]
            for word in written:
                self._add_exact(word, matching)

    def _add_exact(self, word: str, rows: Sequence[NameRow]) -> None:
        lower = word.replace("::", ".").lower()
        dotted = "." in lower
        whole = [row for row in rows if not dotted or f".{row.qualified.lower()}".endswith(f".{lower}")]
        for row in sorted(whole or rows, key=lambda row: row.name != word):
            self.found.setdefault(row.number, f"its name is {row.name}")

    def prefix(self, words: Iterable[str]) -> None:
        for word in words:
            if len(self.found) >= self.caps.prefix_below:
                return
            for row in self.reader.starting(leaf(word), self.filters, self.caps.prefix_cap):
                if len(self.found) >= self.caps.prefix_cap:
                    return
                self.found.setdefault(row.number, f"its name begins with {word}")

    def substring(self, words: Iterable[str]) -> None:
        for word in words:
            if len(self.found) >= self.caps.substring_below:
                return
            if len(word) < self.caps.shortest_substring and word.isascii():
                continue
            for row in self.reader.containing(leaf(word), self.filters, self.caps.substring_cap):
                if len(self.found) >= self.caps.substring_cap:
                    return
                self.found.setdefault(row.number, f"its name contains {word}")

    def segment(self, words: Iterable[str]) -> None:
        for word in words:
            if len(self.found) >= self.caps.path_below:
                return
            if len(word) < self.caps.shortest_path or not word.isalnum():
                continue
            homes = [number for number, path in self.reader.files_with(word, 100) if has_segment(path, word)]
            if not homes:
                continue
            for row in self.reader.symbols_in(homes[:20], TYPE_KINDS | CALLABLE_KINDS, self.caps.path_cap):
                if len(self.found) >= self.caps.path_cap:
                    return
                if allowed_row(row, self.filters):
                    self.found.setdefault(row.number, f"it lies in {row.path}, which has {word} in its path")


def tiered(reader: Reader, keywords: Keywords, filters: Filters, caps: Caps) -> dict[int, str]:
    """Return the symbols that the keywords name, best first, with the tier that found each."""
    tiers = _Tiers(reader, filters, caps)
    primary = keywords.primary
    tiers.exact((*primary, *keywords.speculative))
    tiers.prefix(primary)
    if len(tiers.found) < caps.fallback_below:
        tiers.exact(keywords.components)
        tiers.prefix(keywords.components)
    words = (*primary, *keywords.components)
    tiers.substring(words)
    tiers.segment(words)
    return tiers.found


def has_segment(path: str, word: str) -> bool:
    """Say whether a folder or a file's stem is called so."""
    parts = path.lower().split("/")
    parts[-1] = parts[-1].partition(".")[0]
    return word.lower() in parts


def allowed_row(row: NameRow, filters: Filters) -> bool:
    """Say whether a symbol passes the filters, as far as its name row tells."""
    if filters.kinds and row.kind not in filters.kinds:
        return False
    if filters.path_prefixes and not row.path.startswith(filters.path_prefixes):
        return False
    return filters.include_tests or not row.test
