"""Keeps as many memories as were asked for, and of those that say nearly the same only the best."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates

Words = frozenset[str]


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Texts that share so many of their words are shown once; above 1 nothing is collapsed."""

    share: float = 0.9


def run(context: Context, parameters: Parameters, candidates: Columns | Candidates) -> Candidates:
    """Read candidates until there are enough that differ."""
    view, limit = asked(context).view, context.query.limit or 1
    kept: list[Candidate] = []
    words: list[Words] = []
    twins: dict[int, int] = {}
    for start in range(0, len(candidates), limit):
        part = {row.number: row for row in candidates[start : start + limit] if row.score > 0}
        for memory in view.reader.memories(list(part)):
            own = frozenset(view.cut(memory.text))
            twin = next((at for at, other in enumerate(words) if alike(own, other, parameters.share)), None)
            if twin is None:
                kept.append(part[memory.number])
                words.append(own)
            else:
                twins[twin] = twins.get(twin, 0) + 1
                context.trace.drop(memory.number, "a better one says the same")
        if len(kept) >= limit or len(part) < min(limit, len(candidates) - start):
            break
    for at, many in twins.items():
        kept[at] = kept[at].scored(kept[at].score, alike__others=float(many))
    return tuple(kept)


def alike(own: Words, other: Words, share: float) -> bool:
    """Tell whether two texts have nearly the same words."""
    most = max(len(own), len(other))
    if share > 1.0 or abs(len(own) - len(other)) > most * (1 - share):
        return False
    return own == other or len(own & other) >= share * len(own | other)


STAGE = Stage("alike", "collapse", Parameters, run)
