"""Memory data sets: corpus.jsonl, queries.jsonl and qrels.jsonl."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from recollect.bench.problems import Problems, Row, read_lines
from recollect.bench.values import DataSet, Memory, Question, Target

SPLIT_FIELDS = ("split", "conversation")
"""A corpus that is split names the part of each row in one of these."""
_OWN = {field.name for field in fields(Memory)}


def read(folder: Path, problems: Problems) -> DataSet:
    """Read a memory data set and check that its three files fit together."""
    memories = _corpus(folder / "corpus.jsonl", problems)
    judged = _qrels(folder / "qrels.jsonl", problems)
    questions = _queries(folder / "queries.jsonl", problems, judged, memories)
    splits: dict[str, list[Memory]] = {}
    for memory in memories.values():
        splits.setdefault(memory.split, []).append(memory)
    return DataSet(
        name=folder.resolve().name,
        kind="memory",
        folder=folder,
        questions=tuple(questions),
        memories={name: tuple(rows) for name, rows in splits.items()},
    )


def _corpus(file: Path, problems: Problems) -> dict[int, Memory]:
    memories: dict[int, Memory] = {}
    lines: dict[int, int] = {}
    for line, values in read_lines(file, problems):
        row = Row(problems, file, line, values)
        number = row.whole("id")
        memory = Memory(
            id=number or 0,
            content=row.text("content"),
            category=row.text("category", ""),
            tags=row.text("tags", ""),
            expanded_keywords=row.text("expanded_keywords", ""),
            importance=row.number("importance", 0.5),
            split=_split(row),
            extra={key: value for key, value in values.items() if key not in _OWN},
        )
        if number is None:
            continue
        if number in memories:
            row.fault(f"id {number} was already used in line {lines[number]}")
            continue
        memories[number], lines[number] = memory, line
    return memories


def _split(row: Row) -> str:
    field = next((name for name in SPLIT_FIELDS if name in row.values), "")
    return row.text(field) if field else ""


def _qrels(file: Path, problems: Problems) -> dict[str, tuple[int, list[int]]]:
    judged: dict[str, tuple[int, list[int]]] = {}
    for line, values in read_lines(file, problems):
        row = Row(problems, file, line, values)
        name = row.text("query_id")
        ids = _ids(row)
        if name in judged:
            row.fault(f"query_id {name!r} was already judged in line {judged[name][0]}")
        elif name:
            judged[name] = (line, ids)
    return judged


def _ids(row: Row) -> list[int]:
    if "relevant_ids" not in row.values:
        row.fault('lacks "relevant_ids"')
        return []
    given: list[Any] = row.many("relevant_ids")
    ids = [value for value in given if isinstance(value, int) and not isinstance(value, bool)]
    if len(ids) < len(given):
        row.fault('"relevant_ids" must hold whole numbers only')
    elif not ids and isinstance(row.values["relevant_ids"], list):
        row.fault('"relevant_ids" is empty')
    if len(set(ids)) < len(ids):
        row.fault('"relevant_ids" names an id twice')
    return list(dict.fromkeys(ids))


def _queries(
    file: Path, problems: Problems, judged: dict[str, tuple[int, list[int]]], memories: dict[int, Memory]
) -> list[Question]:
    questions: dict[str, Question] = {}
    lines: dict[str, int] = {}
    qrels = file.with_name("qrels.jsonl")
    for line, values in read_lines(file, problems):
        row = Row(problems, file, line, values)
        name, text, split = row.text("query_id"), row.text("text"), _split(row)
        if name and name in questions:
            row.fault(f"query_id {name!r} was already used in line {lines[name]}")
            continue
        if name and name not in judged and qrels not in problems.unread:
            row.fault(f"query {name!r} has no row in qrels.jsonl")
        targets = tuple(Target(id=number) for number in judged.get(name, (0, []))[1])
        questions[name], lines[name] = (
            Question(name, text, targets, row.text("stratum", "all") or "all", split),
            line,
        )
    _check_judgements(qrels, problems, judged, questions, memories)
    return list(questions.values())


def _check_judgements(
    file: Path,
    problems: Problems,
    judged: dict[str, tuple[int, list[int]]],
    questions: dict[str, Question],
    memories: dict[int, Memory],
) -> None:
    for name, (line, ids) in judged.items():
        question = questions.get(name)
        if question is None and file.with_name("queries.jsonl") not in problems.unread:
            problems.add(file, line, f"query_id {name!r} is not in queries.jsonl")
        for number in ids:
            memory = memories.get(number)
            if memory is None and file.with_name("corpus.jsonl") not in problems.unread:
                problems.add(file, line, f"id {number} is not in corpus.jsonl")
            elif memory is not None and question is not None and memory.split != question.split:
                problems.add(
                    file, line, f"id {number} is in {memory.split!r}, but {name!r} asks {question.split!r}"
                )
