"""Stemmed BM25 as SQLite computes it gives what a plain Python BM25 over the same stems gives."""

import math
from collections import Counter

import apsw

from recollect.bench import datasets, metrics, runner
from recollect.bench.judge import judge
from recollect.bench.retrievers import resolve


def stemmer():
    tokenizer = apsw.Connection(":memory:").fts5_tokenizer("porter", ["unicode61"])
    return lambda text: tokenizer(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)


def brute_force(memories, stems, k1=1.2, b=0.75):
    rows = [Counter(token for tokens in stems(memory.content) for token in tokens) for memory in memories]
    lengths = [sum(row.values()) for row in rows]
    average = sum(lengths) / len(lengths)
    holding = Counter(word for row in rows for word in row)

    def search(query):
        words = [token for tokens in stems(query) for token in tokens]
        scored = []
        for memory, row, length in zip(memories, rows, lengths, strict=True):
            score = sum(
                max(1e-6, math.log((len(rows) - holding[word] + 0.5) / (holding[word] + 0.5)))
                * row[word] * (k1 + 1) / (row[word] + k1 * (1 - b + b * length / average))
                for word in words
                if row[word]
            )  # fmt: skip
            if score > 0:
                scored.append((-score, memory.id))
        return [number for _, number in sorted(scored)[:20]]

    return search


def test_stemmed_bm25_agrees_with_brute_force(shared):
    data = datasets.load(shared / "locomo", limit=60)
    label, make = resolve("bm25")
    run = runner.run(label, make, data)
    stems = stemmer()
    recalls = []
    for split, memories in data.memories.items():
        search = brute_force(memories, stems)
        for question in data.questions:
            if question.split == split:
                recalls.append(metrics.measure(judge("memory", search(question.text), question))["recall@10"])
    assert len(recalls) == len(run.questions)
    assert abs(sum(recalls) / len(recalls) - run.metrics["recall@10"]) < 0.02
