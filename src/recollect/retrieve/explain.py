"""Why an item ranks where it does, or is not there; drawn from the trace of the same run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect.errors import NotFoundError
from recollect.graph.near import missing
from recollect.ports import Filters, Reader
from recollect.retrieve.allowed import against
from recollect.retrieve.pipeline import Answer
from recollect.retrieve.remedy import remedy
from recollect.retrieve.trace import StageTrace
from recollect.types import PLACE_KINDS, Explanation, Item, Step


def why(answer: Answer, reader: Reader, symbol: str) -> Explanation:
    """Explain a symbol that is called by name, path or id."""
    item = _best_known(answer, _standing(answer, reader, _named(reader, symbol)))
    steps = tuple(_steps(answer, item.number))
    rank = _place((row.number for row in answer.candidates), item.number)
    packed = answer.packed is not None and (
        any(entry.item.number == item.number for entry in answer.packed.entries)
        or _covered(answer, item.number) is not None
    )
    lost = _lost(answer, item.number) if rank is None or (answer.packed is not None and not packed) else None
    verdict, keep = _verdict(answer, item, rank, lost)
    return Explanation(
        query_id=answer.query.id,
        profile=answer.profile.name,
        id=item.id,
        name=item.name,
        path=item.path,
        rank=rank,
        packed=packed,
        verdict=verdict,
        lost_at=_lost_at(answer, item, rank, lost),
        keep=keep,
        steps=steps,
    )


def _named(reader: Reader, symbol: str) -> Sequence[Item]:
    by_id = reader.item(symbol)
    if by_id is not None:
        return (by_id,)
    found = [item for item in reader.find(symbol, Filters(), 50) if item.kind not in PLACE_KINDS]
    found = found or list(reader.find(symbol, Filters(), 50))
    if not found:
        raise NotFoundError(missing(reader, symbol))
    return found


def _standing(answer: Answer, reader: Reader, items: Sequence[Item]) -> Sequence[Item]:
    """Return the items, or the chunks that define them where only chunks were ranked."""
    ranked = {row.number for stage in answer.trace.stages for row in (*stage.before, *stage.after)}
    if any(item.number in ranked for item in items):
        return items
    chunks = [
        replace(chunk, name=f"the chunk with {item.name}")
        for item in items
        for chunk in reader.items_of(item.path)
        if chunk.kind == "chunk" and chunk.start_line <= item.start_line <= chunk.end_line
    ]
    return [chunk for chunk in chunks if chunk.number in ranked] or items


def _best_known(answer: Answer, items: Sequence[Item]) -> Item:
    """Of several items of one name, return the one that came furthest."""
    places = {row.number: place for place, row in enumerate(answer.candidates)}
    ranked = [item for item in items if item.number in places]
    if ranked:
        return min(ranked, key=lambda item: places[item.number])
    depth = {
        item.number: sum(stage.position(item.number) is not None for stage in answer.trace.stages)
        for item in items
    }
    return max(items, key=lambda item: depth[item.number])


def _steps(answer: Answer, number: int) -> Iterable[Step]:
    for ranked in answer.trace.ranked:
        stage = answer.trace.of(f"channel.{ranked.channel}")
        if stage is None or not ranked.weight:
            continue
        place = stage.position(number)
        row = stage.candidate(number)
        if row is not None:
            yield Step(stage.key, place, row.score, f"ranked {place} of {len(stage.after)}: {row.reason}")
        else:
            said = f"did not find it among its {len(stage.after)}" if stage.after else "found nothing"
            yield Step(stage.key, None, None, ranked.degraded or said)
    for stage in answer.trace.stages:
        if stage.phase not in {"channel", "record"}:
            step = _step(stage, number)
            if step is not None:
                yield step


def _step(stage: StageTrace, number: int) -> Step | None:
    before, after = stage.candidate(number, before=True), stage.candidate(number)
    if number in stage.dropped and after is None:
        said = "shown" if number in stage.covered else "lost"
        return Step(stage.key, None, None, f"{said}: {stage.dropped[number]}")
    if after is None:
        return Step(stage.key, None, None, "lost") if before is not None and stage.phase != "pack" else None
    place = stage.position(number)
    text = stage.notes.get(number, "")
    if before is None and stage.phase != "fuse":
        text = text or f"brought in: {after.reason}"
    new = {} if before is None else before.signals
    measured = [
        f"{key} {value:.4g}"
        for key, value in after.signals.items()
        if new.get(key) != value and not any(f"{value:{form}}" in text for form in (".3f", ".4g"))
    ]
    if (
        stage.phase != "fuse"
        and before is not None
        and not text
        and before.score == after.score
        and not measured
    ):
        if stage.phase != "pack":
            return None
        text = "it fits"
    if stage.phase in {"expand", "rerank", "boost"} and measured:
        text = "; ".join(part for part in (text, ", ".join(measured)) if part)
    added = {name: part[number] for name, part in stage.parts.items() if number in part}
    terms = added | dict(stage.details.get(number, {}))
    return Step(
        stage.key, place, after.score, text or ("fused" if stage.phase == "fuse" else "scored"), terms
    )


def _lost(answer: Answer, number: int) -> StageTrace | None:
    """Return the last stage that took the item out, or None when none ever had it."""
    lost = [
        stage for stage in answer.trace.stages if number in stage.dropped and stage.candidate(number) is None
    ]
    later = {id(stage) for stage in answer.trace.stages if stage.candidate(number) is not None}
    last = max((place for place, stage in enumerate(answer.trace.stages) if id(stage) in later), default=-1)
    after = [stage for stage in lost if answer.trace.stages.index(stage) >= last]
    chosen = after or lost
    return chosen[-1] if chosen else None


def _lost_at(answer: Answer, item: Item, rank: int | None, lost: StageTrace | None) -> str:
    if rank is None and against(item, answer.query.filters):
        return "filters"
    return "" if lost is None else lost.key


def _covered(answer: Answer, number: int) -> StageTrace | None:
    """Return the stage that left an item out because another one shows its lines."""
    return next((stage for stage in answer.trace.stages if number in stage.covered), None)


def _verdict(
    answer: Answer, item: Item, rank: int | None, lost: StageTrace | None
) -> tuple[str, tuple[str, ...]]:
    if lost is None and rank is not None:
        band = _band(answer.candidates[rank - 1].score)
        shown = _covered(answer, item.number)
        where = f"; {shown.dropped[item.number]}" if shown is not None else ""
        ahead = f" {_ahead(answer, rank)}" if rank > 1 else ""
        said = f"{called(item)} is number {rank} of {len(answer.candidates)}; its score is {band}{where}."
        return said + ahead, ()
    if rank is None and (reason := against(item, answer.query.filters)):
        return f"{called(item)} is left out by a filter of the query: {reason}.", (
            "Ask without that filter.",
        )
    keep = remedy(answer, item, lost)
    if lost is None:
        return (
            f"{item.name} was never a candidate: no channel found it and the graph does not lead to it.",
            keep,
        )
    winners = [row for row in lost.after if row.number in answer.items or lost.phase != "pack"][:3]
    names = ", ".join(called(answer.items[row.number]) for row in winners if row.number in answer.items)
    to_whom = (
        f" Ahead of it were {names}."
        if names and lost.phase in {"fuse", "expand", "pack", "collapse"}
        else ""
    )
    return f"{item.name} was lost at {lost.key}: {lost.dropped[item.number]}.{to_whom}", keep


def _ahead(answer: Answer, rank: int) -> str:
    """Say what is first, and what it has that this one lacks: the terms of its score where there are any."""
    first, mine = answer.candidates[0], answer.candidates[rank - 1]
    item = answer.items.get(first.number)
    if item is None:
        return ""
    name = called(item)
    said = f"Number 1 is {name}{f' in {item.path}' if item.path not in name else ''}"
    scored = [stage for stage in answer.trace.stages if {first.number, mine.number} <= stage.details.keys()]
    if not scored:
        return f"{said}, {first.score:.2f} against {mine.score:.2f}."
    best, own = (scored[-1].details[row.number] for row in (first, mine))
    more = sorted(((best[term] - own.get(term, 0.0), term) for term in best), reverse=True)[:2]
    told = ", ".join(f"{term} {value:+.4g}" for value, term in more if value > 0)
    return f"{said}, {first.score:.2f} against {mine.score:.2f}{f', most by {told}' if told else ''}."


def called(item: Item) -> str:
    """Return the name of an item, or the lines that it is when it has none."""
    return item.name or f"{item.path}:{item.start_line}-{item.end_line}"


def _band(score: float) -> str:
    for least, name in ((0.70, "high"), (0.40, "moderate"), (0.20, "peripheral")):
        if score >= least:
            return name
    return "low"


def _place(numbers: Iterable[int], number: int) -> int | None:
    return next((place for place, other in enumerate(numbers, 1) if other == number), None)
