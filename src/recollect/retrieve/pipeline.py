"""The one pipeline: channels, fuse, filter, expand, boost, rerank, collapse, pack, record, as a profile names them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from recollect.retrieve.context import Context, Items
from recollect.retrieve.packing import Packed
from recollect.retrieve.profile import Profile, StageUse
from recollect.retrieve.trace import Trace
from recollect.retrieve.values import Candidates, Query, Ranked
from recollect.types import Item


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run of the pipeline came to, with the trace of how."""

    query: Query
    profile: Profile
    candidates: Candidates
    packed: Packed | None
    items: Mapping[int, Item]
    trace: Trace
    channels: tuple[str, ...]
    """Channels that contributed."""
    degraded: tuple[str, ...]


def run(context: Context, profile: Profile, pack: bool = True) -> Answer:
    """Answer a query by a profile; without `pack` the ranked candidates are the answer."""
    context = replace(context, trace=Trace())
    lists = tuple(_channel(context, use) for use in profile.of("channel"))
    context.trace.ranked = lists
    candidates = _fuse(context, profile, lists)
    for phase in profile.order:
        for use in profile.of(phase):
            candidates = _step(context, use, candidates)
    packed = _pack(context, profile, candidates) if pack else None
    for use in profile.of("record"):
        record = context.trace.begin(use.key, candidates)
        started = time.perf_counter()
        use.stage.run(context, use.parameters, candidates, packed)
        record.seconds = time.perf_counter() - started
    return Answer(
        query=context.query,
        profile=profile,
        candidates=candidates,
        packed=packed,
        items=Items(context, candidates),
        trace=context.trace,
        channels=(*(ranked.channel for ranked in lists if ranked.hits), *context.trace.contributed),
        degraded=tuple(f"{key}: {reason}" for key, reason in context.trace.degradations.items()),
    )


def _channel(context: Context, use: StageUse) -> Ranked:
    record = context.trace.begin(use.key)
    started = time.perf_counter()
    hits: Candidates = use.stage.run(context, use.parameters) if use.weight else ()
    record.seconds = time.perf_counter() - started
    record.after = hits
    return Ranked(use.name, use.weight, hits, context.trace.degradations.get(use.key, ""))


def _fuse(context: Context, profile: Profile, lists: tuple[Ranked, ...]) -> Candidates:
    (use,) = profile.of("fuse")
    record = context.trace.begin(use.key)
    started = time.perf_counter()
    candidates: Candidates = use.stage.run(context, use.parameters, lists)
    record.seconds = time.perf_counter() - started
    record.after = candidates
    return candidates


def _step(context: Context, use: StageUse, candidates: Candidates) -> Candidates:
    record = context.trace.begin(use.key, candidates)
    started = time.perf_counter()
    after: Candidates = use.stage.run(context, use.parameters, candidates)
    record.seconds = time.perf_counter() - started
    record.after = after
    return after


def _pack(context: Context, profile: Profile, candidates: Candidates) -> Packed | None:
    for use in profile.of("pack"):
        record = context.trace.begin(use.key, candidates)
        started = time.perf_counter()
        packed: Packed = use.stage.run(context, use.parameters, candidates)
        record.seconds = time.perf_counter() - started
        record.after = tuple(entry.candidate for entry in packed.entries)
        return packed
    return None
