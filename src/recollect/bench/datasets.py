"""Loads a data set; its kind is told by the files that the folder holds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from recollect.bench.problems import DataSetError, Problems
from recollect.bench.readers import annotated, memory, repository, tasks
from recollect.bench.values import DataSet
from recollect.errors import UsageError

Reader = Callable[[Path, Problems], DataSet]


def load(folder: Path, splits: Collection[str] = (), limit: int = 0, strata: Collection[str] = ()) -> DataSet:
    """Load a data set, or only some of its splits, strata or first questions; all problems are listed at once."""
    if not folder.is_dir():
        raise UsageError(f"There is no data set {folder}; give a folder that holds one.")
    problems = Problems(folder)
    data = _reader(folder)(folder, problems)
    problems.raise_if_any()
    chosen = _choose(_only(data, strata), splits, limit)
    return replace(chosen, digest=digest(chosen))


def digest(data: DataSet) -> str:
    """Return a hash of the questions, their targets and the corpora."""
    whole = hashlib.blake2b(digest_size=16)
    for question in sorted(data.questions, key=lambda one: one.id):
        targets = sorted(repr(target) for target in question.targets)
        whole.update(repr((question.id, question.text, question.split, targets)).encode())
    for split, memories in sorted(data.memories.items()):
        whole.update(repr((split, [one.to_row() for one in memories])).encode())
    for name, spec in sorted(data.repositories.items()):
        whole.update(repr((name, spec.revision, spec.root)).encode())
    return whole.hexdigest()


def _reader(folder: Path) -> Reader:
    has = {entry.name for entry in folder.iterdir()}
    if "tasks.jsonl" in has:
        return tasks.read
    if "annotations" in has or (folder / "data" / "annotations").is_dir():
        return annotated.read
    if "repos.json" in has:
        return repository.read
    if has & {"corpus.jsonl", "qrels.jsonl", "queries.jsonl"}:
        return memory.read
    raise DataSetError(
        folder,
        [
            "it holds neither corpus.jsonl, queries.jsonl and qrels.jsonl nor repos.json with "
            "queries.jsonl, tasks.jsonl or annotations/"
        ],
    )


def _only(data: DataSet, strata: Collection[str]) -> DataSet:
    unknown = sorted(set(strata) - set(data.strata))
    if unknown:
        raise UsageError(
            f"The data set {data.name} has no stratum {', '.join(unknown)}; it has {', '.join(data.strata)}."
        )
    kept = tuple(question for question in data.questions if not strata or question.stratum in strata)
    return replace(data, questions=kept)


def _choose(data: DataSet, splits: Collection[str], limit: int) -> DataSet:
    wanted = set(splits)
    unknown = sorted(wanted - set(data.splits))
    if unknown:
        raise UsageError(
            f"The data set {data.name} has no split {', '.join(unknown)}; it has {', '.join(data.splits)}."
        )
    asked = {question.split for question in data.questions if not wanted or question.split in wanted}
    seen: dict[str, int] = {}
    questions = []
    for question in data.questions:
        if question.split not in asked or (limit and seen.get(question.split, 0) >= limit):
            continue
        seen[question.split] = seen.get(question.split, 0) + 1
        questions.append(question)
    if not questions:
        raise UsageError(f"The data set {data.name} has no questions left; choose other splits.")
    return replace(
        data,
        questions=tuple(questions),
        memories={name: rows for name, rows in data.memories.items() if name in asked},
        repositories={name: spec for name, spec in data.repositories.items() if name in asked},
    )
