"""The symbols whose lines a change touches, in the order of the files and of their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from recollect.graph.choosing import Span, touched
from recollect.retrieve.allowed import is_test_path, passes
from recollect.retrieve.channels.places import named_files
from recollect.retrieve.context import Context
from recollect.retrieve.sites import sites
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import CALLABLE_KINDS, TYPE_KINDS, Item


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many symbols are taken from one file, and what tests and prose weigh beside code."""

    per_file: int = 100
    test: float = 0.85
    prose: float = 0.7
    holder: float = 0.9
    """What a type weighs whose field was changed."""
    outside: float = 0.6
    """What lines weigh that lie in no symbol, such as imports."""


def run(context: Context, parameters: Parameters) -> Candidates:
    """List the symbols, and the text around lines that lie in none; what is not indexed is named in the trace."""
    lines = {one.path: one.spans for one in context.query.lines}
    found: list[Candidate] = []
    for written, path in named_files(context):
        items = context.reader.items_of(path)
        chosen = _touched(items, lines.get(written))[: parameters.per_file]
        for holder, held in _holders(items, chosen):
            if passes(holder, context.query.filters):
                reason = f"it holds {held.name}, which was changed"
                found.append(Candidate(holder.number, parameters.holder, reason, {"hops": 0.0}))
        for item in chosen:
            if passes(item, context.query.filters):
                prose = item.language in sites().prose
                test = item.test or is_test_path(item.path)
                weight = parameters.prose if prose else parameters.test if test else 1.0
                weight = parameters.outside if item.kind == "chunk" else weight
                found.append(Candidate(item.number, weight, "it was changed", {"hops": 0.0, "touched": 1.0}))
    return tuple(found)


def _holders(items: Sequence[Item], chosen: Sequence[Item]) -> list[tuple[Item, Item]]:
    """Return the types whose fields were changed, each once: a field alone says little."""
    found: dict[int, tuple[Item, Item]] = {}
    already = {item.number for item in chosen}
    by_name = {item.name: item for item in items if item.kind in TYPE_KINDS}
    for item in chosen:
        holder = by_name.get(item.name.rpartition(".")[0])
        if (
            holder is not None
            and holder.number not in already
            and item.kind not in CALLABLE_KINDS | TYPE_KINDS
        ):
            found.setdefault(holder.number, (holder, item))
    return list(found.values())


def _touched(items: Sequence[Item], spans: Sequence[Span] | None) -> list[Item]:
    plain = [item for item in items if item.kind != "chunk"]
    return list(_pieces(items, touched(plain, spans), spans))


def _pieces(items: Sequence[Item], starts: Sequence[Item], spans: Sequence[Span] | None) -> Iterator[Item]:
    """Yield the symbols; in place of the file itself, the pieces of text around lines that no symbol holds."""
    symbols = [item for item in starts if item.kind != "file"]
    yield from symbols
    if spans is not None and len(symbols) < len(starts):
        for item in items:
            if item.kind == "chunk" and any(
                _meets(item, span) and not any(_holds(symbol, span) for symbol in symbols) for span in spans
            ):
                yield item


def _meets(item: Item, span: Span) -> bool:
    return item.start_line <= span[1] and item.end_line >= span[0]


def _holds(item: Item, span: Span) -> bool:
    return item.start_line <= span[0] and item.end_line >= span[1]


STAGE = Stage("touched", "channel", Parameters, run)
