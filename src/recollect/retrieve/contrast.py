"""What another profile would change in an answer, drawn from the traces of both runs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from recollect.retrieve.explain import called
from recollect.retrieve.pipeline import Answer

_ASIDE = frozenset({"channel", "pack", "record"})


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
                "name": called(item),
                "path": item.path,
                "before": a,
                "after": b,
                "why": _why((first, second), number, a, b),
            }
        )
    return sorted(rows, key=lambda row: (row["after"] or limit + 1000, row["id"]))


def _why(answers: tuple[Answer, Answer], number: int, a: int | None, b: int | None) -> str:
    first, second = answers
    if a is not None and b is not None:
        moved = f"{'up' if b < a else 'down'} by {abs(a - b)}"
        return "" if a == b else f"{moved}: {_turn(first, second, number)}"
    absent, present = (first, second) if a is None else (second, first)
    for stage in reversed(absent.trace.stages):
        if number in stage.dropped:
            return f"{absent.profile.name} lost it at {stage.key}: {stage.dropped[number]}"
    origin = _origin(present, number)
    return f"{absent.profile.name} never had it as a candidate; {present.profile.name} has it from {origin}"


def _turn(first: Answer, second: Answer, number: int) -> str:
    """Say which stage of the second answer moved an item most, or how differently both began."""
    places = _places(second, number)
    start, other = places[0], _places(first, number)[0]
    jumps = [(abs(b[1] - a[1]), a, b) for a, b in pairwise(places)]
    size, before, after = max(jumps, default=(0, start, start), key=lambda jump: jump[0])
    if size > abs(start[1] - other[1]):
        return f"{second.profile.name} had it at #{before[1]} until {after[0]} put it at #{after[1]}"
    return (
        f"{second.profile.name} began with it at #{start[1]} (from {_origin(second, number)}), "
        f"{first.profile.name} at #{other[1]} (from {_origin(first, number)})"
    )


def _places(answer: Answer, number: int) -> list[tuple[str, int]]:
    """Return the place of an item after every stage that had it, from fusion on."""
    found = (
        (stage.key, stage.position(number)) for stage in answer.trace.stages if stage.phase not in _ASIDE
    )
    return [(key, place) for key, place in found if place is not None]


def _origin(answer: Answer, number: int) -> str:
    """Name the channels that found an item, or the first stage that brought it in."""
    channels = [
        ranked.channel for ranked in answer.trace.ranked if any(hit.number == number for hit in ranked.hits)
    ]
    return ", ".join(channels) or next((key for key, _ in _places(answer, number)), "nowhere")
