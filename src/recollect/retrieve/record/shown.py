"""Remembers what an answer showed, under the id of its query."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from recollect.retrieve.channels.learned import worth_learning
from recollect.retrieve.cluster import cluster_of
from recollect.retrieve.context import Context, Shown
from recollect.retrieve.packing import Packed
from recollect.retrieve.roots import root_of
from recollect.retrieve.signature import signature_of
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates
from recollect.types import Item


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many results of an answer without a budget count as shown."""

    head: int = 10


def run(context: Context, parameters: Parameters, candidates: Candidates, packed: Packed | None) -> None:
    """Hand what was shown to the learners."""
    if packed is not None:
        items = [entry.item for entry in packed.entries]
    else:
        known = context.items(row.number for row in candidates[: parameters.head])
        items = [known[row.number] for row in candidates[: parameters.head] if row.number in known]
    context.learned.record(context.query, shown_of(context, items), context.now, root_of(context))


def shown_of(context: Context, items: Sequence[Item]) -> list[Shown]:
    """Return the items of an answer with what learning from them needs."""
    cluster = cluster_of(context.query.keywords)
    words = tuple(
        sorted({word.lower() for word in context.query.keywords.all if worth_learning(word.lower())})
    )
    signature = signature_of(context.query.text)
    return [Shown(item, place, cluster, words, signature) for place, item in enumerate(items, 1)]


STAGE = Stage("shown", "record", Parameters, run)
