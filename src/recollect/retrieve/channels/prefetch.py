"""What the same question led to before, once it did so often enough; only use counts, never what was shown."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.allowed import passes
from recollect.retrieve.chunks import chunk_numbers
from recollect.retrieve.context import Context
from recollect.retrieve.roots import root_of
from recollect.retrieve.signature import signature_of
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import PLACE_KINDS


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """From how many uses on a question counts as known, and whether chunks stand for symbols."""

    hits: int = 3
    chunks: bool = True
    limit: int = 60


def run(context: Context, parameters: Parameters) -> Candidates:
    """List what was used for this question, the most used first."""
    signature = signature_of(context.query.text)
    counts = context.learned.prefetch(signature, root_of(context)) if signature else {}
    if sum(counts.values()) < parameters.hits:
        return ()
    best: dict[int, Candidate] = {}
    for public_id, count in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
        item = context.reader.item(public_id)
        if item is None or not passes(item, context.query.filters):
            continue
        number = item.number
        if parameters.chunks and item.kind not in PLACE_KINDS:
            number = chunk_numbers(context, (item,))[item.number]
        reason = f"it was used {count} times for this question"
        best.setdefault(number, Candidate(number, float(count), reason))
    return tuple(best.values())[: parameters.limit]


STAGE = Stage("prefetch", "channel", Parameters, run)
