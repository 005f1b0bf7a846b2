"""What the same question led to before: what was selected or used for it, while its package looks as it did."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from recollect.learn.detail import read_detail
from recollect.learn.usage import COUNTS
from recollect.ports import Event


def prefetch(events: Iterable[Event], signature: str, root_of: Callable[[str], str]) -> dict[str, int]:
    """Return how often each item was used for a question, by public id."""
    counts: dict[str, int] = {}
    for event in events:
        if event.kind not in COUNTS:
            continue
        detail = read_detail(event.detail)
        if detail.signature == signature and (not detail.root or root_of(detail.path) == detail.root):
            counts[event.item_id] = counts.get(event.item_id, 0) + 1
    return counts
