"""Measures what the engine sees for questions whose answers are known, for files.py and pieces.py to learn from.

    .venv/bin/python benchmarks/training/gather.py OUT --data ../shared/bench/codesearch --indexed FOLDER
    .venv/bin/python benchmarks/training/gather.py OUT --replays FOLDER
    .venv/bin/python benchmarks/training/gather.py OUT --sections FOLDER

With --data, FOLDER holds one indexed copy of each repository's `benchmark_root` by name; with --replays it is what
replays.py made, and each commit is asked by its subject and, where it says more, by its whole message; with --sections
the documentation of the same snapshots is asked (sections.py), and the documentation itself is no answer. With --alone
nothing is known of past commits, as when files.toml was learned.
"""

from __future__ import annotations

import argparse
import json
import pickle
import re
import subprocess
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sections import sections

import recollect
from recollect.bench.datasets import load
from recollect.bench.judge import same_file_loosely
from recollect.engine.telling import TOLD
from recollect.ports import Filters, Reader
from recollect.retrieve import evidence, pieces, pipeline
from recollect.retrieve.ask import Surroundings, context_of, profile_for
from recollect.retrieve.context import Snapshot
from recollect.retrieve.evidence import sites
from recollect.retrieve.query import Request
from recollect.retrieve.rerank.files import weigh
from recollect.retrieve.told import ToldFile

OFF = ("rerank.files", "rerank.pieces", "rerank.history", "rerank.exact", "collapse.shown")
LONGEST, SYMBOLS, OPENED = 400, 300, 15
ANYTHING = Filters()
_SIGNED = re.compile(r"(signed-off|co-authored|reviewed|closes|fixes|refs?|change-id)\b", re.I)


class Row(NamedTuple):
    """A question with what is known of its files and, for commits, of the symbols in the best of them."""

    split: str
    stratum: str
    named: bool
    """Whether the question is nothing but a name."""
    wanted: int
    """How many files are right, found or not."""
    files: np.ndarray
    hits: np.ndarray
    """One row a target, one column a file."""
    pieces: np.ndarray
    right: np.ndarray


def profile():
    return profile_for("task", "code", {f"{stage}.enabled": False for stage in OFF})


def surroundings(project: recollect.Recollect, past: bool) -> Surroundings:
    """Return what questions of a project are asked with: what its past commits tell where wanted, nothing learned."""
    told = {"told": ToldFile(project._index.project.folder / TOLD)}
    return Surroundings(Snapshot(), services=told if past else {})


def measured(reader: Reader, around: Surroundings, text: str, with_pieces: bool, filters: Filters = ANYTHING):
    """Return the paths and features of the files, and the symbols and features of the best ones."""
    context = context_of(reader, text, Request(limit=600, filters=filters), profile(), around)
    answer = pipeline.run(context, profile(), pack=False)
    groups = evidence.group(answer.candidates, answer.items)
    if not groups:
        return None
    matrix, paths = evidence.measure(context, groups, answer.items), list(groups)
    symbols, features = [], np.zeros((0, len(pieces.FEATURES)))
    if with_pieces:
        sums = weigh(matrix, answer.query.shape)
        order = np.argsort(-sums, kind="stable")[:OPENED]
        best = [
            pieces.Best(pieces.open_file(context, paths[at]), float(sums[at]), rank)
            for rank, at in enumerate(order.tolist())
        ]
        symbols = [item for one in best for item in one.opened.items]
        if symbols:
            features = pieces.measure(context, best, {row.number: row for row in answer.candidates})
    return answer.query.shape == "identifier", paths, matrix.astype(np.float32), symbols, features


