"""Symbols that were used for the same words before, the surer the more often."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.allowed import passes
from recollect.retrieve.context import Context
from recollect.retrieve.roots import root_of
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.retrieve.words import word_lists

SHORTEST = 4


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """From how many uses on a word counts, and what the weight grows from and to."""

    least: int = 2
    full: int = 10
    lowest: float = 0.3
    highest: float = 0.8
    limit: int = 30


def strength(count: int, parameters: Parameters) -> float:
    """Return the share of the channel's weight that a number of uses earns."""
    grown = (count - parameters.least) / max(1, parameters.full - parameters.least)
    return parameters.lowest + (parameters.highest - parameters.lowest) * min(grown, 1.0)


def worth_learning(word: str) -> bool:
    """Say whether a word is telling enough to be learned."""
    lists = word_lists()
    return len(word) >= SHORTEST and not lists.is_noise(word) and word not in lists.vocabulary_noise


def run(context: Context, parameters: Parameters) -> Candidates:
    """Look the query's words up in what was learned."""
    words = sorted({word.lower() for word in context.query.keywords.all if worth_learning(word.lower())})
    learned = context.learned.vocabulary(words, root_of(context))
    best: dict[str, tuple[int, str]] = {}
    for word in words:
        for public_id, count in learned.get(word, {}).items():
            if count >= parameters.least and (public_id not in best or count > best[public_id][0]):
                best[public_id] = (count, word)
    rows = []
    for public_id, (count, word) in sorted(best.items(), key=lambda row: (-row[1][0], row[0])):
        item = context.reader.item(public_id)
        if item is not None and passes(item, context.query.filters):
            reason = f'it was used {count} times for "{word}"'
            rows.append(
                Candidate(item.number, float(count), reason, {"fuse.weight": strength(count, parameters)})
            )
    return tuple(rows[: parameters.limit])


STAGE = Stage("learned", "channel", Parameters, run)
