"""Benchmarks: data sets, retrievers, metrics, comparisons; from Python begin with these two."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from recollect.bench import datasets, retrievers, runner
from recollect.bench.retrievers import NotInstalledError
from recollect.bench.runs import Run
from recollect.bench.values import DataSet


def load_dataset(folder: str | Path, splits: Collection[str] = ()) -> DataSet:
    """Load a data set of any layout; everything that is wrong with it is told at once."""
    return datasets.load(Path(folder), splits)


def run_benchmark(
    retriever: Any, dataset: DataSet, *, k: int = 0, repos: str | Path | None = None, name: str = ""
) -> Run:
    """Measure a class, an object with `retrieve(query, k)` or a bare function; a class is made anew for every split."""
    options = runner.Options(k=k, repos=None if repos is None else Path(repos))
    return runner.run(name, retrievers.wrap(retriever), dataset, options)


__all__ = ["NotInstalledError", "load_dataset", "run_benchmark"]
