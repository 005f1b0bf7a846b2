"""For a question that describes a task: ranks the symbols of the best files, however many of one file are needed."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import numpy as np
from msgspec import Struct

from recollect.retrieve.allowed import passes
from recollect.retrieve.context import Context
from recollect.retrieve.distinct import first_of_each, places_among
from recollect.retrieve.pieces import FEATURES, Best, Defined, measured, open_file
from recollect.retrieve.ranking import Notes, Ranking, joined, ranking_of
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """From how many words on a question describes a task, how many files are opened, and single other weights."""

    from_words: int = 12
    """Shorter ones look for a place, and one piece of each file says more than many of one."""
    files: int = 15
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
    weights = np.array([known.get(name, 0.0) for name in FEATURES])
    found = ranking_of(candidates)
    best = [
        Best(open_file(context, path), file, rank)
        for rank, (path, file) in enumerate(_best_files(context, found, parameters.files))
    ]
    if not sum(len(one.opened.rows) for one in best):
        return candidates
    order = np.argsort(found.numbers)
    defined = Defined(found.numbers[order], found.signal("definition")[order])
    values = measured(context, best, defined) @ weights
    numbers = np.concatenate([one.opened.numbers for one in best])
    allowed = _allowed(context, numbers)
    if not allowed.any():
        return candidates
    numbers, values = numbers[allowed], values[allowed]
    told = "it weighs {:.3f} among the symbols of the best files".format
    context.trace.current.notes = Notes(numbers, values, told)
    first = _rows(found, order, numbers, values)
    others = found.take(~places_among(found.numbers, np.sort(numbers))[1])
    rest = others.scored(others.scores * first.scores.min())
    return context.in_order(joined(first, rest)).as_candidates()


def _best_files(context: Context, found: Ranking, count: int) -> list[tuple[str, float]]:
    """Return the paths of the best files with what each weighs."""
    weighed = ~np.isnan(found.signal("file", np.nan))
    rows, there = context.catalogue.rows_of(found.numbers[weighed])
    files = context.catalogue.files[rows[there]]
    order = np.argsort(files, kind="stable")
    first = order[first_of_each(files[order])]
    files, sums = files[first], found.signal("file")[weighed][there][first]
    # Files are numbered in the order of their paths.
    head = np.lexsort((files, -sums))[:count]
    return [(context.catalogue.paths[files[at]], float(sums[at])) for at in head.tolist()]


def _allowed(context: Context, numbers: np.ndarray) -> np.ndarray:
    """Return which symbols the question does not rule out."""
    filters = context.query.filters
    if filters.include_tests and not (filters.languages or filters.kinds or filters.path_prefixes):
        return np.ones(len(numbers), np.bool_)
    items = context.items(numbers.tolist())
    return np.array([passes(items[number], filters) for number in numbers.tolist()], np.bool_)


def _rows(found: Ranking, order: np.ndarray, numbers: np.ndarray, values: np.ndarray) -> Ranking:
    """Return the symbols as candidates; those that were there before keep what is known of them."""
    at, known = places_among(numbers, found.numbers[order])
    old = order[at]
    reasons = np.where(known, found.reasons[old], "its file and the text around it match")
    signals = {name: np.where(known, column[old], np.nan) for name, column in found.signals.items()}
    scores = 2.0 / (1.0 + np.exp((values.max() - values) / 2.0))
    return Ranking(numbers, scores, reasons, {**signals, "piece": values})


STAGE = Stage("pieces", "rerank", Parameters, run)
