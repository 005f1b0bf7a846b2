"""Orders the head anew, so that each memory adds something to those above it; only when that is wished for."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import Asked, asked
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.stage import Stage
from recollect.store.shelf import Column

_READ = 400
"""So many words of a memory are compared."""


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How much likeness to what stands above counts against relevance, in [0, 1], and how many are looked at."""

    diversity: float = 0.0
    among: int = 3
    """So many times what was asked for."""


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Take the best by relevance less its greatest likeness to what was taken, one after another."""
    most = parameters.among * (context.query.limit or 1)
    head = candidates[:most]
    if not parameters.diversity or len(head) < 2 or float(head.scores[0]) <= 0:
        return candidates
    share = min(parameters.diversity, 1.0)
    like, value = _likenesses(asked(context), head), (1.0 - share) * head.scores / head.scores[0]
    order, greatest = [0], like[0].copy()
    left = np.ones(len(head), bool)
    left[0] = False
    while left.any():
        worth = np.where(left, value - share * greatest, -np.inf)
        at = int(np.argmax(worth))
        order.append(at)
        left[at] = False
        np.maximum(greatest, like[at], out=greatest)
    moved = candidates.take(np.append(order, np.arange(len(head), len(candidates))).astype(np.int64))
    return moved.lowered()


def _likenesses(question: Asked, head: Columns) -> Column:
    """Return for each pair of memories the share of stems that they have in common, beside those of the question."""
    numbers = [int(number) for number in head.shelf.column("number")[head.rows]]
    texts = {row.number: row.text for row in question.view.reader.memories(numbers)}
    silent = question.question.silent | set(question.question.terms)
    held = [frozenset(question.view.stem(texts.get(one, ""))[:_READ]) - silent for one in numbers]
    like = np.eye(len(held))
    for at, own in enumerate(held):
        for other in range(at):
            both = len(own | held[other])
            like[at, other] = like[other, at] = len(own & held[other]) / both if both else 0.0
    return like


STAGE = Stage("diverse", "collapse", Parameters, run)
