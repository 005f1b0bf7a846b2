"""What defines a symbol of the query's name counts three times."""

from __future__ import annotations

import re

from msgspec import Struct

from recollect.retrieve.chunks import symbols_in
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates
from recollect.types import TYPE_KINDS, Item


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """The factor, and from which likeness of names on."""

    factor: float = 3.0
    least: float = 0.5
    class_factor: float = 0.0
    """The factor for chunks that define a type, when the query names one by its capitals; 0 for the same as others."""


def names_a_class(text: str) -> bool:
    """Say whether a query has a word of at least four letters that begins with a capital and goes on in small ones."""
    return re.search(r"\b[A-Z][a-z]\w{2,}", text) is not None


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Multiply the scores of what the symbol channel measured."""
    items = context.items(row.number for row in candidates)
    classes = parameters.class_factor > 0.0 and names_a_class(context.query.text)
    rows = []
    for row in candidates:
        if row.signals.get("symbol", 0.0) >= parameters.least:
            of_class = classes and _defines_type(context, items[row.number])
            factor = parameters.class_factor if of_class else parameters.factor
            context.trace.note(row.number, f"it bears a name of the query, times {factor:g}")
            row = row.scored(row.score * factor)  # noqa: PLW2901  # the same row, boosted
        rows.append(row)
    return context.ordered(rows)


def _defines_type(context: Context, item: Item) -> bool:
    symbols = symbols_in(context, item) if item.kind == "chunk" else (item,)
    return any(symbol.kind in TYPE_KINDS for symbol in symbols)


STAGE = Stage("symbol_multiplier", "boost", Parameters, run)