def questions(data: Path, indexed: Path, past: bool) -> Iterator[Row]:
    by_split: dict[str, list] = {}
    for question in load(data).questions:
        by_split.setdefault(question.split, []).append(question)
    for split, asked in sorted(by_split.items()):
        with recollect.open(indexed / split) as project:
            project.ready()
            around = surroundings(project, past)
            with project._index.reader() as reader:
                for question in asked:
                    found = measured(reader, around, question.text, with_pieces=False)
                    if found is None:
                        continue
                    named, paths, matrix, _, features = found
                    hits = np.array(
                        [
                            [same_file_loosely(path, target.path) for path in paths]
                            for target in question.targets
                        ]
                    )
                    count = len(question.targets)
                    yield Row(
                        split, question.stratum, named, count, matrix, hits, features, np.zeros(0, bool)
                    )


def commits_of(folder: Path, name: str, past: bool = True) -> Iterator[Row]:
    asked = (folder / "replays" / name / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    with recollect.open(folder / "snapshots" / name) as project:
        project.ready()
        around = surroundings(project, past)
        with project._index.reader() as reader:
            for question in map(json.loads, asked):
                for text in _texts(folder / "source" / name, question):
                    found = measured(reader, around, text, with_pieces=True)
                    if found is not None:
                        yield _row(name, "commit", *_changed(question), found)


def sections_of(folder: Path, name: str, past: bool = True) -> Iterator[Row]:
    place = folder / "snapshots" / name
    with recollect.open(place) as project:
        project.ready()
        around = surroundings(project, past)
        with project._index.reader() as reader:
            code = {row.language for row in reader.files()} - sites().prose
            for shown in sections(reader, place):
                found = measured(reader, around, shown.text, True, Filters(languages=frozenset(code)))
                if found is not None:
                    yield _row(
                        name,
                        "section",
                        dict.fromkeys(path for path, _ in shown.symbols),
                        shown.symbols,
                        found,
                    )


def _texts(source: Path, question: dict) -> list[str]:
    command = ["git", "-C", source, "log", "-1", "--format=%b", question["query_id"]]
    body = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False).stdout
    said = " ".join(line for line in body.splitlines() if line and not _SIGNED.match(line.strip()))
    subject = question["text"]
    return [subject, f"{subject}. {said}"[:LONGEST]] if len(said.split()) >= 6 else [subject]


def _changed(question: dict) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the files and the symbols that a commit changed."""
    targets = question["targets"]
    files = [target["path"] for target in targets if "symbol" not in target]
    return files, [(target["path"], target["symbol"]) for target in targets if "symbol" in target]


def _row(name: str, stratum: str, files: Collection[str], shown: Iterable[tuple[str, str]], found) -> Row:
    named, paths, matrix, symbols, features = found
    wanted = set(shown)
    right = np.array([(item.path, item.name) in wanted for item in symbols], bool)
    if len(symbols):
        telling = [pieces.FEATURES.index(name) for name in ("symbol", "chunk", "fit")]
        kept = np.argsort(-(features[:, telling].sum(1) + 10.0 * right), kind="stable")[:SYMBOLS]
        features, right = features[kept].astype(np.float32), right[kept]
    hits = np.array([[path == one for path in paths] for one in files])
    return Row(name, stratum, named, len(files), matrix, hits, features, right)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--indexed", type=Path)
    parser.add_argument("--replays", type=Path)
    parser.add_argument("--sections", type=Path)
    parser.add_argument("--alone", action="store_true")
    chosen = parser.parse_args()
    folder = chosen.replays or chosen.sections
    if chosen.data:
        rows = list(questions(chosen.data, chosen.indexed, not chosen.alone))
    else:
        ask = commits_of if chosen.replays else sections_of
        names = sorted(entry.name for entry in (folder / "replays").iterdir())
        rows = [row for name in names for row in ask(folder, name, not chosen.alone)]
    with chosen.out.open("wb") as file:
        pickle.dump((evidence.FEATURES, pieces.FEATURES, [tuple(row) for row in rows]), file)
    print(f"{len(rows)} questions of {len({row.split for row in rows})} repositories")


if __name__ == "__main__":
    main()
