"""Signatures first, by value per token; then the texts of the best in their place, shortened where only that fits."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.compress.compressor import Parameters as Compression
from recollect.retrieve.context import Context
from recollect.retrieve.pack._fill import Filling
from recollect.retrieve.packing import Packed, density, node_tokens
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
    top = max((row.score for row in candidates), default=0.0)
    for row in candidates[: parameters.bodies]:
        if row.number in filling.items and row.score >= parameters.body_from * top:
            _show_text(filling, row, parameters)
    filling.take_signatures(order)
    _drop_repeated(filling, order)
    return filling.packed()


def _by_density(filling: Filling, exponent: float) -> list[Candidate]:
    def rank(row: Candidate) -> tuple[float, float, str]:
        item = filling.items[row.number]
        value = density(row.score, node_tokens(item), row.signals.get("walk", 1.0), exponent)
        return (-round(value, 15), -round(row.score, 12), item.id)

    return sorted((row for row in filling.candidates if row.number in filling.items), key=rank)


def _show_text(filling: Filling, row: Candidate, parameters: Parameters) -> None:
    item = filling.items[row.number]
    if filling.shown_by(item) is not None:
        return
    text = filling.body(item)
    if text == filling.signature(item) or filling.show(row, text):
        return
    if parameters.compress:
        short = filling.compressed(item, text, parameters.compression)
        if short.ratio < 1.0 and filling.take(row, short.text, "compressed", len(text)):
            filling.context.trace.note(
                row.number, "; ".join((f"shortened to {short.ratio:.0%}", *short.notes))
            )


def _drop_repeated(filling: Filling, order: list[Candidate]) -> None:
    """Give the tokens of signatures back whose lines a text shows, and fill them."""
    for row in order:
        entry = filling.entries.get(row.number)
        other = filling.shown_by(filling.items[row.number])
        if other is None:
            continue
        if entry is not None:
            filling.left += filling.entries.pop(row.number).tokens
        filling.context.trace.cover(row.number, f"its lines are shown with {other.name or other.path}")
    filling.take_signatures(order, last=True)


STAGE = Stage("bodies", "pack", Parameters, run)
