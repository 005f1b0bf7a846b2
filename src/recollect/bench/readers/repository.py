"""Repository data sets: repos.json, and queries.jsonl whose targets are files, spans or symbols."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath
from typing import Any

from recollect.bench.problems import Problems, Row, read_lines, read_list
from recollect.bench.values import DataSet, Question, RepositorySpec, Target

KINDS = ("repository", "replay")


def read(folder: Path, problems: Problems) -> DataSet:
    """Read a repository data set; dataset.json may say that it is a replay, and what it is called."""
    kind, name = _said(folder, problems)
    repositories = read_repositories(folder / "repos.json", problems)
    questions: dict[str, Question] = {}
    file = folder / "queries.jsonl"
    for line, values in read_lines(file, problems):
        row = Row(problems, file, line, values)
        question = Question(
            id=row.text("query_id"),
            text=row.text("text"),
            targets=_targets(row),
            stratum=row.text("stratum", "all") or "all",
            split=row.text("repo"),
        )
        if question.id and question.id in questions:
            row.fault(f"query_id {question.id!r} was already used")
        check_repository(row, question.split, repositories)
        questions[question.id] = question
    return DataSet(
        name=name,
        kind=kind,
        folder=folder,
        questions=tuple(questions.values()),
        repositories=repositories,
    )


def _said(folder: Path, problems: Problems) -> tuple[str, str]:
    file = folder / "dataset.json"
    if not file.is_file():
        return "repository", folder.resolve().name
    try:
        values = json.loads(file.read_bytes())
    except ValueError as error:
        problems.add(file, getattr(error, "lineno", 1), f"is not JSON ({error})")
        return "repository", folder.resolve().name
    row = Row(problems, file, 1, values if isinstance(values, dict) else {})
    kind, name = row.text("kind", "repository"), row.text("name", folder.resolve().name)
    if kind not in KINDS:
        row.fault(f'"kind" must be one of {", ".join(KINDS)}, not {kind!r}')
    return kind, name


def read_repositories(file: Path, problems: Problems) -> dict[str, RepositorySpec]:
    """Read repos.json: name, url, revision, and the folder to index when it is not the whole."""
    repositories: dict[str, RepositorySpec] = {}
    for line, values in read_list(file, problems):
        row = Row(problems, file, line, values)
        name = row.text("name")
        spec = RepositorySpec(
            name=name,
            url=row.text("url", ""),
            revision=row.text("revision", ""),
            root=row.text("benchmark_root", "").strip("/"),
            language=row.text("language", ""),
            path=row.text("path", ""),
        )
        if not spec.url and not spec.path:
            row.fault('has neither "url" nor "path"')
        if _escapes(name) or "/" in name or _escapes(spec.root):
            row.fault("name and benchmark_root must stay inside the folder of the repositories")
        if name in repositories:
            row.fault(f"repository {name!r} was already named")
        repositories[name] = spec
    return repositories


def check_repository(row: Row, name: str, repositories: dict[str, RepositorySpec]) -> None:
    """Note a question that asks an unknown repository."""
    known = not any(file.name == "repos.json" for file in row.problems.unread)
    if name and known and name not in repositories:
        row.fault(f"repository {name!r} is not in repos.json")


def _targets(row: Row) -> tuple[Target, ...]:
    given = row.many("targets")
    if not given:
        row.fault('"targets" is missing or empty')
    found = [_target(row, value) for value in given]
    targets = [target for target in found if target is not None]
    if len(set(targets)) < len(targets):
        row.fault('"targets" names one of them twice')
    return tuple(dict.fromkeys(targets))


def _target(row: Row, value: Any) -> Target | None:
    if isinstance(value, str) and value:
        return Target(path=value)
    if not isinstance(value, dict):
        row.fault("each of the targets must be a path or an object with path, start, end or symbol")
        return None
    inner = Row(row.problems, row.file, row.line, value)
    path, symbol = inner.text("path", ""), inner.text("symbol", "")
    if not path and not symbol:
        row.fault("a target has neither path nor symbol")
        return None
    start, end = read_span(row, value, "start", "end")
    return Target(path=path, start=start, end=end, symbol=symbol)


def read_span(row: Row, value: dict[str, Any], first: str, last: str) -> tuple[int | None, int | None]:
    """Read the lines of a target; without them the whole file is meant, without an end one line."""
    inner = Row(row.problems, row.file, row.line, value)
    start = inner.whole(first) if value.get(first) is not None else None
    end = inner.whole(last) if value.get(last) is not None else start
    if start is not None and end is not None and not 1 <= start <= end:
        row.fault(f"a target has the span {start}-{end}")
    return start, end


def _escapes(path: str) -> bool:
    pure = PurePosixPath(path.replace("\\", "/"))
    return pure.is_absolute() or ".." in pure.parts
