"""Learns what speaks for a symbol (retrieve/weights/pieces.toml) from commit messages and the functions they changed.

    .venv/bin/python benchmarks/training/pieces.py --commits FILE ... [--write]

The files are what gather.py measured. Prints how many of the changed symbols are among the first ten, for repositories
that were held out of the learning; with --write it stores a fit over all. numpy only, no seed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from gather import Row
from rows import folds, load
from softmax import fit_softmax

from recollect.retrieve.pieces import ASKED, FEATURES
from recollect.retrieve.rerank.pieces import shipped

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = ROOT / "src/recollect/retrieve/weights/pieces.toml"


def fit(rows: Sequence[Row]) -> np.ndarray:
    # What is the same for every symbol of a question cannot order them.
    chosen = [place for place, name in enumerate(FEATURES) if name not in ASKED]
    weights = np.zeros(len(FEATURES))
    weights[chosen] = fit_softmax([(row.pieces[:, chosen], row.right) for row in rows])
    return weights


def first_ten(row: Row, weights: np.ndarray) -> float:
    best = np.argsort(-(row.pieces @ weights), kind="stable")[:10]
    return float(row.right[best].sum() / min(10, row.right.sum()))


def crossed(rows: Sequence[Row]) -> float:
    values = []
    for held in folds(rows):
        weights = fit([row for row in rows if row.split not in held])
        values += [first_ten(row, weights) for row in rows if row.split in held]
    return float(np.mean(values))


def store(weights: np.ndarray, rows: Sequence[Row]) -> None:
    count = len({row.split for row in rows})
    lines = [
        "# Learned; do not edit. Made by benchmarks/training/pieces.py --write; no seed, the same weights every time.",
        f"# From {len(rows)} commit messages of {count} repositories (benchmarks/training/repositories.txt).",
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
    parser.add_argument("--write", action="store_true", help="store weights fitted over everything")
    chosen = parser.parse_args()
    rows = [row for row in load(chosen.commits, FEATURES, 1) if row.right.any()]
    known = np.array([shipped().get(name, 0.0) for name in FEATURES])
    size = np.array([float(name in {"size", "owner"}) for name in FEATURES])
    print(f"{len(rows)} commit messages have a changed symbol in the best files")
    print(f"shipped weights        recall@10 {np.mean([first_ten(row, known) for row in rows]):.4f}")
    print(f"held-out repositories  recall@10 {crossed(rows):.4f}")
    print(f"size and owner alone   recall@10 {np.mean([first_ten(row, size) for row in rows]):.4f}")
    if chosen.write:
        store(fit(rows), rows)


if __name__ == "__main__":
    main()
