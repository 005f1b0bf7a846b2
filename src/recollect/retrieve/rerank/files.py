"""Orders by files: what speaks for a file is weighed together, and its best piece stands for it."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import numpy as np
from msgspec import Struct

from recollect.retrieve import trees
from recollect.retrieve.context import Context
from recollect.retrieve.evidence import FEATURES, Pieces, grouped, measured
from recollect.retrieve.ranking import Notes, ranking_of
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates

SCALE = 6.0
"""How many units of weight make a clear difference in the score."""


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Single weights that differ from the shipped ones, and what each further piece of a file is worth."""

    weights: dict[str, float] = {}
    trees: float = 1.0
    """What the learned trees count beside the weights."""
    past: float = 1.0
    """What the learned weights of past commits count beside the rest."""
    head: int = 60
    """How many of the best files by weight the trees look at; the others keep their distance to them."""
    gap: float = 12.0
    """How much less than the piece before it the next one of the same file weighs; much, so that files come first."""
    name_first: float = 10.0
    """What a definition weighs when the question is nothing but a name."""


@cache
def shipped(name: str = "files") -> dict[str, float]:
    """Read the weights that were learned: `files` or, of what past commits tell, `past` (benchmarks/training)."""
    text = files("recollect.retrieve").joinpath("weights", f"{name}.toml").read_text(encoding="utf-8")
    weights: dict[str, float] = tomllib.loads(text)["weights"]
    return weights


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Weigh the files; the further pieces of each follow after the best ones of the others."""
    pieces = grouped(context, ranking_of(candidates))
    if not len(pieces.starts):
        return candidates
    sums = weigh(measured(context, pieces), context.query.shape, parameters)
    files = sums.repeat(pieces.lengths)
    found = pieces.ranking
    context.trace.current.notes = Notes(found.numbers, files, "its file weighs {:.3f}".format)
    scores = _squashed(files - parameters.gap * _ranks(context, pieces), float(sums.max()))
    return context.in_order(found.scored(scores, file=files)).as_candidates()


def _ranks(context: Context, pieces: Pieces) -> np.ndarray:
    """Return the place of every piece among those of its file, 0 for the one that shows best what is asked of it."""
    worth = pieces.ranking.signal("definition") * 2 + pieces.ranking.scores
    homes = np.arange(len(pieces.starts)).repeat(pieces.lengths)
    order = np.lexsort((context.catalogue.order[pieces.rows], -worth, homes))
    ranks = np.empty(len(order))
    ranks[order] = np.arange(len(order)) - pieces.starts.repeat(pieces.lengths)
    return ranks


def weigh(matrix: np.ndarray, shape: str, parameters: Parameters | None = None) -> np.ndarray:
    """Return what speaks for every file in sum: the weights, and on top what the trees make of it."""
    parameters = parameters or Parameters()
    weights = {**shipped(), **parameters.weights}
    if shape == "identifier":
        weights["definition"] = max(weights["definition"], parameters.name_first)
    sums: np.ndarray = matrix @ np.array([weights.get(name, 0.0) for name in FEATURES])
    past = shipped("past")
    told: np.ndarray = parameters.past * (matrix @ np.array([past.get(name, 0.0) for name in FEATURES]))
    if parameters.trees:
        grown = trees.shipped("files", FEATURES)
        told += parameters.trees * by_trees(grown, matrix, sums, parameters.head)
    sums += told
    return sums


def by_trees(grown: trees.Trees, matrix: np.ndarray, sums: np.ndarray, head: int) -> np.ndarray:
    """Return what the trees add to each file; behind the head it is what the least of the head gets."""
    best = np.argsort(-sums, kind="stable")[:head]
    found = trees.sums(grown, matrix[best])
    added = np.full(len(sums), found.min())
    added[best] = found
    return added


def _squashed(weights: np.ndarray, top: float) -> np.ndarray:
    """Bring weights to [0, 1] without changing their order."""
    squashed: np.ndarray = 2.0 / (1.0 + np.exp(np.minimum(700.0, (top - weights) / SCALE)))
    return squashed


STAGE = Stage("files", "rerank", Parameters, run)
