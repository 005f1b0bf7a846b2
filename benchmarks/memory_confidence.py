"""Learns how likely a memory answers, and measures how well that is calibrated.

    python benchmarks/memory_confidence.py learn MIRRORS [--questions N] [--write]
    python benchmarks/memory_confidence.py measure DATA

MIRRORS holds clones of the repositories of training/repositories.txt, as OWNER+NAME. Their commit messages are the
conversations that are learned from: a message is a session, its paragraphs are memories, and its subject, which is
no memory, is the question that they answer. DATA is a data set of conversations (corpus.jsonl and queries.jsonl) that
nothing is learned from.

Each question is asked with its evidence there, then of the same conversation without its evidence, and questions of
other conversations are asked as well. Half of the weight is on the first, a quarter on each of the others, so half of
all questions have an answer. `learn` prints figures of weights that were fitted to the other repositories, `measure`
of those that are shipped; --write fits them to all and keeps them in the wheel.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np

from recollect.engine import open as open_project
from recollect.memory.opened import OpenMemory
from recollect.retrieve.recall import confidence
from recollect.retrieve.recall.ranker import PipelineRanker

LISTED = Path(__file__).parent / "training" / "repositories.txt"
PERMISSIVE = {"MIT", "BSD", "ISC", "Apache-2.0"}
MESSAGES, FEWEST = 250, 80
"""The newest messages of a repository that have a body, and how many it must have to be learned from."""
WORDS = 6
"""So many words make a paragraph worth keeping."""
NO_QUESTION = re.compile(
    r"^(merge|revert|bump|release|version|update dep|chore\(deps)|\bv?\d+\.\d+\.\d+\b", re.I
)
NO_TALK = re.compile(
    r"^\s*([A-Z][\w-]+: \S|https?://|(fixe[sd]|close[sd]?|refs?|see) #?\S+\s*$|#|[-+@]{2,}|diff )", re.I
)
GROUP = 22
"""So many questions lose their evidence at once."""
FOREIGN = 50
SHARES = {"present": 0.5, "removed": 0.25, "foreign": 0.25}
DOUBTFUL = 0.3


class Recording(PipelineRanker):
    """Ranks as always and keeps what confidence is computed of."""

    def rank(self, view, question):
        answer, read = self.answer(view, question)
        numbers = np.array([row.number for row in answer.candidates], np.int64)
        found = confidence.held(read, answer.candidates, view.shelf.places(numbers))
        self.kept = (
            confidence.hit_features(found),
            confidence.answer_features(found) if len(numbers) else None,
        )
        return super().rank(view, question)


def main():
    wanted = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    wanted.add_argument("what", choices=("learn", "measure"))
    wanted.add_argument("place", type=Path)
    wanted.add_argument("--questions", type=int, default=110)
    wanted.add_argument("--write", action="store_true")
    given = wanted.parse_args()
    if given.what == "learn":
        used, corpus, queries = messages(given.place)
        print(f"{len(used)} repositories, {len(corpus)} memories, {len(queries)} questions")
    else:
        corpus, queries = (lines(given.place / name) for name in ("corpus.jsonl", "queries.jsonl"))
    asked = gather(corpus, queries, given.questions)
    tables = {level: rows_of(asked, level) for level in ("hit", "answer")}
    judge = held_out if given.what == "learn" else shipped
    for level, table in tables.items():
        report(level, table, judge(level, table))
    abstention(asked, judge)
    if given.what == "learn" and given.write:
        keep(tables, used)


def messages(mirrors):
    """Return what was read, and commit messages as conversations: paragraphs to remember, subjects to ask."""
    used, corpus, queries = [], [], []
    for line in LISTED.read_text("utf-8").splitlines():
        name, revision, licence = (*line.split(), "")[:3]
        place = mirrors / name.replace("/", "+")
        if line.startswith("#") or licence not in PERMISSIVE or not place.is_dir():
            continue
        told = list(told_by(place / "repo" if (place / "repo").is_dir() else place, revision))[:MESSAGES]
        if len(told) < FEWEST:
            continue
        used.append(f"{name} {revision[:12]} {licence}")
        for commit, date, subject, paragraphs in told:
            first = len(corpus) + 1
            for number, text in enumerate(paragraphs, first):
                row = {"id": number, "content": text, "conversation": name, "session": commit, "date": date}
                corpus.append(row)
            answers = list(range(first, len(corpus) + 1))
            queries.append({"text": subject, "conversation": name, "relevant_ids": answers})
    return used, corpus, queries


def told_by(place, revision):
    """Give the commits whose message says in its body, in sentences, what its subject asks."""
    command = [
        "git",
        "-C",
        str(place),
        "log",
        "--no-merges",
        "-n6000",
        "--format=%H%x1f%cs%x1f%s%x1f%b%x1e",
        revision,
    ]
    done = subprocess.run(command, capture_output=True, check=False)
    for record in done.stdout.decode("utf-8", "replace").split("\x1e"):
        commit, date, subject, body = (record.strip().split("\x1f") + [""] * 3)[:4]
        subject = re.sub(r"\s*\(#\d+\)\s*$", "", subject)
        if len(subject.split()) < 4 or NO_QUESTION.search(subject):
            continue
        blocks = (part.strip() for part in re.split(r"\n\s*\n", body.replace("\r", "")))
        paragraphs = [
            " ".join(part.split())
            for part in blocks
            if len(part.split()) >= WORDS and not NO_TALK.match(part) and subject.lower() not in part.lower()
        ]
        if paragraphs:
            yield commit, date, subject, paragraphs[:6]


def lines(file):
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def gather(corpus, queries, most):
    """Return kind, conversation, features and truth of every question that was asked."""
    dice, asked = random.Random(1), []
    for name in sorted({query["conversation"] for query in queries}):
        said = [row for row in corpus if row["conversation"] == name]
        own = [query for query in queries if query["conversation"] == name]
        own = dice.sample(own, min(len(own), most))
        others = dice.sample([query for query in queries if query["conversation"] != name], FOREIGN)
        asked += ask(said, name, [("present", one) for one in own] + [("foreign", one) for one in others])
        for at in range(0, len(own), GROUP):
            part = own[at : at + GROUP]
            gone = {number for query in part for number in query["relevant_ids"]}
            left = [row for row in said if row["id"] not in gone]
            asked += ask(left, name, [("removed", one) for one in part])
    return asked


def ask(rows, conversation, questions):
    with tempfile.TemporaryDirectory() as folder:
        project = open_project(folder)
        texts = [json.dumps(row, ensure_ascii=False) for row in rows]
        items, _ = project.memories.import_lines(texts, "jsonl", {})
        project.close()
        known = defaultdict(set)
        for item in items:
            known[item.id].add(item.metadata["metadata"]["id"])
        ranker = Recording()
        memory = OpenMemory(Path(folder) / ".recollect" / "memory.db", ranker=ranker)
        found = []
        for kind, query in questions:
            hits = memory.recall(query["text"], 10, {}, None).hits
            relevant = set(query["relevant_ids"]) if kind != "foreign" else set()
            truth = np.array([bool(known[hit.id] & relevant) for hit in hits], float)
            found.append((kind, conversation, *ranker.kept, truth))
        memory.close()
    return found


def rows_of(asked, level):
    """Return features, truth, weight and conversation of each hit or each answer."""
    counts = {kind: sum(one[0] == kind for one in asked) for kind in SHARES}
    features, truth, weights, groups = [], [], [], []
    for kind, conversation, hit, answer, right in asked:
        found = hit if level == "hit" else answer
        if found is None:
            continue
        columns = np.stack([np.atleast_1d(column) for column in found.values()], axis=1)
        features.append(columns)
        truth.append(right if level == "hit" else [right.max(initial=0.0)])
        weights += [SHARES[kind] / counts[kind]] * len(columns)
        groups += [conversation] * len(columns)
        names = ["one", *found]
    table = np.concatenate(features)
    weighed = np.array(weights)
    return (
        names,
        np.c_[np.ones(len(table)), table],
        np.concatenate(truth),
        weighed / weighed.mean(),
        np.array(groups),
    )


def fit(table, truth, weights, ridge=0.01):
    """Return the weights of a logistic regression."""
    found = np.zeros(table.shape[1])
    for _ in range(30):
        likely = 1 / (1 + np.exp(-table @ found))
        slope = table.T @ (weights * (likely - truth)) + ridge * found
        bend = (table * (weights * likely * (1 - likely))[:, None]).T @ table + ridge * np.eye(len(found))
        found -= np.linalg.solve(bend, slope)
    return found


def held_out(_level, found):
    """Return what weights that were fitted to the other conversations say."""
    _names, table, truth, weights, groups = found
    likely = np.zeros(len(truth))
    for group in sorted(set(groups)):
        out = groups == group
        likely[out] = 1 / (1 + np.exp(-table[out] @ fit(table[~out], truth[~out], weights[~out])))
    return likely


def shipped(level, found):
    """Return what the weights in the wheel say."""
    names, table, *_ = found
    own = confidence.learned()[level]
    return 1 / (1 + np.exp(-table @ np.array([own[name] for name in names])))


def report(level, found, likely):
    _, _, truth, weights, _ = found
    print(f"\n{level}\n")
    print("| said to be | how many | said, mean | true |\n|---|---:|---:|---:|")
    wrong = 0.0
    for low in np.arange(0, 1, 0.1):
        inside = (likely >= low) & (likely < low + 0.1)
        if not inside.any():
            continue
        said, true = (np.average(column[inside], weights=weights[inside]) for column in (likely, truth))
        wrong += weights[inside].sum() / weights.sum() * abs(said - true)
        print(f"| {low:.1f} to {low + 0.1:.1f} | {inside.sum()} | {said:.3f} | {true:.3f} |")
    print(f"\ncalibration error {wrong:.3f}, area under the curve {area(likely, truth, weights):.3f}")


def area(likely, truth, weights):
    order = np.argsort(likely, kind="stable")
    truth, weights = truth[order], weights[order]
    below = np.cumsum(weights * (1 - truth))
    return (weights * truth * below).sum() / ((weights * truth).sum() * (weights * (1 - truth)).sum())


def abstention(asked, judge):
    """Print how often an answer says that probably nothing is relevant."""
    likely = iter(judge("answer", rows_of(asked, "answer")))
    said = defaultdict(list)
    for kind, _, _, answer, right in asked:
        doubtful = answer is None or next(likely) < DOUBTFUL
        said[kind if kind != "present" or right.any() else "present, not found"].append(doubtful)
    print(
        f"\n| below {DOUBTFUL} it says that probably nothing is relevant | questions | said |\n|---|---:|---:|"
    )
    for kind, doubts in said.items():
        print(f"| {kind} | {len(doubts)} | {np.mean(doubts):.3f} |")


def keep(tables, used):
    """Write the weights that fit all repositories, and what they were learned from."""
    made = [
        "# Learned; do not edit. Made by benchmarks/memory_confidence.py learn MIRRORS --questions 50 --write.\n"
    ]
    for level, (names, table, truth, weights, _) in tables.items():
        fitted = zip(names, fit(table, truth, weights), strict=True)
        made.append(f"[{level}]\n" + "".join(f"{name} = {weight:.2f}\n" for name, weight in fitted))
    rows = "".join(f'    "{one}",\n' for one in used)
    made.append(f"[from]\ncommit_messages = [\n{rows}]\n")
    confidence.LEARNED.write_text("\n".join(made), "utf-8")


if __name__ == "__main__":
    main()
