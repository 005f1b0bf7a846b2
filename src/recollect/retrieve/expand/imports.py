"""Adds the files that the files of the answer refer to again and again, or that refer to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct

from recollect.retrieve.allowed import is_test, passes
from recollect.retrieve.chunks import chunks_of, file_items
from recollect.retrieve.context import Context
from recollect.retrieve.neighbours import neighbours
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import Item

MUCH = 3
"""References from which on a file counts as surely connected."""


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Which edges are references, how many are needed, how many files there may be, and what the scores are."""

    edges: tuple[str, ...] = ("imports", "references", "calls", "extends", "type_hint_of")
    threshold: int = 2
    files: int = 2
    until: int = 10
    """With so many files in the answer none is added."""
    sure: float = 0.9
    likely: float = 0.7
    per_file: int = 3
    """How many chunks of a file come in."""
    looked_at: int = 200
    """How many items of one file are followed."""


def added_files(present: int, parameters: Parameters | None = None) -> int:
    """Return how many files may come in beside those that are there."""
    chosen = parameters or Parameters()
    return min(chosen.files, max(0, chosen.until - present))


def added_score(
    references: int, top: float, third_quartile: float, parameters: Parameters | None = None
) -> float:
    """Return the score of a file by how often it is referred to."""
    chosen = parameters or Parameters()
    return top * chosen.sure if references >= MUCH else third_quartile * chosen.likely


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Count references between files and bring in the most connected ones, sources before tests."""
    items = context.items(row.number for row in candidates)
    present = dict.fromkeys(item.path for item in items.values() if item.path)
    room = added_files(len(present), parameters)
    if not room or not candidates:
        return candidates
    counts = _references(context, present, parameters)
    homes = {path: item for path in counts if (item := _home(context, path)) is not None}
    chosen = sorted(
        (
            path
            for path, item in homes.items()
            if counts[path] >= parameters.threshold and _allowed(context, item)
        ),
        key=lambda path: (is_test(homes[path]), -counts[path], path),
    )[:room]
    top = max(row.score for row in candidates)
    quartile = float(np.percentile([row.score for row in candidates], 75))
    rows = list(candidates)
    for path in chosen:
        score = added_score(counts[path], top, quartile, parameters)
        reason = f"{counts[path]} references connect {path} with the files above"
        for item in _shown(context, path, parameters.per_file):
            if item.number not in items:
                rows.append(Candidate(item.number, score, reason, {"references": float(counts[path])}))
    return context.ordered(rows)


def _references(context: Context, present: Mapping[str, None], parameters: Parameters) -> dict[str, int]:
    """Return how many references connect each other file with the present ones, in either direction."""
    files_of = {
        item.number: path for path in present for item in file_items(context, path)[: parameters.looked_at]
    }
    seen = {
        (files_of[row.of] if row.type == "imports" else str(row.of), row.number, row.type)
        for incoming in (False, True)
        for row in neighbours(context, files_of, parameters.edges, incoming)
    }
    ends = context.items(sorted({number for _, number, _ in seen}))
    counts: dict[str, int] = {}
    for _, number, sort in seen:
        item = ends.get(number)
        # An import is one edge to the file and one to each name; it is one reference.
        if item is None or item.path in present or (sort == "imports" and item.kind != "file"):
            continue
        if item.path:
            counts[item.path] = counts.get(item.path, 0) + 1
    return counts


def _home(context: Context, path: str) -> Item | None:
    return next(iter(file_items(context, path)), None)


def _allowed(context: Context, item: Item) -> bool:
    return passes(item, context.query.filters)


def _shown(context: Context, path: str, most: int) -> Sequence[Item]:
    """Return what stands for a file: its first chunks, or the file itself."""
    return chunks_of(context, path)[:most] or _first(file_items(context, path))


def _first(items: Iterable[Item]) -> Sequence[Item]:
    return [item for item in items if item.kind == "file"][:1]


STAGE = Stage("imports", "expand", Parameters, run)
