"""What a retriever has to say besides its answers, counted instead of repeated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

_PLACE = re.compile(r"^(?:\S+|[^:]*\.\w+): (?=\S)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
MOST = 20
"""How many different notes are kept of one corpus, the most frequent first."""


def shape(note: str) -> str:
    """Return a note without the file that it is about and with its numbers left open, so that like notes are one."""
    return _NUMBER.sub("…", _PLACE.sub("", note))


def counted(notes: Mapping[str, int] | Iterable[str]) -> dict[str, int]:
    """Return the most frequent notes with how often each was made, in a fixed order."""
    rows = sorted(Counter(notes).items(), key=lambda row: (-row[1], row[0]))
    return dict(rows[:MOST])


def sentences(parts: Sequence[Mapping[str, int]]) -> list[str]:
    """Return one sentence for each different note of several corpora."""
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    places = {note: sum(note in part for part in parts) for note in total}
    return [_sentence(note, count, places[note], len(parts)) for note, count in counted(total).items()]


def _sentence(note: str, count: int, places: int, of: int) -> str:
    if count == 1:
        return note
    where = f" in {places} of {of} parts" if of > 1 else ""
    return f"{count:,} times{where}: {note}"
