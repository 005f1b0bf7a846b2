"""A packed answer as text that never costs more than its budget, whatever it was packed for."""

from __future__ import annotations

from recollect.errors import UsageError
from recollect.retrieve.formats import lines, markdown, records, tags, text
from recollect.retrieve.formats.block import Count, Format, clean, packed_block
from recollect.types import Pack, PackItem

FORMATS: dict[str, Format] = {
    module.FORMAT.name: module.FORMAT for module in (text, markdown, tags, records, lines)
}


def format_named(name: str) -> Format:
    """Return a format; it is also the framing that a packer is given."""
    if name not in FORMATS:
        raise UsageError(f"There is no format '{name}'; the formats are {', '.join(FORMATS)}.")
    return FORMATS[name]


def write(pack: Pack, name: str, count: Count) -> str:
    """Write a pack; entries that this format has no room for are left out, the worst first."""
    chosen = format_named(name)
    blocks = [chosen.block(packed_block(item)) for item in pack.items]
    kept = _fitting(chosen, blocks, pack.budget, count)
    said = [clean(text) for text in dict.fromkeys((*pack.notes, *pack.degraded))]
    while True:
        omitted = pack.omitted + len(blocks) - len(kept)
        end = chosen.notes(omitted, said, chosen.tail)
        order = kept if chosen.order == "rank" else sorted(kept, key=lambda at: _place(pack.items[at]))
        whole = chosen.head + _joined(chosen, [blocks[at] for at in order]) + end
        if count(whole) <= pack.budget:
            return whole
        if said:
            said.pop()
        elif kept:
            kept.pop()
        else:
            return _smallest(chosen, pack.budget, count)


def _fitting(chosen: Format, blocks: list[str], budget: int, count: Count) -> list[int]:
    """Return the positions of what fits, best first; what is too large gives way to what comes after it."""
    left = budget - chosen.overhead(count)
    kept = []
    for at, block in enumerate(blocks):
        cost = count(block)
        if cost <= left:
            left -= cost
            kept.append(at)
    return kept


def _joined(chosen: Format, blocks: list[str]) -> str:
    whole = "".join(blocks)
    return whole.removesuffix(",\n") + "\n" if chosen.name == "json" and blocks else whole


def _smallest(chosen: Format, budget: int, count: Count) -> str:
    empty = chosen.head + chosen.tail
    return empty if count(empty) <= budget else ""


def _place(item: PackItem) -> tuple[str, int, int, str]:
    return (item.hit.path, item.hit.start_line, item.hit.end_line, item.hit.id)
