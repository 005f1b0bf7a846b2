"""Memories beside the code of an answer: what answers the same task, and what names the code that is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from recollect.errors import StoreError
from recollect.retrieve.formats.block import Count, Format, packed_block
from recollect.types import Hit, Hits, Pack, PackItem

SHARE = 0.2
"""Of a budget, what memories may cost at most; the rest is for the code."""
MOST = 4
"""Memories in one answer; who wants more calls recall."""
NAMED = 8
"""Of what answers a task, the first so many are looked up by name; of given files everything is."""
WORTH = 0.08
"""From this likelihood that it answers the task a memory is put beside code: it costs little there."""

Recall = Callable[..., Hits]


def with_memories(pack: Pack, task: str, recall: Recall, framing: Format, count: Count) -> Pack:
    """Put memories in front of the code and take as much of its end away as they cost over the budget."""
    try:
        relevant = _relevant(pack, task, recall)
    except StoreError as error:
        # What the code says is worth having without them.
        return replace(pack, degraded=(*pack.degraded, f"No memories are beside the code: {error}"))
    noted = _fitting(relevant, int(pack.budget * SHARE), framing, count)
    if not noted:
        return pack
    items, tokens = list(pack.items), pack.tokens + sum(one.tokens for one in noted)
    while items and tokens > pack.budget:
        tokens -= items.pop().tokens
    omitted = pack.omitted + len(pack.items) - len(items)
    return replace(pack, items=(*noted, *items), tokens=tokens, omitted=omitted)


def _relevant(pack: Pack, task: str, recall: Recall) -> list[Hit]:
    """Return memories that hold enough of the task, then those that name what is shown; none that is outdated."""
    hits = [item.hit for item in (pack.items[:NAMED] if task.strip() else pack.items)]
    names = list(dict.fromkeys(name for hit in hits for name in (hit.name, hit.path) if name))
    asked = task.strip() or " ".join(names)
    if not asked:
        return []
    found = [hit for hit in recall(asked, limit=MOST).hits if hit.confidence >= WORTH]
    if names:
        found += recall(f"{asked} {' '.join(names)}", limit=MOST, mentions=names).hits
    by_id = {hit.id: hit for hit in found if not _outdated(hit)}
    return list(by_id.values())[:MOST]


def _outdated(hit: Hit) -> bool:
    return any(reason.startswith(("superseded by", "was valid until")) for reason in hit.reasons)


def _fitting(hits: Iterable[Hit], budget: int, framing: Format, count: Count) -> Sequence[PackItem]:
    kept: list[PackItem] = []
    for hit in hits:
        item = PackItem(hit, signature="", tokens=0, form="body")
        cost = count(framing.block(packed_block(item)))
        if cost <= budget:
            budget -= cost
            kept.append(replace(item, tokens=cost))
    return kept
