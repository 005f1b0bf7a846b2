"""Takes texts in the order of the candidates while they fit, shortened where only that fits."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.compress.compressor import Parameters as Compression
from recollect.retrieve.context import Context
from recollect.retrieve.pack._fill import Filling
from recollect.retrieve.packing import Packed
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether texts are shortened, and how."""

    compress: bool = True
    compression: Compression = Compression()


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Packed:
    """Pack greedily; what is too large even when shortened makes room for what comes after it."""
    filling = Filling(context, candidates)
    for row in candidates:
        if filling.left <= 0:
            context.trace.drop(row.number, f"nothing of the {filling.budget} tokens was left")
            continue
        item = filling.items[row.number]
        text = filling.body(item)
        if not filling.show(row, text) and parameters.compress:
            _take_shorter(filling, row, text, parameters.compression)
    return filling.packed()


def _take_shorter(filling: Filling, row: Candidate, text: str, parameters: Compression) -> None:
    short = filling.compressed(filling.items[row.number], text, parameters)
    if short.ratio < 1.0 and filling.take(row, short.text, "compressed", len(text)):
        notes = (f"shortened to {short.ratio:.0%}", *short.notes)
        filling.context.trace.note(row.number, "; ".join(notes))


STAGE = Stage("budget", "pack", Parameters, run)
