"""Memories by time, newest first, with what is linked to each: what a person looks through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from recollect.memory import show
from recollect.memory.narrow import Narrow, allowed
from recollect.memory.relate import PASSIVE
from recollect.store.memories import MemoryRow
from recollect.store.memory_port import MemoryReader
from recollect.store.shelf import Shelf
from recollect.types import Item


@dataclass(frozen=True, slots=True)
class Timeline:
    """One page of memories, newest first."""

    items: tuple[Item, ...]
    """Each tells under `links` what it is to others and what they are to it."""
    total: int
    """How many there are on all pages."""


def timeline(reader: MemoryReader, shelf: Shelf, chosen: Narrow, now: int, page: tuple[int, int]) -> Timeline:
    """Return one page, given as its first place and its length, of the memories that may be shown."""
    mask = allowed(shelf, reader, chosen, now)
    rows = np.arange(len(shelf)) if mask is None else np.flatnonzero(mask)
    order = np.lexsort((-shelf.column("number")[rows], -shelf.column("created")[rows]))
    first, length = page
    numbers = shelf.column("number")[rows[order[first : first + length]]]
    found = reader.memories([int(number) for number in numbers])
    return Timeline(tuple(show.item(row, {"links": linked(reader, row)}) for row in found), len(rows))


def linked(reader: MemoryReader, row: MemoryRow) -> list[dict[str, Any]]:
    """Return what a memory is to others and what they are to it, each with the title and status of the other."""
    told = []
    for link in reader.links(row.uid):
        if link.type == "mentions":
            continue
        outgoing = link.source == row.uid
        other = reader.memory(link.target if outgoing else link.source)
        told.append(
            {
                "relation": link.type.replace("_", " ") if outgoing else PASSIVE[link.type],
                "type": link.type,
                "outgoing": outgoing,
                "id": show.public_id(link.target if outgoing else link.source),
                "title": "" if other is None else show.title(other.text),
                "status": "" if other is None else other.status,
            }
        )
    return told
