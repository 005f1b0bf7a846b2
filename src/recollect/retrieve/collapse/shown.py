"""A chunk gives way to the symbol that it shows, and hands it its score."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.plain.collapse import shown_symbols
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What share of its score a chunk hands over, and whether the symbol takes the better score or the sum."""

    share: float = 1.0
    best: bool = False


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Merge chunks into symbols; of several chunks of one symbol the best counts."""
    items = context.items(row.number for row in candidates)
    stands_for = shown_symbols(items.values())
    given: dict[int, Candidate] = {}
    for row in candidates:
        symbol = stands_for.get(row.number)
        if symbol is not None and (symbol not in given or given[symbol].score < row.score):
            given[symbol] = row
    rows = []
    for row in candidates:
        if row.number in stands_for:
            context.trace.drop(
                row.number, f"it shows {items[stands_for[row.number]].name}, which stands for it"
            )
            continue
        chunk = given.get(row.number)
        if chunk is None:
            rows.append(row)
        else:
            handed = parameters.share * chunk.score
            score = max(row.score, handed) if parameters.best else row.score + handed
            context.trace.note(row.number, f"a chunk that shows it hands over {handed:.4f}")
            reason = "; ".join(dict.fromkeys(f"{row.reason}; {chunk.reason}".split("; ")))
            signals = {**chunk.signals, **row.signals}
            rows.append(Candidate(row.number, score, reason, signals))
    return context.ordered(rows)


STAGE = Stage("shown", "collapse", Parameters, run)
