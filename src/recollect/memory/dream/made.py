"""What dreams make: reflections of clusters, and cards of what many memories name."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.memory import similar
from recollect.memory.dream.rules import rules
from recollect.memory.show import public_id
from recollect.memory.signs import signs
from recollect.memory.times import shown
from recollect.store.ids import uid_from
from recollect.store.memories import MemoryRow

Cut = Callable[[str], list[str]]
SOURCE = "dream"


class Made(NamedTuple):
    """A memory made of others."""

    row: MemoryRow
    members: tuple[int, ...]
    """Uids."""


def reflection(
    rows: Sequence[MemoryRow], phrases: Sequence[str], cohesion: float, stem: Cut, now: int
) -> Made:
    """Return the reflection of a cluster, whose most central members come first."""
    members = tuple(sorted(row.uid for row in rows))
    quoted = [_quote(row) for row in rows[: int(rules()["reflection"]["quotes"])]]
    head = f"On {', '.join(phrases)}: {len(rows)} memories{_span(rows)}."
    more = {"keyphrases": list(phrases), "cohesion": round(cohesion, 4)}
    text = "\n".join((head, *quoted))
    made = _row(text, "reflection", rows, more, stem(text))
    return Made(made._replace(uid=uid_from("memory", "reflection", *map(str, members)), created=now), members)


def card(kind: str, name: str, rows: Sequence[MemoryRow], company: Counter[str], stem: Cut, now: int) -> Made:
    """Return the card of something that many memories name."""
    members = tuple(sorted(row.uid for row in rows))
    numbers = rules()["card"]
    others = [other for other, _ in sorted(company.items(), key=lambda pair: (-pair[1], pair[0]))]
    head = f"{name} ({kind}): named by {len(rows)} memories{_span(rows)}."
    near = f"Together with {', '.join(others[: int(numbers['company'])])}." if others else ""
    best = sorted(rows, key=lambda row: (-row.importance, -row.created, row.uid))[: int(numbers["quotes"])]
    text = "\n".join(filter(None, (head, near, *map(_quote, best))))
    made = _row(text, "entity", rows, {"entity": f"{kind}:{name}"}, stem(text))
    return Made(
        made._replace(uid=uid_from("memory", "entity", kind, name, *map(str, members)), created=now), members
    )


def _row(
    text: str, kind: str, rows: Sequence[MemoryRow], more: Mapping[str, Any], words: Sequence[str]
) -> MemoryRow:
    members = sorted(row.uid for row in rows)
    metadata = {"members": [public_id(uid) for uid in members], **more}
    sketch, too = similar.sketches(words, text)
    return MemoryRow(
        uid=0, text=text, kind=kind, layer="semantic", priority=3, status="active",
        importance=round(sum(row.importance for row in rows) / len(rows)),
        trust=round(rules()["reflection"]["trust"] * 100),
        session="", position=None, author="", source=SOURCE, created=0, updated=None, accessed=None,
        valid_from=None, valid_until=None, expires=None, seen=1, words=len(words), signs=signs(text),
        sketch=sketch, sketch_too=too, tags=(), metadata=json.dumps(metadata, ensure_ascii=False),
    )  # fmt: skip


def _quote(row: MemoryRow) -> str:
    most = int(rules()["reflection"]["quote_length"])
    line = " ".join(row.text.split())
    line = line if len(line) <= most else f"{line[: most - 1].rstrip()}\u2026"
    return f"- {row.author}: {line}" if row.author else f"- {line}"


def _span(rows: Sequence[MemoryRow]) -> str:
    days = sorted((shown(row.created) or "")[:10] for row in rows)
    return f", {days[0]}" if days[0] == days[-1] else f", {days[0]} to {days[-1]}"
