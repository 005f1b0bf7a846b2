"""Turns ranked memories into hits, each with its reasons, its links and where it comes from."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.memory import show
from recollect.memory.code import Code
from recollect.memory.relate import PASSIVE
from recollect.memory.times import shown
from recollect.store.memories import LinkRow, MemoryRow
from recollect.store.memory_port import MemoryReader
from recollect.store.view import RankedMemories, RankedMemory
from recollect.types import Hit, Hits

DOUBTFUL = 0.3
"""When it is less likely than this that any hit answers the question, an answer says so."""
_SAID = ("supersedes", "contests", "resolves")


def answer(reader: MemoryReader, ranked: RankedMemories, moment: int, known: int, code: Code | None) -> Hits:
    """Return the hits of a ranking; `known` is how many memories there are at all."""
    links = reader.links_by(one.row.uid for one in ranked.memories)
    hits = tuple(_hit(one, links[one.row.uid], ranked.query_id, moment, code) for one in ranked.memories)
    notes = (*_notes(known, hits, ranked.confidence), *ranked.degraded)
    return Hits(ranked.query_id, ranked.profile, ranked.channels, notes, hits)


def _hit(one: RankedMemory, links: Sequence[LinkRow], query_id: str, moment: int, code: Code | None) -> Hit:
    row = one.row
    reasons = [*one.reasons, *_link_reasons(row, links)]
    if one.alike:
        reasons.append(f"{one.alike} more that say the same")
    if row.valid_until is not None and row.valid_until < moment:
        reasons.append(f"was valid until {shown(row.valid_until)}")
    if code is not None:
        reasons += code.news([link for link in links if link.type == "mentions" and link.source == row.uid])
    return Hit(
        id=show.public_id(row.uid),
        domain="memory",
        kind=row.kind,
        name=show.title(row.text),
        path=row.source,
        start_line=0,
        end_line=0,
        text=row.text,
        score=one.score,
        confidence=one.confidence,
        reasons=(*reasons, provenance(row)),
        query_id=query_id,
        stale=any("changed since" in reason or "no longer in the code" in reason for reason in reasons),
    )


def provenance(row: MemoryRow) -> str:
    """Return who said something, when and where, in one phrase."""
    said = f"{row.kind} of {(shown(row.created) or '')[:10]}"
    said += f" by {row.author}" if row.author else ""
    said += f" in session {row.session}" if row.session else ""
    said += f" from {row.source}" if row.source else ""
    return said + (f", said {row.seen} times" if row.seen > 1 else "")


def _link_reasons(row: MemoryRow, links: Sequence[LinkRow]) -> list[str]:
    return [
        f"{PASSIVE[link.type]} {show.public_id(link.source)}"
        for link in links
        if link.target == row.uid and link.type in _SAID
    ]


def _notes(known: int, hits: Sequence[Hit], likely: float) -> tuple[str, ...]:
    if not known:
        return ("There are no memories here yet; remember stores one.",)
    if not hits:
        return ("Nothing relevant: no memory that may be shown holds any word of the question.",)
    if likely < DOUBTFUL:
        return (f"Probably nothing relevant: that any of these answers the question is {likely:.0%} likely.",)
    return ()
