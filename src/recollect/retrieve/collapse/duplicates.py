"""Of several candidates with the same text, or lines inside those of a better one, the best is enough."""

from __future__ import annotations

from hashlib import blake2b

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates
from recollect.types import Item


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What counts as the same."""

    texts: bool = True
    """Equal texts, but for space, in different places."""
    lines: bool = True
    """Lines that a better candidate of the same sort covers."""
    shortest: int = 40
    """Letters that a text must have before it can repeat another."""


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Keep the first of each."""
    items = context.items(row.number for row in candidates)
    text_of = context.services.get("text")
    seen: dict[bytes, Item] = {}
    covered: dict[tuple[str, str], list[Item]] = {}
    rows = []
    for row in candidates:
        item = items[row.number]
        places = covered.setdefault((item.path, item.kind), [])
        other = next((at for at in places if parameters.lines and _covers(at, item)), None)
        text = text_of(item) if parameters.texts and text_of is not None else None
        key = _key(text, parameters.shortest) if text else b""
        other = other or (seen.get(key) if key else None)
        if other is not None:
            context.trace.drop(row.number, f"{other.path}:{other.start_line} says the same")
            continue
        places.append(item)
        if key:
            seen[key] = item
        rows.append(row)
    return tuple(rows)


def _covers(other: Item, item: Item) -> bool:
    return bool(item.start_line) and other.start_line <= item.start_line and item.end_line <= other.end_line


def _key(text: str, shortest: int) -> bytes:
    plain = " ".join(text.split())
    return (
        blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if len(plain) >= shortest
        else b""
    )


STAGE = Stage("duplicates", "collapse", Parameters, run)
