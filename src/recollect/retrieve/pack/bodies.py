"""Signatures first, by value per token; then the texts of the best in their place, shortened where only that fits."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.compress.compressor import Parameters as Compression
from recollect.retrieve.context import Context
from recollect.retrieve.pack._fill import Filling
from recollect.retrieve.packing import Packed
from recollect.retrieve.ranking import top_score
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What share of the budget signatures may take at first, and whose texts are worth showing."""

    signatures: float = 0.4
    bodies: int = 100
    """How many of the best may show their text."""
    body_from: float = 0.0
    """The share of the best score from which a text is worth its tokens."""
    exponent: float = 0.3
    """How strongly nearness counts."""
    compress: bool = True
    compression: Compression = Compression()


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Packed:
    """Pack in three rounds: signatures up to their share, texts of the best, signatures into what is left."""
    filling = Filling(context, candidates)
    order = _by_density(filling, parameters.exponent)
    reserve = int(filling.budget * (1.0 - parameters.signatures))
    filling.left -= reserve
    filling.take_signatures(order)
    filling.left += reserve
    least = parameters.body_from * top_score(candidates, 0.0)
    for at, row in enumerate(candidates[: parameters.bodies]):
        if filling.standing.known[at] and row.score >= least:
            _show_text(filling, at, row, parameters)
    filling.take_signatures(order)
    _drop_repeated(filling, order)
    return filling.packed()


def _by_density(filling: Filling, exponent: float) -> list[int]:
    """Return the places of candidates by value per token (packing.density), then by score and public id."""
    standing, ranking = filling.standing, filling.standing.ranking
    walk = np.maximum(0.0, ranking.signal("walk", 1.0)) ** exponent
    value = ranking.scores / np.maximum(1, standing.nodes) * walk
    order = np.lexsort((standing.order, -np.rint(ranking.scores * 1e12), -np.rint(value * 1e15)))
    best: list[int] = order[standing.known[order]].tolist()
    return best


def _show_text(filling: Filling, at: int, row: Candidate, parameters: Parameters) -> None:
    if filling.shown_by(at) is not None:
        return
    item = filling.items[row.number]
    text = filling.body(item)
    if text == filling.signature(item) or filling.show(row, text):
        return
    if parameters.compress:
        short = filling.compressed(item, text, parameters.compression)
        if short.ratio < 1.0 and filling.take(row, short.text, "compressed", len(text)):
            filling.context.trace.note(
                row.number, "; ".join((f"shortened to {short.ratio:.0%}", *short.notes))
            )


def _drop_repeated(filling: Filling, order: list[int]) -> None:
    """Give the tokens of signatures back whose lines a text shows, and fill them."""
    covered = filling.covered()
    for at in order:
        number, other = filling.standing.numbers[at], covered[at]
        if not other:
            continue
        entry = filling.entries.get(number)
        if entry is not None:
            filling.left += filling.entries.pop(number).tokens
        item = filling.items[other]
        filling.context.trace.cover(number, f"its lines are shown with {item.name or item.path}")
    filling.take_signatures(order, last=True)


STAGE = Stage("bodies", "pack", Parameters, run)
