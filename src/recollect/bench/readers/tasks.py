"""Tasks whose targets are symbols: tasks.jsonl and repos.json."""

from __future__ import annotations

from pathlib import Path

from recollect.bench.problems import Problems, Row, read_lines
from recollect.bench.readers.repository import check_repository, read_repositories
from recollect.bench.values import DataSet, Question, Target


def read(folder: Path, problems: Problems) -> DataSet:
    """Read the tasks; the stratum is the tier."""
    repositories = read_repositories(folder / "repos.json", problems)
    questions: dict[str, Question] = {}
    file = folder / "tasks.jsonl"
    for line, values in read_lines(file, problems):
        row = Row(problems, file, line, values)
        name, split = row.text("id"), row.text("repo")
        symbols = row.many("ground_truth")
        if not symbols:
            row.fault('"ground_truth" is missing or empty')
        if not all(isinstance(symbol, str) and symbol for symbol in symbols):
            row.fault('"ground_truth" must hold names only')
        if name in questions:
            row.fault(f"id {name!r} was already used")
        check_repository(row, split, repositories)
        targets = tuple(Target(symbol=symbol) for symbol in symbols if isinstance(symbol, str))
        questions[name] = Question(name, row.text("description"), targets, row.text("tier", "all"), split)
    return DataSet(
        name=folder.resolve().name,
        kind="tasks",
        folder=folder,
        questions=tuple(questions.values()),
        repositories=repositories,
    )
