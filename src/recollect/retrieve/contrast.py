"""What another profile would change in an answer, drawn from the traces of both runs."""

from __future__ import annotations

from typing import Any

from recollect.retrieve.pipeline import Answer


def contrast(first: Answer, second: Answer, limit: int = 20) -> list[dict[str, Any]]:
    """Return every item that is among the first `limit` of one of the two, with its place before and after."""
    places = [
        {row.number: place for place, row in enumerate(answer.candidates, 1)} for answer in (first, second)
    ]
    numbers = [row.number for answer in (first, second) for row in answer.candidates[:limit]]
    rows = []
    for number in dict.fromkeys(numbers):
        item = first.items.get(number) or second.items[number]
        a, b = (place.get(number) for place in places)
        rows.append(
            {
                "id": item.id,
                "name": item.name,
                "path": item.path,
                "before": a,
                "after": b,
                "why": _why(first if b is not None and a is None else second, number, a, b),
            }
        )
    return sorted(rows, key=lambda row: (row["after"] or limit + 1000, row["id"]))


def _why(absent_from: Answer, number: int, a: int | None, b: int | None) -> str:
    if a is not None and b is not None:
        return "" if a == b else f"{'up' if b < a else 'down'} by {abs(a - b)}"
    for stage in reversed(absent_from.trace.stages):
        if number in stage.dropped:
            return f"{absent_from.profile.name} lost it at {stage.key}: {stage.dropped[number]}"
    return f"{absent_from.profile.name} never had it as a candidate"
