"""Memories by their words as they are written, unstemmed, in the syntax of full text."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import MET, asked
from recollect.retrieve.recall.chosen import best, how_many, places
from recollect.retrieve.recall.columns import Columns, nothing
from recollect.retrieve.recall.expression import any_word, bare, expert, is_expert
from recollect.retrieve.recall.intents import synonyms
from recollect.retrieve.stage import Stage


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How the question is read, which columns are searched, and how many are brought."""

    syntax: bool = True
    """Whether quoted phrases, AND, OR, NOT, a trailing star and the names of columns have their meaning."""
    columns: tuple[str, ...] = ("essence", "content")
    """Also `questions`: those that a memory is known to answer."""
    synonyms: int = 0
    """How many words of the same meaning are searched for besides."""
    limit: int = 50
    times: int = 0
    """How many times as many as were asked for are brought; 0 for a fixed limit."""


def run(context: Context, parameters: Parameters) -> Columns:
    """Search; an expression that cannot be read is searched for by its words."""
    question = asked(context)
    view, text = question.view, context.query.text
    words = bare(text)
    if not words:
        context.trace.absent("the question holds no word")
        return nothing(question.shelf)
    more = synonyms(question.view.cut(text), parameters.synonyms)
    expression = f"{words} OR {any_word(more)}" if more else words
    allowed, limit = view.allowed, how_many(context, parameters.limit, parameters.times)
    # A filter applies before the limit, so that whatever it lets through is found.
    most = None if allowed is not None else limit
    found = None
    if parameters.syntax and is_expert(text, parameters.columns):
        found = view.means.plain().search(expert(text, parameters.columns), parameters.columns, most)
        if found is not None:
            context.trace.shared[MET] = frozenset(found[0].tolist())
        else:
            context.trace.degrade(
                "the question is no expression of full text, so its words were searched for"
            )
    if found is None:
        found = view.means.plain().search(expression, parameters.columns, most)
    if found is None:
        return nothing(question.shelf)
    rows, there = places(question.shelf, found[0])
    return best(question.shelf, rows, found[1][there], limit, allowed, "its words match as they are written")


STAGE = Stage("written", "channel", Parameters, run)
