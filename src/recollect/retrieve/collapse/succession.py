"""Puts what supersedes a memory before it, also when its own words did not lead to it."""

from __future__ import annotations

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.stage import NoParameters, Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.store.memories import NEVER, MemoryRow
from recollect.store.view import MemoryView


def run(context: Context, _: NoParameters, candidates: Candidates) -> Candidates:
    """Insert successors and never let a later one have a higher score."""
    view, limit = asked(context).view, context.query.limit or 1
    known = {row.number: row for row in candidates}
    ordered: dict[int, Candidate] = {}
    for memory in view.reader.memories(list(known)):
        one = known[memory.number]
        if memory.number in ordered:
            continue
        for newer in _successors(view, memory):
            if newer.number not in ordered:
                found = known.get(newer.number) or Candidate(newer.number, 0.0, "supersedes a hit")
                ordered[newer.number] = found.scored(
                    max(found.score, one.score), succession__newer=float(newer.number not in known)
                )
        ordered[memory.number] = one
    best = 1.0
    rows = []
    for row in list(ordered.values())[:limit]:
        best = min(best, row.score)
        rows.append(row if row.score == best else row.scored(best))
    return tuple(rows)


def _successors(view: MemoryView, memory: MemoryRow) -> list[MemoryRow]:
    """Return what stands in the place of a memory now, newest first."""
    chain: list[MemoryRow] = []
    # Only a date that was asked for hides a link: the clock may have gone backwards since it was made.
    known_by = view.moment if view.dated else NEVER
    current, seen = memory, {memory.uid}
    while current.status == "superseded":
        links = [
            link
            for link in view.reader.links(current.uid)
            if link.type == "supersedes" and link.target == current.uid and link.created <= known_by
        ]
        newer = view.reader.memory(links[-1].source) if links else None
        if newer is None or newer.uid in seen or (newer.expires or view.moment + 1) <= view.moment:
            break
        seen.add(newer.uid)
        chain.append(newer)
        current = newer
    return chain[::-1]


STAGE = Stage("succession", "collapse", NoParameters, run)
