"""Code search questions in one annotation file per repository: data/repos.json and data/annotations/*.json."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from recollect.bench.problems import Problems, Row, read_list
from recollect.bench.readers.repository import check_repository, read_repositories, read_span
from recollect.bench.values import DataSet, Question, RepositorySpec, Target


def read(folder: Path, problems: Problems) -> DataSet:
    """Read the questions of all annotation files; primary and secondary targets count the same."""
    data = folder / "data" if (folder / "data").is_dir() else folder
    repositories = read_repositories(data / "repos.json", problems)
    files = sorted((data / "annotations").glob("*.json"))
    if not files:
        problems.add(data / "annotations", 1, "holds no annotation files")
    questions = [question for file in files for question in _questions(file, problems, repositories)]
    return DataSet(
        name=folder.resolve().name,
        kind="codesearch",
        folder=folder,
        questions=tuple(questions),
        repositories=repositories,
    )


def _questions(file: Path, problems: Problems, repositories: dict[str, RepositorySpec]) -> list[Question]:
    questions: list[Question] = []
    for number, (line, values) in enumerate(read_list(file, problems)):
        row = Row(problems, file, line, values)
        split, text = row.text("repo", file.stem), row.text("query")
        targets = [_target(row, value) for key in ("relevant", "secondary") for value in row.many(key)]
        if not targets:
            row.fault("has no targets")
        check_repository(row, split, repositories)
        known = tuple(target for target in targets if target is not None)
        questions.append(Question(f"{split}-{number:03d}", text, known, row.text("category", "all"), split))
    return questions


def _target(row: Row, value: Any) -> Target | None:
    if isinstance(value, str) and value:
        return Target(path=value)
    if not isinstance(value, dict) or not isinstance(value.get("path"), str):
        row.fault("a target must be a path or an object with a path")
        return None
    start, end = read_span(row, value, "start_line", "end_line")
    return Target(path=value["path"], start=start, end=end)
