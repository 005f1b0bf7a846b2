"""What was selected or used lately, whatever was asked: half as much with every week."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.allowed import passes
from recollect.retrieve.chunks import chunk_numbers
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import PLACE_KINDS


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How fast use fades, how many items are listed, and whether chunks stand for symbols."""

    half_life_days: float = 7.0
    chunks: bool = True
    limit: int = 60


def run(context: Context, parameters: Parameters) -> Candidates:
    """List what was used, the most and latest first."""
    scores = context.learned.usage(context.now, parameters.half_life_days)
    best: dict[int, Candidate] = {}
    for public_id, score in sorted(scores.items(), key=lambda row: (-row[1], row[0])):
        item = context.reader.item(public_id)
        if item is None or not passes(item, context.query.filters):
            continue
        number = item.number
        if parameters.chunks and item.kind not in PLACE_KINDS:
            number = chunk_numbers(context, (item,))[item.number]
        best.setdefault(number, Candidate(number, score, f"it was used lately ({score:.2f})"))
        if len(best) >= parameters.limit:
            break
    return tuple(best.values())


STAGE = Stage("usage", "channel", Parameters, run)
