"""Lets a reranker read question and memory together, for the best so far, where one is configured."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.errors import ModelError
from recollect.ports import Reranker
from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.stage import Stage
from recollect.store.memories import SENSITIVE
from recollect.store.shelf import Column


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many are read, and how much of the score so far stays."""

    top: int = 20
    original: float = 0.0


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Score the head again; the rest follows behind it in its order."""
    if not len(candidates):
        return candidates
    try:
        reranker = asked(context).view.means.reranker()
        if reranker is None:
            return candidates
        head = candidates[: parameters.top]
        read = _read(context, reranker, head)
    except ModelError as error:
        context.trace.degrade(f"{error} So the best were not read again.")
        return candidates
    keep = parameters.original
    scores = keep * head.scores + (1.0 - keep) * read
    behind = candidates.scores[parameters.top :] / max(float(candidates.scores.max()), 1.0)
    cross = np.concatenate([read, np.zeros(len(behind))])
    scores = np.concatenate([scores, behind * float(scores.min())])
    return candidates.scored(scores, cross=cross)


def _read(context: Context, reranker: Reranker, head: Columns) -> Column:
    """Return a score for each; what must not leave the machine keeps its place behind the one before it."""
    shelf = head.shelf
    sent = np.ones(len(head), bool)
    if not reranker.local:
        sent = (shelf.column("signs")[head.rows] & SENSITIVE) == 0
        if not sent.all():
            context.trace.degrade(
                f"{int((~sent).sum())} sensitive memories were not sent to {reranker.model}"
            )
    numbers = shelf.column("number")[head.rows]
    rows = asked(context).view.reader.memories(numbers[sent].tolist())
    found = np.full(len(head), np.nan)
    found[sent] = reranker.score(context.query.text, [row.text for row in rows])
    last = float(found[sent].max(initial=0.0))
    for at in range(len(found)):
        last = found[at] = last if np.isnan(found[at]) else float(found[at])
    return found


STAGE = Stage("cross", "rerank", Parameters, run)
