"""Measures the memory store at sizes: python benchmarks/memory_scale.py COUNT... [CORPUS.jsonl] [KEPT/].

The words of the memories are drawn from a corpus of conversations (or, without one, from a made-up vocabulary),
twenty to a session; the questions are drawn from the memories. Writes go through remember_many, reads through recall.
Stores are kept below the folder KEPT, if it is given; one that is there is not written again. Times are medians on
the clock, and of the processor in brackets; the peak of memory includes the texts.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import re
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from recollect.memory.opened import OpenMemory

SESSION = 20
PART = 5000
MOST_DREAMT = 100_000


def vocabulary(corpus):
    """Return words with how often they are said, and how long what is said is."""
    if corpus is None:
        ranks = np.arange(1, 8001)
        return [f"w{rank}ord" for rank in ranks], 1 / ranks, [12, 20, 30, 40]
    texts = [json.loads(line)["content"] for line in Path(corpus).read_text("utf-8").splitlines()]
    said = [re.findall(r"\w+", text) for text in texts]
    counts = {}
    for words in said:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return list(counts), np.array(list(counts.values()), float), [len(words) for words in said]


def rows(count, corpus, rng):
    words, weights, lengths = vocabulary(corpus)
    sizes = rng.choice(lengths, count)
    drawn = rng.choice(len(words), int(sizes.sum()), p=weights / weights.sum())
    at = 0
    for number, size in enumerate(sizes):
        text = " ".join(words[word] for word in drawn[at : at + size])
        at += size
        yield {
            "text": f"{text} item{rng.integers(0, count)}.",
            "session": f"s{number // SESSION}",
            "author": ("Anna", "Ben")[number % 2],
            "created": 1_600_000_000 + number * 60,
        }


def main(counts, corpus, kept):
    """Print a row for each count; every count is measured in a process of its own, for its peak of memory."""
    print("| memories | written a second | one write, ms | bytes above the text | first recall, ms | recall, ms "
          "| after a write, ms | dream, s | peak, MB |\n|" + "---:|" * 9)  # fmt: skip
    for count in counts:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            row = pool.apply(measure, (count, corpus, kept))
        print("| " + " | ".join(row) + " |", flush=True)


def measure(count, corpus, kept):
    rng, dice = np.random.default_rng(1), random.Random(1)
    given = list(rows(count, corpus, rng))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(kept) / str(count) if kept else Path(made)
        there = folder.joinpath(".recollect", "memory.db").exists()
        memory = OpenMemory(folder / ".recollect" / "memory.db")
        found = [f"{count:,}", "" if there else written(memory, given)]
        stamp = time.time()
        notes = [
            f"a single note {number} of {stamp} about {dice.choice(given)['text']}" for number in range(50)
        ]
        found.append(median([timed(lambda note=note: memory.remember(note, {}, None)) for note in notes]))
        memory.close()
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        text = sum(len(row["text"].encode()) for row in given)
        found.append(f"{(size - text) / count:.0f}")
        questions = [ask(dice.choice(given)["text"], dice) for _ in range(220)]
        found.append(median([recalled(memory, questions[0])]))
        for question in questions[1:20]:
            recalled(memory, question)
        found.append(median([recalled(memory, question) for question in questions[20:]]))
        found.append(
            median([after_write(memory, f"{number} of {stamp}", questions[number]) for number in range(20)])
        )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        found.append(f"{timed(lambda: memory.dream(dry_run=True))[1]:.1f}" if count <= MOST_DREAMT else "")
        memory.close()
    return [*found, f"{peak:.0f}"]


def written(memory, given):
    """Write all; return how many a second, on the clock and of the processor."""
    start, cpu = time.perf_counter(), time.process_time()
    for at in range(0, len(given), PART):
        memory.remember_many(given[at : at + PART], None)
    took, used = time.perf_counter() - start, time.process_time() - cpu
    return f"{len(given) / took:,.0f} ({len(given) / used:,.0f})"


def ask(text, dice):
    words = text.split()
    return "What did Anna say about " + " ".join(dice.sample(words, min(5, len(words)))) + "?"


def timed(work):
    """Return the seconds that something took, on the clock and of the processor."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def recalled(memory, question, **options):
    return timed(lambda: memory.recall(question, 10, options, None))


def after_write(memory, name, question):
    memory.remember(f"one more {name}", {}, None)
    return recalled(memory, question)


def median(times):
    """Return the median in milliseconds, on the clock and of the processor."""
    wall, cpu = (statistics.median(column) * 1000 for column in zip(*times, strict=True))
    return f"{wall:.1f} ({cpu:.1f})"


if __name__ == "__main__":
    counts = [int(one) for one in sys.argv[1:] if one.isdigit()]
    corpus = next((one for one in sys.argv[1:] if one.endswith(".jsonl")), None)
    main(counts, corpus, next((one for one in sys.argv[1:] if one.endswith("/")), None))
