"""Memories by their words: by themselves, together with those around them, or with their whole session."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked, near, pool, said
from recollect.retrieve.recall.bm25 import Bm25, follows_question, window_scores
from recollect.retrieve.recall.columns import Columns, nothing
from recollect.retrieve.stage import Stage
from recollect.store.shelf import Column

REASONS = {
    "item": "its words match",
    "session": "its session matches",
    "answer": "it answers what matches",
}


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What is read together, the constants of BM25, and how many of the best have their neighbours looked at."""

    window: Literal["item", "before", "around", "wide", "session", "answer"] = "item"
    """An answer is what is said after a question of somebody else, read together with it."""
    saturation: float = 0.9
    normalisation: float = 0.4
    pool: int = 400


def run(context: Context, parameters: Parameters) -> Columns:
    """Score all memories that may be the answer."""
    question = asked(context)
    bm25 = Bm25(parameters.saturation, parameters.normalisation)
    rows = pool(context, bm25, parameters.pool)
    shelf, window = question.shelf, parameters.window
    if window == "item":
        scores = said(context, bm25)[0][rows]
    elif window == "session":
        scores = said(context, bm25)[1][shelf.column("session_of")[rows]]
    else:
        scores = _window(context, "before" if window == "answer" else window, parameters)
        if window == "answer":
            scores = scores * follows_question(shelf, rows)
    if not scores.any():
        return nothing(shelf)
    return Columns(shelf, rows, scores, reason=REASONS.get(window, "what was said around it matches"))


def _window(context: Context, name: str, parameters: Parameters) -> Column:
    question, bm25 = asked(context), Bm25(parameters.saturation, parameters.normalisation)
    return context.once(
        ("window", name, bm25, parameters.pool),
        lambda: window_scores(
            question.shelf, name, near(context, bm25, parameters.pool), question.postings, bm25
        ),
    )


STAGE = Stage("said", "channel", Parameters, run)
