"""Memories that hold what the question says to the letter: quoted phrases, words, or the question itself."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import Asked, asked
from recollect.retrieve.recall.chosen import bounded
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.stage import Stage
from recollect.store.memories import ANSWERS, MemoryRow


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What each adds, at most 1 together, and by how much the score grows at 1."""

    phrase: float = 0.6
    word: float = 0.08
    most_words: float = 0.4
    question: float = 0.15
    """One of the questions that the memory is known to answer holds every word of this one."""
    factor: float = 1.22


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Multiply the scores of the candidates."""
    if not len(candidates):
        return candidates
    question = asked(context)
    numbers = candidates.shelf.column("number")[candidates.rows].tolist()
    known = {row.number: row for row in question.view.reader.memories(numbers)}
    found = np.array([_signal(question, known.get(number), parameters) for number in numbers])
    scores = bounded(candidates.scores * (1.0 + found * (parameters.factor - 1.0)))
    return candidates.scored(scores, literal=found)


def _signal(asked_of: Asked, row: MemoryRow | None, parameters: Parameters) -> float:
    if row is None:
        return 0.0
    view, text = asked_of.view, asked_of.question.text
    words = view.cut(row.text)
    phrases = re.findall(r'"([^"]*\w[^"]*)"', text)
    signal = parameters.phrase * sum(_holds(words, view.cut(phrase)) for phrase in phrases)
    telling = {word for word in view.cut(text) if word in asked_of.question.written.values()}
    signal += min(parameters.most_words, parameters.word * len(telling & set(words)))
    known = json.loads(row.metadata) if row.metadata else {}
    asks = [set(view.cut(str(one))) for key in ANSWERS for one in _several(known.get(key))]
    signal += parameters.question * bool(telling and any(telling <= one for one in asks))
    return min(1.0, signal)


def _holds(words: Sequence[str], phrase: Sequence[str]) -> bool:
    size = len(phrase)
    return any(list(words[at : at + size]) == list(phrase) for at in range(len(words) - size + 1))


def _several(value: object) -> list[object]:
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


STAGE = Stage("literal", "boost", Parameters, run)
