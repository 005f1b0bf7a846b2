"""Measures the search for near vectors: python benchmarks/nearest.py MODEL_FOLDER TEXTS.txt [COUNT...].

Every line of the file is a text; the last 200 are the questions. Prints for exact search, for the search by signs that
recollect uses above 50,000 memories, and for usearch where it is installed: how long making it ready and one question
take of the processor, and which share of the true ten nearest is found.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

import numpy as np

from recollect.config import Settings
from recollect.models.choose import embedder_of
from recollect.store.near import Near

ASKED = 200
BATCH = 2_000


def main(folder, file, counts):
    """Print a row for each way and count."""
    texts = Path(file).read_text("utf-8").splitlines()
    model = embedder_of(Settings(embedder=folder))
    rows = np.concatenate([model.embed(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)])
    rows, questions = rows[:-ASKED], rows[-ASKED:]
    print(
        "| way | vectors | ready, s | one question, ms | of the ten nearest found |\n|---|---:|---:|---:|---:|"
    )
    for count in counts or [len(rows)]:
        scales = (np.abs(rows[:count]).max(axis=1) / 127).astype(np.float32)
        matrix = np.rint(rows[:count] / scales[:, None]).astype(np.int8)
        true = [set(row) for row in (np.argsort(-(questions @ rows[:count].T), axis=1)[:, :10]).tolist()]
        places = np.arange(count)
        for name, exact in (("exact", count), ("signs, 1,000 compared", 1)):
            near, started = Near(places, matrix, scales, exact), time.process_time()
            near.best(questions[0], 10)
            tell(
                name,
                count,
                time.process_time() - started,
                lambda one, near=near: near.best(one, 10)[0],
                questions,
                true,
            )
        graph(rows[:count], questions, true)


def graph(rows, questions, true):
    """Measure usearch where it is installed."""
    try:
        from usearch.index import Index
    except ImportError:
        return
    started = time.process_time()
    index = Index(ndim=rows.shape[1], metric="cos", dtype="f16")
    index.add(np.arange(len(rows)), rows, threads=1)
    ready = time.process_time() - started
    tell("usearch", len(rows), ready, lambda one: index.search(one, 10, threads=1).keys, questions, true)


def tell(name, count, ready, search, questions, true):
    """Print one row."""
    times, found = [], []
    for one, wanted in zip(questions, true, strict=True):
        started = time.process_time()
        keys = search(one)
        times.append(time.process_time() - started)
        found.append(len(wanted & {int(key) for key in keys}) / len(wanted))
    print(
        f"| {name} | {count:,} | {ready:.1f} | {statistics.median(times) * 1000:.2f} | {statistics.mean(found):.3f} |"
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], [int(one) for one in sys.argv[3:]])
