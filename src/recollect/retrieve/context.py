"""What a stage may look at: one snapshot of the store, the query, the clock and what was learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np

from recollect.graph.arrays import in_memory
from recollect.retrieve.catalogue import Catalogue, catalogue_of, in_text_order
from recollect.retrieve.ranking import Ranking, numbers_of
from recollect.retrieve.trace import Trace
from recollect.retrieve.values import Candidate, Candidates, Query
from recollect.store.ids import uid_of

if TYPE_CHECKING:
    from recollect.ports import Graph, Reader
    from recollect.types import Item

Made = TypeVar("Made")


class Shown(NamedTuple):
    """An item in an answer, with what learning from it needs."""

    item: Item
    position: int
    """1-based place in the answer."""
    cluster: str
    """Which questions this one is like."""
    words: tuple[str, ...]
    """The keywords that are worth learning."""
    signature: str = ""
    """Which question it was, but for the order of its words."""


class Learned(Protocol):
    """Views of the events of earlier questions; implemented in recollect.learn."""

    def session(
        self, session: str, now: float, kinds: frozenset[str], half_life: float
    ) -> Mapping[str, float]:
        """Return the boost of every item that was touched lately, by public id."""
        ...

    def feedback(self, cluster: str, root_of: Callable[[str], str]) -> Mapping[str, tuple[int, int]]:
        """Return how often an item was useful and not, by public id; items nobody judged are absent."""
        ...

    def vocabulary(
        self, words: Iterable[str], root_of: Callable[[str], str]
    ) -> Mapping[str, Mapping[str, int]]:
        """Return for each word the items that were used for it, with how often."""
        ...

    def usage(self, now: float, half_life_days: float) -> Mapping[str, float]:
        """Return the decayed use of every item that was selected or used, by public id."""
        ...

    def prefetch(self, signature: str, root_of: Callable[[str], str]) -> Mapping[str, int]:
        """Return how often each item was used for a question of this signature, by public id."""
        ...

    def touched(self, session: str, now: float) -> bool:
        """Say whether anything was touched in a session so lately that answers differ for it."""
        ...

    def version(self) -> str:
        """Return a text that changes whenever feedback or vocabulary may have."""
        ...

    def record(self, query: Query, shown: Sequence[Shown], now: float, root_of: Callable[[str], str]) -> None:
        """Remember what an answer showed, under the id of its question."""
        ...


class Nothing:
    """Learned views of a project where nothing was learned yet."""

    def session(self, *_: object) -> Mapping[str, float]:
        """Return nothing."""
        return {}

    def feedback(self, *_: object) -> Mapping[str, tuple[int, int]]:
        """Return nothing."""
        return {}

    def vocabulary(self, *_: object) -> Mapping[str, Mapping[str, int]]:
        """Return nothing."""
        return {}

    def usage(self, *_: object) -> Mapping[str, float]:
        """Return nothing."""
        return {}

    def prefetch(self, *_: object) -> Mapping[str, int]:
        """Return nothing."""
        return {}

    def touched(self, *_: object) -> bool:
        """Say no."""
        return False

    def version(self) -> str:
        """Return nothing."""
        return ""

    def record(self, *_: object) -> None:
        """Remember nothing."""


class Snapshot:
    """Everything that is computed once for a generation of the store and kept for the next questions."""

    MAX_ITEMS = 200_000

    def __init__(self) -> None:
        self._items: dict[int, Item] = {}
        self._made: dict[Any, Any] = {}

    def items(self, reader: Reader, numbers: Sequence[int]) -> dict[int, Item]:
        """Return items by number, asking the store once for those that are not known yet."""
        known = self._items
        try:
            return {number: known[number] for number in numbers}
        except KeyError:
            self._read(reader, numbers)
        known = self._items
        return {number: known[number] for number in numbers if number in known}

    def _read(self, reader: Reader, numbers: Sequence[int]) -> None:
        if len(self._items) > self.MAX_ITEMS:
            self._items = {}
        missing = [number for number in dict.fromkeys(numbers) if number not in self._items]
        self._items.update((item.number, item) for item in reader.items(missing))

    def memo(self, key: Any, make: Callable[[], Made]) -> Made:
        """Return what `make` returned when the key was first asked for in this generation."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made


