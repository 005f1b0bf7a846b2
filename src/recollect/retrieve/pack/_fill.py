"""Fills a budget entry by entry: what fits is taken, what does not makes room for what comes after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b

import msgspec
import numpy as np

from recollect.retrieve.chunks import is_structured
from recollect.retrieve.compress.compressor import Compressed, Parameters, compress, own_idf
from recollect.retrieve.context import Context, Items
from recollect.retrieve.delta import Seen
from recollect.retrieve.pack._costs import Costs
from recollect.retrieve.pack._standing import standing
from recollect.retrieve.packing import WHOLE, Entry, Framing, Packed, PlainLines
from recollect.retrieve.ranking import Notes
from recollect.retrieve.sparse.terms import terms_of
from recollect.retrieve.values import Candidate, Candidates
from recollect.store.arc import ArcCache
from recollect.types import Item

TextOf = Callable[[Item], str | None]
AHEAD = 32
"""So many items are read together when one is looked at."""
CONTEXT = 60
"""How many of the best candidates say which terms are rare in the context of a query."""
_decode = msgspec.msgpack.Decoder(tuple[str, float, tuple[str, ...]]).decode


class Filling:
    """An answer while it is packed."""

    def __init__(self, context: Context, candidates: Candidates) -> None:
        self.context = context
        self.candidates = candidates
        self.items = Items(context, candidates)
        self.budget = max(0, context.query.budget or 0)
        self._framing: Framing = context.services.get("framing") or PlainLines()
        self.left = self.budget - self._framing.overhead(context.count_tokens)
        self.entries: dict[int, Entry] = {}
        self.standing = standing(context, candidates)
        self._bodies: dict[int, list[tuple[int, int, int]]] = {}
        self._costs = Costs(context, self._framing)
        self._guesses = self._costs.floors(self.standing)
        self._text_of: TextOf | None = context.services.get("text")
        if self._text_of is None:
            context.trace.degrade("nobody can read the files, so signatures stand for texts")

    def body(self, item: Item) -> str:
        """Return the text of an item as it is on disk, or its signature when nobody can read it."""
        text = self._text_of(item) if self._text_of is not None else item.text
        return text or self.signature(item)

    def signature(self, item: Item) -> str:
        """Return what stands for an item in the fewest words."""
        return item.signature or item.name or item.path

    def show(self, row: Candidate, text: str) -> bool:
        """Take a text whole, or what of it the session has not seen yet."""
        seen: Seen | None = self.context.services.get("seen")
        if seen is None or not self.context.query.session:
            return self.take(row, text, "body")
        form, shown = seen.shown(self.context.query.session, self.items[row.number].id, text)
        return self.take(row, shown, form, len(text))

    def compressed(self, item: Item, text: str, parameters: Parameters) -> Compressed:
        """Return the shortened text of an item, remembered by content; named code keeps all that is telling."""
        strict = parameters.strict_for_symbols and is_structured(self.context, item)
        weights = {} if strict else self.weights()
        cache = self.context.snapshot.memo("compressed", ArcCache)
        digest = "" if strict else self.context.once("context idf digest", lambda: _digest(repr(weights)))
        parts = (text, item.language, repr(parameters), digest)
        key = _digest("\0".join(parts))
        known = cache.get(key)
        if known is not None:
            return Compressed(*_decode(known))
        made = compress(text, item.language, self.context.count_tokens, parameters, weights or None, strict)
        cache.put(key, msgspec.msgpack.encode((made.text, made.ratio, made.notes)))
        return made

    def weights(self) -> Mapping[str, float]:
        """Return how rare terms are among the best candidates; those of the query count as the rarest."""
        head = self.candidates[:CONTEXT]
        return self.context.once(
            "context idf",
            lambda: own_idf(
                [self.body(self.items[row.number]) for row in head], terms_of(self.context.query.text)
            ),
        )

    def take(self, row: Candidate, text: str, form: str, whole: int = 0) -> bool:
        """Take an entry if it fits, in place of what stands for the item; `whole` is how long its full text is."""
        item = self.items[row.number]
        old = self.entries.get(row.number)
        room = self.left + (old.tokens if old is not None else 0)
        cost, counted = self._costs.of(row, item, text, form, room)
        if form == "signature":
            self._guesses[self.standing.places[row.number]] = cost
        if cost > room:
            if old is None:
                self.context.trace.drop(row.number, self._too_dear(cost, counted, room))
            return False
        self.left = room - cost
        self.entries[row.number] = Entry(row, item, text, cost, form, len(text) / whole if whole else 1.0)
        self.context.trace.current.dropped.pop(row.number, None)
        if form in WHOLE:
            at = self.standing.places[row.number]
            shown = (self.standing.starts[at], self.standing.ends[at], row.number)
            self._bodies.setdefault(self.standing.files[at], []).append(shown)
        return True

    def _too_dear(self, cost: int, counted: bool, room: int) -> str:
        told = f"{cost}" if counted else f"at least {cost}"
        return f"it costs {told} tokens and {max(0, room)} of {self.budget} were left"

    def take_signatures(self, order: Sequence[int], last: bool = False) -> None:
        """Take the signatures that fit and whose lines no text shows; the last round says what did not fit."""
        entries, guesses, numbers = self.entries, self._guesses, self.standing.numbers
        late: list[tuple[int, int]] = []
        covered = self.covered()
        for nth, at in enumerate(order):
            number = numbers[at]
            if number in entries:
                continue
            if guesses[at] > self.left:
                if last and not covered[at]:
                    late.append((at, self.left))
            elif not covered[at]:
                self._look_ahead(order, nth)
                self.take(self.candidates[at], self.signature(self.items[number]), "signature")
        if last:
            self._tell_what_was_late(late)

    def _look_ahead(self, order: Sequence[int], nth: int) -> None:
        """Read the next items that may fit together with the first of them."""
        numbers = self.standing.numbers
        if not self.items.has(numbers[order[nth]]):
            window = order[nth : nth + 8 * AHEAD]
            fitting = [numbers[at] for at in window if self._guesses[at] <= self.left]
            self.items.load(fitting[:AHEAD])

    def _tell_what_was_late(self, late: Sequence[tuple[int, int]]) -> None:
        def tell(one: tuple[int, int]) -> str:
            at, room = one
            counted = self._costs.counted(self.candidates[at])
            return self._too_dear(counted or self._guesses[at], counted is not None, room)

        record = self.context.trace.current
        numbers = np.array([self.standing.numbers[at] for at, _ in late], np.int64)
        record.dropped = Notes(numbers, late, tell, record.dropped)

    def shown_by(self, at: int) -> int | None:
        """Return the number of the item whose body shows the lines of a candidate already."""
        standing = self.standing
        bodies = self._bodies.get(standing.files[at])
        if bodies is None:
            return None
        start, end, number = standing.starts[at], standing.ends[at], standing.numbers[at]
        for first, last, other in bodies:
            if start and number != other and first <= start and end <= last:
                return other
        return None

    def covered(self) -> list[int]:
        """Return for every candidate the number of the item whose body shows its lines, 0 where none does."""
        standing = self.standing
        covered = np.zeros(len(standing.numbers), np.int64)
        if self._bodies:
            files, starts, ends = map(np.array, (standing.files, standing.starts, standing.ends))
            for file, bodies in self._bodies.items():
                here = np.flatnonzero(files == file)
                for first, last, number in bodies[::-1]:
                    within = (starts[here] >= max(1, first)) & (ends[here] <= last)
                    within &= standing.ranking.numbers[here] != number
                    covered[here[within]] = number
        found: list[int] = covered.tolist()
        return found

    def packed(self, order: Iterable[int] | None = None) -> Packed:
        """Return what was taken, in the order of the candidates unless another is given."""
        numbers = self.standing.numbers if order is None else list(order)
        rows = tuple(self.entries[number] for number in numbers if number in self.entries)
        spent = self.budget - self.left if rows else 0
        self.context.trace.summarise(
            f"{len(rows)} of {len(self.candidates)} fit into {self.budget} tokens, using {spent}."
        )
        return Packed(rows, spent, self.budget, len(self.candidates) - len(rows))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
