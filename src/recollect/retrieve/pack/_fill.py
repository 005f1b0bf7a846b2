"""Fills a budget entry by entry: what fits is taken, what does not makes room for what comes after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b

import msgspec

from recollect.retrieve.chunks import is_structured
from recollect.retrieve.compress.compressor import Compressed, Parameters, compress, own_idf
from recollect.retrieve.context import Context
from recollect.retrieve.delta import Seen
from recollect.retrieve.pack._costs import Costs
from recollect.retrieve.packing import WHOLE, Entry, Framing, Packed, PlainLines
from recollect.retrieve.sparse.terms import terms_of
from recollect.retrieve.values import Candidate, Candidates
from recollect.store.arc import ArcCache
from recollect.types import Item

TextOf = Callable[[Item], str | None]
CONTEXT = 60
"""How many of the best candidates say which terms are rare in the context of a query."""
_decode = msgspec.msgpack.Decoder(tuple[str, float, tuple[str, ...]]).decode


class Filling:
    """An answer while it is packed."""

    def __init__(self, context: Context, candidates: Candidates) -> None:
        self.context = context
        self.candidates = candidates
        self.items = context.items(row.number for row in candidates)
        self.budget = max(0, context.query.budget or 0)
        self._framing: Framing = context.services.get("framing") or PlainLines()
        self.left = self.budget - self._framing.overhead(context.count_tokens)
        self.entries: dict[int, Entry] = {}
        self._bodies: dict[str, list[Item]] = {}
        self._costs = Costs(context, self._framing)
        self._guesses: dict[int, int] = {}
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
            self._guesses[row.number] = cost
        if cost > room:
            if old is None:
                told = f"{cost}" if counted else f"at least {cost}"
                reason = f"it costs {told} tokens and {max(0, room)} of {self.budget} were left"
                self.context.trace.drop(row.number, reason)
            return False
        self.left = room - cost
        self.entries[row.number] = Entry(row, item, text, cost, form, len(text) / whole if whole else 1.0)
        self.context.trace.current.dropped.pop(row.number, None)
        if form in WHOLE:
            self._bodies.setdefault(item.path, []).append(item)
        return True

    def take_signatures(self, order: Sequence[Candidate], last: bool = False) -> None:
        """Take the signatures that fit and whose lines no text shows; the last round says what did not fit."""
        entries, guesses = self.entries, self._guesses
        for row in order:
            number = row.number
            if number in entries:
                continue
            item = self.items[number]
            guess = guesses.get(number)
            if guess is None:
                guess = guesses[number] = self._costs.signature(row, item, self.signature(item))[0]
            if guess > self.left and not last:
                continue
            if self.shown_by(item) is None:
                self.take(row, self.signature(item), "signature")

    def shown_by(self, item: Item) -> Item | None:
        """Return the item whose body shows the lines of this one already."""
        bodies = self._bodies.get(item.path)
        if bodies is None:
            return None
        return next((other for other in bodies if _within(item, other)), None)

    def packed(self, order: Iterable[int] | None = None) -> Packed:
        """Return what was taken, in the order of the candidates unless another is given."""
        numbers = [row.number for row in self.candidates] if order is None else list(order)
        rows = tuple(self.entries[number] for number in numbers if number in self.entries)
        spent = self.budget - self.left if rows else 0
        self.context.trace.summarise(
            f"{len(rows)} of {len(self.candidates)} fit into {self.budget} tokens, using {spent}."
        )
        return Packed(rows, spent, self.budget, len(self.candidates) - len(rows))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _within(item: Item, other: Item) -> bool:
    return (
        bool(item.start_line)
        and item.number != other.number
        and other.start_line <= item.start_line
        and item.end_line <= other.end_line
    )