@dataclass(frozen=True, slots=True)
class Context:
    """What every stage is given; nothing in it changes while the pipeline runs, except that the trace grows."""

    reader: Reader
    query: Query
    snapshot: Snapshot
    now: float
    trace: Trace
    learned: Learned = field(default_factory=Nothing)
    count_tokens: Callable[[str], int] = lambda text: (len(text) + 3) // 4
    classes: tuple[Any, ...] = ()
    """The project's own equivalence classes."""
    services: Mapping[str, Any] = field(default_factory=dict)
    """What a stage may need beyond the store, by name: an embedder, the text of items, a pack cache."""

    @property
    def graph(self) -> Graph:
        """Return the graph of this generation."""
        return self.snapshot.memo("graph", lambda: in_memory(self.reader.graph()))

    @property
    def catalogue(self) -> Catalogue:
        """Return every item of this generation in columns."""
        folder = self.services.get("folder")
        return self.snapshot.memo("catalogue", lambda: catalogue_of(self.reader, folder))

    def place(self, number: int) -> int | None:
        """Return the position of an item in the graph, or None when no edge touches it."""
        graph = self.graph
        places = self.snapshot.memo(
            "places", lambda: {number: place for place, number in enumerate(graph.numbers.tolist())}
        )
        found: int | None = places.get(number)
        return found

    def once(self, key: Any, make: Callable[[], Made]) -> Made:
        """Return what `make` returned when the key was first asked for in this run."""
        if key not in self.trace.shared:
            self.trace.shared[key] = make()
        made: Made = self.trace.shared[key]
        return made

    def items(self, numbers: Iterable[int]) -> dict[int, Item]:
        """Return the items of many numbers in one go."""
        return self.snapshot.items(self.reader, list(numbers))

    def in_order(self, ranking: Ranking) -> Ranking:
        """Sort columns best first; what scores alike is ordered by public id."""
        rows, known = self.catalogue.rows_of(ranking.numbers)
        order = (
            self.catalogue.order[np.where(known, rows, 0)] if known.any() else np.zeros(len(rows), np.uint64)
        )
        if not known.all():
            others = self.items(ranking.numbers[~known].tolist())
            for place in np.flatnonzero(~known).tolist():
                item = others.get(int(ranking.numbers[place]))
                if item is not None:
                    known[place], order[place] = True, self.order_of(item)
            ranking, order = ranking.take(known), order[known]
        return ranking.take(np.lexsort((order, -np.rint(ranking.scores * 1e12))))

    def order_of(self, item: Item) -> int:
        """Return a number that rises with the public id, for an item that is not in the catalogue."""
        return int(in_text_order(np.array([uid_of(item.id)]))[0])

    def ordered(self, candidates: Iterable[Candidate]) -> Candidates:
        """Sort best first; what scores alike is ordered by public id."""
        given = list(candidates)
        items = self.items(row.number for row in given)
        keyed = [(-round(row.score, 12), place) for place, row in enumerate(given) if row.number in items]
        keyed.sort()
        order = [place for _, place in keyed]
        for first, after in _ties([key for key, _ in keyed]):
            order[first:after] = sorted(order[first:after], key=lambda at: (items[given[at].number].id, at))
        return tuple(map(given.__getitem__, order))


class Items(Mapping[int, "Item"]):
    """The items of candidates, read some at a time when they are asked for."""

    BATCH = 50

    def __init__(self, context: Context, candidates: Candidates) -> None:
        self._context = context
        self._candidates = candidates
        self._found: dict[int, Item] = {}

    @cached_property
    def _places(self) -> Mapping[int, int]:
        numbers = numbers_of(self._candidates)
        return {number: place for place, number in enumerate(numbers)}

    def __getitem__(self, number: int) -> Item:
        if number not in self._found:
            first = self._places[number]
            numbers = numbers_of(self._candidates[first : first + self.BATCH])
            self._found.update(self._context.items(numbers))
        return self._found[number]

    def has(self, number: int) -> bool:
        """Say whether an item was read already."""
        return number in self._found

    def load(self, numbers: Sequence[int]) -> None:
        """Read many that will be asked for."""
        self._found.update(self._context.items(number for number in numbers if number not in self._found))

    def __iter__(self) -> Iterator[int]:
        return (number for number in self._places if number in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _ties(rising: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Yield where runs of equal values begin and end."""
    first = 0
    for at, (value, following) in enumerate(pairwise(rising), 1):
        if value != following:
            if at - first > 1:
                yield first, at
            first = at
    if len(rising) - first > 1:
        yield first, len(rising)
