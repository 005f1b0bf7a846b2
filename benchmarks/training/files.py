"""Learns what speaks for a file (retrieve/weights/files.toml and files.trees.json) from questions and commits.

    .venv/bin/python benchmarks/training/files.py --questions FILE --commits FILE ... [--write]

The files are what gather.py measured. Prints the quality for repositories that were held out of all learning: NDCG@10
of questions, recall@5 of commits, for the weights alone and with the trees on top. With --write it stores a fit over
everything. numpy only; the one random choice is seeded, so the same rows give the same weights.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from boosting import Plan, fit_trees, side_by_side
from gather import Row
from rows import folds, load
from softmax import fit_softmax

from recollect.retrieve import trees
from recollect.retrieve.evidence import ASKED, COVERED, FEATURES, KIND, LINKED, NAMED, TEXTS
from recollect.retrieve.rerank.files import Parameters, by_trees
from recollect.retrieve.told import FEATURES as PAST

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = ROOT / "src/recollect/retrieve/weights"
HEAD = Parameters().head
QUESTION_COUNTS = 4.0
"""Questions are like what people ask, but there are few: each counts as four commits."""
ROUNDS = 2
"""The first only finds the files that are hard to tell from the right ones."""
PLAN = Plan(count=150, depth=4, rate=0.15)
ROUGH = {"chunk": 2.0, "all_chunks": 1.0, "symbol": 1.0, "file_covers": 1.0, "stem_covered": 1.0, "path_asked": 1.0,
         "definition": 1.0, "test": -2.0, "prose": -2.0}  # fmt: skip
"""Where the first round begins."""
GROUPS = {
    "texts": TEXTS,
    "coverage": COVERED,
    "names": NAMED,
    "kinds": KIND,
    "links": LINKED,
    "what is asked": ASKED,
}
Model = tuple[np.ndarray, trees.Trees]


def fit(rows: Sequence[Row], plan: Plan = PLAN) -> Model:
    usable = [row for row in rows if row.hits.any() and not row.named]
    counts = [QUESTION_COUNTS if row.stratum != "commit" else 1.0 for row in usable]
    weights = np.array([ROUGH.get(name, 0.0) for name in FEATURES])
    chosen = [place for place, name in enumerate(FEATURES) if name not in (*ASKED, *PAST)]
    for _ in range(ROUNDS):
        heads = [_head(row.files, row.hits.any(0), weights, HEAD + 20) for row in usable]
        weights = np.zeros(len(FEATURES))
        weights[chosen] = fit_softmax([(matrix[:, chosen], right) for matrix, right in heads], counts)
    table = side_by_side([_head(row.files, row.hits.any(0), weights, HEAD) for row in usable], counts)
    return weights, fit_trees(table, table.features @ weights, plan)


def _head(
    matrix: np.ndarray, right: np.ndarray, weights: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that stand first, and the right ones wherever they stand."""
    kept = np.argsort(-(matrix @ weights + 1e6 * right), kind="stable")[:count]
    return matrix[kept], right[kept]


def ranked(row: Row, model: Model, with_trees: bool) -> np.ndarray:
    weights, grown = model
    sums = row.files @ weights
    if with_trees:
        sums = sums + by_trees(grown, row.files, sums, HEAD)
    if row.named:
        sums = sums + Parameters().name_first * row.files[:, FEATURES.index("definition")]
    return np.argsort(-sums, kind="stable")


def quality(row: Row, order: np.ndarray) -> float:
    """Return NDCG@10 of a question, recall@5 of a commit."""
    if row.stratum == "commit":
        return float(row.hits[:, order[:5]].any(1).sum() / row.wanted)
    seen: set[int] = set()
    gain = 0.0
    for rank, place in enumerate(order[:10]):
        fresh = set(np.flatnonzero(row.hits[:, place]).tolist()) - seen
        if fresh:
            gain += 1 / math.log2(rank + 2)
            seen |= fresh
    return gain / sum(1 / math.log2(rank + 2) for rank in range(min(10, row.wanted)))


def report(name: str, rows: Sequence[Row], values: Sequence[float]) -> None:
    strata: dict[str, list[float]] = defaultdict(list)
    for row, value in zip(rows, values, strict=True):
        strata[row.stratum].append(value)
        if row.stratum != "commit":
            strata["questions"].append(value)
    print(f"{name:34s} " + "  ".join(f"{key} {np.mean(found):.4f}" for key, found in sorted(strata.items())))


def crossed(rows: Sequence[Row]) -> tuple[list[float], list[float]]:
    """Judge every row by models that were learned without its repository: weights alone, and with trees."""
    alone, both = [0.0] * len(rows), [0.0] * len(rows)
    for held in folds(rows):
        model = fit([row for row in rows if row.split not in held])
        for place, row in enumerate(rows):
            if row.split in held:
                alone[place] = quality(row, ranked(row, model, with_trees=False))
                both[place] = quality(row, ranked(row, model, with_trees=True))
    return alone, both


def without(row: Row, group: Sequence[str]) -> Row:
    matrix = row.files.copy()
    matrix[:, [FEATURES.index(name) for name in group]] = 0.0
    return row._replace(files=matrix)


def store(model: Model, made: dict[str, object]) -> None:
    weights, grown = model
    lines = [
        "# Learned; do not edit. Made by benchmarks/training/files.py --write, which the trees beside it name too.",
        "",
        "[weights]",
        *(
            f"{name} = {round(float(value), 3)}"
            for name, value in zip(FEATURES, weights, strict=True)
            if value
        ),
    ]
    (WEIGHTS / "files.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    used = sorted(set(grown.features.ravel().tolist()))
    rows = [
        [
            [used.index(at) for at in tree],
            [float(f"{x:.7g}") for x in borders.tolist()],
            [round(x, 4) for x in leaves.tolist()],
        ]
        for tree, borders, leaves in zip(grown.features.tolist(), grown.borders, grown.leaves, strict=True)
    ]
    parts = [json.dumps(made), json.dumps([FEATURES[at] for at in used])]
    text = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    whole = f'{{"made": {parts[0]},\n"features": {parts[1]},\n"trees": [\n{text}\n]}}\n'
    (WEIGHTS / "files.trees.json").write_text(whole, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--commits", type=Path, nargs="+", required=True)
    parser.add_argument("--ablate", action="store_true", help="leave out each group of features in turn")
    parser.add_argument("--quick", action="store_true", help="do not judge held-out repositories")
    parser.add_argument("--write", action="store_true", help="store weights fitted over everything")
    chosen = parser.parse_args()
    rows = [without(row, PAST) for row in load([chosen.questions, *chosen.commits], FEATURES, 0)]
    splits = sorted({row.split for row in rows if row.stratum == "commit"})
    count = sum(row.stratum == "commit" for row in rows)
    print(f"{len(rows) - count} questions; {count} commit messages of {len(splits)} repositories")
    if not chosen.quick:
        alone, both = crossed(rows)
        report("held-out repositories, weights", rows, alone)
        report("held-out repositories, and trees", rows, both)
    for name, group in GROUPS.items() if chosen.ablate else ():
        report(f"  and trees, without {name}", rows, crossed([without(row, group) for row in rows])[1])
    if chosen.write:
        made = {
            "by": "benchmarks/training/files.py --write",
            "questions": f"{len(rows) - count} of codesearch (revisions in its repos.json)",
            "commit messages": f"{count} of {', '.join(splits)} (revisions in benchmarks/training/repositories.txt)",
        }
        store(fit(rows), made)
        print(f"Wrote files.toml and files.trees.json in {WEIGHTS.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
