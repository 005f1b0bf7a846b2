"""A chunk gives way to the symbol that it shows, and hands it its score."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.distinct import first_of_each
from recollect.retrieve.merging import joined_reasons
from recollect.retrieve.overlapping import shown
from recollect.retrieve.ranking import Notes, Ranking, ranking_of
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What share of its score a chunk hands over, and whether the symbol takes the better score or the sum."""

    share: float = 1.0
    best: bool = False


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Merge chunks into symbols; of several chunks of one symbol the best counts."""
    found = ranking_of(candidates)
    chunks, symbols = shown(context.catalogue, found.numbers)
    if not len(chunks):
        return context.in_order(found).as_candidates()
    context.trace.current.dropped = Notes(
        found.numbers[chunks],
        found.numbers[symbols],
        lambda number: f"it shows {context.items([number])[number].name}, which stands for it",
    )
    # The best chunk of each symbol, the first of those that are as good.
    order = np.lexsort((chunks, -found.scores[chunks], symbols))
    symbols, chunks_of = symbols[order], chunks[order]
    first = first_of_each(symbols)
    symbols, best = symbols[first], chunks_of[first]
    handed = parameters.share * found.scores[best]
    context.trace.current.notes = Notes(
        found.numbers[symbols], handed, "a chunk that shows it hands over {:.4f}".format
    )
    scores, reasons = found.scores.copy(), found.reasons.copy()
    own = scores[symbols]
    scores[symbols] = np.maximum(own, handed) if parameters.best else own + handed
    reasons[symbols] = joined_reasons(reasons[symbols], reasons[best])
    signals = {}
    for name, column in found.signals.items():
        merged = column.copy()
        merged[symbols] = np.where(np.isnan(column[symbols]), column[best], column[symbols])
        signals[name] = merged
    kept = np.ones(len(found), np.bool_)
    kept[chunks] = False
    return context.in_order(Ranking(found.numbers, scores, reasons, signals).take(kept)).as_candidates()


STAGE = Stage("shown", "collapse", Parameters, run)
