"""Takes words out of what events noted of questions, when what they lead to was forgotten."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from typing import Any

_AT_ONCE = 500


def silenced(events: Iterable[tuple[int, str]], words: Collection[str]) -> list[tuple[int, str]]:
    """Return number and new detail of the events whose detail holds any of some words in any case."""
    known = sorted(words)
    patterns = [
        re.compile("|".join(map(re.escape, known[at : at + _AT_ONCE])), re.IGNORECASE)
        for at in range(0, len(known), _AT_ONCE)
    ]
    found = []
    for number, detail in events:
        if any(pattern.search(detail) for pattern in patterns):
            kept = _without(json.loads(detail), patterns)
            found.append((number, json.dumps(kept, ensure_ascii=False, separators=(",", ":"))))
    return found


def _without(value: Any, patterns: Collection[re.Pattern[str]]) -> Any:
    if isinstance(value, list):
        return [_without(one, patterns) for one in value if not _holds(one, patterns)]
    if isinstance(value, dict):
        return {key: _without(one, patterns) for key, one in value.items() if not _holds(one, patterns)}
    return value


def _holds(value: Any, patterns: Collection[re.Pattern[str]]) -> bool:
    return isinstance(value, str) and any(pattern.search(value) for pattern in patterns)
