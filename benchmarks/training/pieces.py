"""Learns what speaks for a symbol (retrieve/weights/pieces.toml) from what commits changed and documentation shows.

    .venv/bin/python benchmarks/training/pieces.py --commits FILE ... --sections FILE ... [--write]

The files are what gather.py measured. Prints how many of the changed or shown symbols are among the first ten, for
repositories that were held out of the learning; with --write it stores a fit over all. numpy only, no seed.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from gather import Row
from rows import folds, load
from softmax import fit_softmax

from recollect.bench.statistics import interval
from recollect.retrieve.pieces import ASKED, FEATURES
from recollect.retrieve.rerank.pieces import shipped

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = ROOT / "src/recollect/retrieve/weights/pieces.toml"
KINDS = ("commit", "section")


def fit(rows: Sequence[Row]) -> np.ndarray:
    # What is the same for every symbol of a question cannot order them.
    chosen = [place for place, name in enumerate(FEATURES) if name not in ASKED]
    weights = np.zeros(len(FEATURES))
    weights[chosen] = fit_softmax([(row.pieces[:, chosen], row.right) for row in rows])
    return weights


def first_ten(row: Row, weights: np.ndarray) -> float:
    best = np.argsort(-(row.pieces @ weights), kind="stable")[:10]
    return float(row.right[best].sum() / min(10, row.right.sum()))


def crossed(rows: Sequence[Row], learned_from: Collection[str]) -> list[float]:
    """Judge every row by weights that were learned from these kinds of questions, without its repository."""
    values = [0.0] * len(rows)
    for held in folds(rows):
        weights = fit([row for row in rows if row.split not in held and row.stratum in learned_from])
        for place, row in enumerate(rows):
            if row.split in held:
                values[place] = first_ten(row, weights)
    return values


def report(name: str, rows: Sequence[Row], values: Sequence[float]) -> None:
    """Print the mean over repositories with its interval, for each kind of question."""
    said = []
    for kind in KINDS:
        splits: dict[str, list[float]] = defaultdict(list)
        for row, value in zip(rows, values, strict=True):
            if row.stratum == kind:
                splits[row.split].append(value)
        if splits:
            mean = interval([float(np.mean(found)) for found in splits.values()])
            said.append(f"{kind}s {mean.mean:.4f} [{mean.low:.4f}, {mean.high:.4f}]")
    print(f"{name:28s} " + "  ".join(said), flush=True)


def store(weights: np.ndarray, rows: Sequence[Row]) -> None:
    counts = [sum(row.stratum == kind for row in rows) for kind in KINDS]
    splits = len({row.split for row in rows})
    lines = [
        "# Learned; do not edit. Made by benchmarks/training/pieces.py --write; no seed, the same weights every time.",
        f"# From {counts[0]} commit messages and {counts[1]} sections of documentation of {splits} repositories",
        "# (benchmarks/training/repositories.txt and repositories-past.txt).",
        "",
        "[weights]",
        *(
            f"{name} = {round(float(value), 3)}"
            for name, value in zip(FEATURES, weights, strict=True)
            if value
        ),
    ]
    WEIGHTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"Wrote {WEIGHTS.relative_to(ROOT)}.")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--commits", type=Path, nargs="+", required=True)
    parser.add_argument("--sections", type=Path, nargs="+", required=True)
    parser.add_argument("--quick", action="store_true", help="do not judge held-out repositories")
    parser.add_argument("--write", action="store_true", help="store weights fitted over everything")
    chosen = parser.parse_args()
    rows = [row for row in load([*chosen.commits, *chosen.sections], FEATURES, 1) if row.right.any()]
    counts = [sum(row.stratum == kind for row in rows) for kind in KINDS]
    print(f"{counts[0]} commit messages and {counts[1]} sections have a right symbol in the best files")
    if not chosen.quick:
        known = np.array([shipped().get(name, 0.0) for name in FEATURES])
        report("shipped", rows, [first_ten(row, known) for row in rows])
        report("held out", rows, crossed(rows, KINDS))
        report("held out, of commits alone", rows, crossed(rows, KINDS[:1]))
        report("held out, of sections alone", rows, crossed(rows, KINDS[1:]))
    if chosen.write:
        store(fit(rows), rows)


if __name__ == "__main__":
    main()
