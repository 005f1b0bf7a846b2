"""Which items were used for which words; a word counts once for each question."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from recollect.learn.detail import read_detail
from recollect.ports import Event

USEFUL = frozenset({"selected", "used"})


def vocabulary(
    events: Iterable[Event], words: Iterable[str], root_of: Callable[[str], str]
) -> dict[str, dict[str, int]]:
    """Return for each word the items that were used for it, with how often, while their packages look as they did."""
    wanted = set(words)
    seen: set[tuple[str, str, str, float]] = set()
    learned: dict[str, dict[str, int]] = {}
    for event in events:
        if event.kind not in USEFUL:
            continue
        detail = read_detail(event.detail)
        shared = wanted.intersection(detail.words)
        if not shared or (detail.root and root_of(detail.path) != detail.root):
            continue
        for word in sorted(shared):
            key = (event.query_id, event.item_id, word, event.time)
            if key not in seen:
                seen.add(key)
                row = learned.setdefault(word, {})
                row[event.item_id] = row.get(event.item_id, 0) + 1
    return learned
