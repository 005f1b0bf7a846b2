"""For a question that describes a task: ranks the symbols of the best files, however many of one file are needed."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import numpy as np
from msgspec import Struct

from recollect.retrieve.allowed import passes
from recollect.retrieve.context import Context
from recollect.retrieve.pieces import FEATURES, Best, measure, open_file
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import Item


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """From how many words on a question describes a task, how many files are opened, and single other weights."""

    from_words: int = 12
    """Shorter ones look for a place, and one piece of each file says more than many of one."""
    files: int = 15
    types: float = 1.0
    """What a type weighs more than learned: commits change callables, but a task needs to know their types too."""
    weights: dict[str, float] = {}


@cache
def shipped() -> dict[str, float]:
    """Read the weights that were learned (benchmarks/training/pieces.py)."""
    text = files("recollect.retrieve").joinpath("weights", "pieces.toml").read_text(encoding="utf-8")
    weights: dict[str, float] = tomllib.loads(text)["weights"]
    return weights


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Put the symbols of the best files first; everything else follows in its order."""
    if len(context.query.text.split()) < parameters.from_words:
        context.trace.summarise(
            "The question is short, so it looks for a place: one piece of each file comes first."
        )
        return candidates
    known = {**shipped(), **parameters.weights}
    known["type"] = known.get("type", 0.0) + parameters.types
    weights = np.array([known.get(name, 0.0) for name in FEATURES])
    found = {row.number: row for row in candidates}
    best = [
        Best(open_file(context, path), file, rank)
        for rank, (path, file) in enumerate(_best_files(context, candidates, parameters.files))
    ]
    symbols = [item for one in best for item in one.opened.items]
    sums = measure(context, best, found) @ weights if symbols else np.zeros(0)
    weighed = zip(sums.tolist(), symbols, strict=True)
    scored = [(value, item) for value, item in weighed if passes(item, context.query.filters)]
    if not scored:
        return candidates
    top = max(value for value, _ in scored)
    rows = {item.number: _row(found.get(item.number), item, value, top) for value, item in scored}
    for row in rows.values():
        context.trace.note(
            row.number, f"it weighs {row.signals['piece']:.3f} among the symbols of the best files"
        )
    least = min(row.score for row in rows.values())
    rest = [row.scored(row.score * least) for row in candidates if row.number not in rows]
    return context.ordered((*rows.values(), *rest))


def _best_files(context: Context, candidates: Candidates, count: int) -> list[tuple[str, float]]:
    items = context.items(row.number for row in candidates)
    sums = {items[row.number].path: row.signals["file"] for row in candidates if "file" in row.signals}
    return sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))[:count]


def _row(old: Candidate | None, item: Item, value: float, top: float) -> Candidate:
    reason = old.reason if old else "its file and the text around it match"
    signals = old.signals if old else {}
    score = 2.0 / (1.0 + float(np.exp((top - value) / 2.0)))
    return Candidate(item.number, score, reason, {**signals, "piece": value})


STAGE = Stage("pieces", "rerank", Parameters, run)
