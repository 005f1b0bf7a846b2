"""Measures what dreams do to recall: python benchmarks/dreams.py FOLDER.

FOLDER holds corpus.jsonl, queries.jsonl and qrels.jsonl. Each conversation is a project of its own. Recall is measured
before a dream, after it as it is by default (what dreams made is not shown), and after it with reflections and cards
among the answers: as they are, where they take places, and taken for the memories that they were made of.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import recollect
from recollect.bench.metrics import ndcg, recall

K = 10


def load(folder, name):
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]


def main(folder):
    corpus, questions, judged = defaultdict(list), defaultdict(list), {}
    for row in load(folder, "corpus.jsonl"):
        corpus[row["conversation"]].append(row)
    for row in load(folder, "queries.jsonl"):
        questions[row["conversation"]].append(row)
    for row in load(folder, "qrels.jsonl"):
        judged[row["query_id"]] = row["relevant_ids"]
    scores, reports, seconds = defaultdict(list), [], 0.0
    for name, rows in corpus.items():
        with tempfile.TemporaryDirectory() as place, recollect.open(place) as project:
            lines = (json.dumps(row, ensure_ascii=False) for row in rows)
            items, _ = project.memories.import_lines(lines, "corpus.jsonl", {})
            ids = {item.id: item.metadata["metadata"]["id"] for item in items}
            asked = Asked(project, ids, [(row["text"], judged[row["query_id"]]) for row in questions[name]])
            score(scores["before"], asked, {})
            begun = time.process_time()
            reports.append(project.dream())
            seconds += time.process_time() - begun
            score(scores["after, as it is by default"], asked, {})
            score(scores["after, reflections take places"], asked, {"derived": True})
            score(scores["after, reflections open up"], asked, {"derived": True}, opened=True)
    for name, found in scores.items():
        means = [statistics.mean(column) for column in zip(*found, strict=True)]
        print(f"{name:34} {len(found):4} R@{K} {means[0]:.3f} nDCG@{K} {means[1]:.3f}")
    rejected = defaultdict(int)
    for report in reports:
        for gate, count in report.rejected.items():
            rejected[gate] += count
    clusters = sum(report.clusters for report in reports)
    print(
        f"{sum(report.looked_at for report in reports)} memories, {clusters} clusters, "
        f"{sum(len(report.reflections) for report in reports)} reflections, "
        f"{sum(len(report.cards) for report in reports)} cards, {sum(report.links for report in reports)} links, "
        f"kept out: {dict(sorted(rejected.items()))}; {seconds:.1f} s of the processor"
    )


class Asked(NamedTuple):
    """A conversation with what is asked of it."""

    project: recollect.Recollect
    ids: dict
    questions: list


def score(found, asked, options, opened=False):
    project, ids, _ = asked
    for text, relevant in asked.questions:
        hits = project.recall(text, limit=K, **options).hits
        ranked = []
        for hit in hits:
            if hit.id in ids:
                ranked.append(ids[hit.id])
            elif opened:
                members = project.memories.of("project").get(hit.id).metadata["metadata"]["members"]
                ranked += [ids[one] for one in members[:3] if one in ids]
            else:
                ranked.append(hit.id)
        ranked = list(dict.fromkeys(ranked))[:K]
        wanted = list(dict.fromkeys(relevant))
        targets = [{wanted.index(one)} if one in wanted else set() for one in ranked]
        found.append((recall(targets, len(wanted), K), ndcg(targets, len(wanted), K)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
