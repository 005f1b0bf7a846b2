"""Learns what past commits that speak like the question weigh for a file (retrieve/weights/past.toml).

    .venv/bin/python benchmarks/training/past.py --questions FILE --commits FILE ... [--ablate] [--write]

The files are what gather.py measured. Everything else keeps the weights that are shipped, so the commits must be of
repositories that those were not learned from (repositories-past.txt). Prints the quality for repositories that were
held out, without and with the past, and the mean difference of repositories with its interval. numpy only, no seed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from files import QUESTION_COUNTS, quality
from gather import Row
from rows import folds, load
from softmax import fit_softmax

from recollect.bench.statistics import interval
from recollect.retrieve.evidence import FEATURES
from recollect.retrieve.rerank.files import Parameters, weigh
from recollect.retrieve.told import FEATURES as PAST

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = ROOT / "src/recollect/retrieve/weights/past.toml"
HEAD = 40
ALONE = Parameters(past=0.0)


class Known:
    """A question with what everything but the past weighs for each file."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.rest = weigh(row.files.astype(float), "identifier" if row.named else "sentence", ALONE)
        self.past = row.files[:, [FEATURES.index(name) for name in PAST]].astype(float)


def fit(known: Sequence[Known], names: Sequence[str] = PAST) -> np.ndarray:
    """Return the weight of each feature of the past, in units of the rest."""
    chosen = [PAST.index(name) for name in names]
    usable = [one for one in known if one.row.hits.any() and not one.row.named]
    counts = [1.0 if one.row.stratum == "commit" else QUESTION_COUNTS for one in usable]
    found = fit_softmax([_head(one, chosen) for one in usable], counts)
    weights = np.zeros(len(PAST))
    weights[chosen] = found[1:] / found[0]
    return weights


def _head(one: Known, chosen: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    right = one.row.hits.any(0)
    kept = np.argsort(-(one.rest + 1e6 * right), kind="stable")[:HEAD]
    return np.column_stack([one.rest[kept], one.past[kept][:, chosen]]), right[kept]


def judged(one: Known, weights: np.ndarray) -> float:
    sums = one.rest if one.row.named else one.rest + one.past @ weights
    return quality(one.row, np.argsort(-sums, kind="stable"))


def crossed(known: Sequence[Known], names: Sequence[str] = PAST) -> list[float]:
    values = [0.0] * len(known)
    for held in folds([one.row for one in known]):
        weights = fit([one for one in known if one.row.split not in held], names)
        for place, one in enumerate(known):
            if one.row.split in held:
                values[place] = judged(one, weights)
    return values


def report(name: str, known: Sequence[Known], values: Sequence[float], before: Sequence[float]) -> None:
    """Print means over repositories, and the paired differences with their intervals."""
    print(name)
    kinds: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("commits, recall@5", lambda stratum: stratum == "commit"),
        ("questions, ndcg@10", lambda stratum: stratum != "commit"),
    )
    for kind, asked in kinds:
        splits: dict[str, list[tuple[float, float]]] = {}
        for one, value, old in zip(known, values, before, strict=True):
            if asked(one.row.stratum):
                splits.setdefault(one.row.split, []).append((value, value - old))
        means = np.array([np.mean(rows, axis=0) for rows in splits.values()])
        mean = interval(means[:, 1].tolist())
        print(f"  {kind:20s} {means[:, 0].mean():.4f}  {mean.mean:+.4f} [{mean.low:+.4f}, {mean.high:+.4f}]")


def store(weights: np.ndarray, known: Sequence[Known]) -> None:
    commits = [one.row for one in known if one.row.stratum == "commit"]
    count = len({row.split for row in commits})
    lines = [
        "# Learned; do not edit. Made by benchmarks/training/past.py --write; no seed, the same weights every time.",
        f"# From {len(commits)} commit messages of {count} repositories (benchmarks/training/repositories-past.txt)",
        f"# and {len(known) - len(commits)} questions of codesearch, on top of files.toml and files.trees.json.",
        "",
        "[weights]",
        *(f"{name} = {round(float(value), 3)}" for name, value in zip(PAST, weights, strict=True) if value),
    ]
    WEIGHTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"Wrote {WEIGHTS.relative_to(ROOT)}.")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--commits", type=Path, nargs="+", required=True)
    parser.add_argument("--ablate", action="store_true", help="leave out each feature in turn")
    parser.add_argument("--write", action="store_true", help="store weights fitted over everything")
    chosen = parser.parse_args()
    known = [Known(row) for row in load([chosen.questions, *chosen.commits], FEATURES, 0)]
    without = [judged(one, np.zeros(len(PAST))) for one in known]
    report("without the past", known, without, without)
    whole = crossed(known)
    report("with it, held out", known, whole, without)
    for name in PAST if chosen.ablate else ():
        left = [other for other in PAST if other != name]
        report(f"without {name}, against all", known, crossed(known, left), whole)
    if chosen.write:
        store(fit(known), known)


if __name__ == "__main__":
    main()
