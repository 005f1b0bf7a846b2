"""Which of a question's targets each result hits."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.bench import names
from recollect.bench.values import Answer, Question, Target
from recollect.errors import UsageError

NOTHING: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Judged:
    """A ranked list as the metrics see it."""

    hits: tuple[frozenset[int], ...]
    """For each result, best first, the positions of the targets that it hits."""
    targets: int
    strict: tuple[frozenset[int], ...] | None = None
    """For symbols: the same when only the same last name counts and a target can be claimed once."""
    functions: tuple[frozenset[int], ...] = ()
    """For replays: the same for the changed functions, where `hits` is about files."""
    function_targets: int = 0


def judge(kind: str, results: Sequence[Any], question: Question) -> Judged:
    """Judge the results of a retriever on one question of a data set of this kind."""
    if kind == "memory":
        return _by_id(results, question)
    answers = [as_answer(result) for result in results]
    if kind == "tasks":
        return _by_name(answers, question)
    if kind == "replay":
        return _by_file_and_function(answers, question)
    same = same_file(kind)
    hits = tuple(
        frozenset(at for at, target in enumerate(question.targets) if _hits_place(answer, target, same))
        for answer in answers
    )
    return Judged(hits, len(question.targets))


def as_answer(result: Any) -> Answer:
    """Return what a code retriever gave back as an answer: one, a path, or an object with path, start, end, name."""
    if isinstance(result, Answer):
        return result
    if isinstance(result, str):
        return Answer(path=result)
    if isinstance(result, dict):
        return Answer(**{key: result[key] for key in Answer.__slots__ if key in result})
    raise UsageError(
        f"A code retriever must return paths, objects with path, start, end, name, or Answers, not {result!r}."
    )


def as_id(result: Any) -> int:
    """Return what a memory retriever gave back as the id of a memory; numbers of other libraries are taken too."""
    try:
        return operator.index(result)
    except TypeError as error:
        raise UsageError(
            f"A memory retriever must return ids, whole numbers as in corpus.jsonl, not {result!r}."
        ) from error


def same_file(kind: str) -> Callable[[str, str], bool]:
    """Return how paths are compared in a data set of this kind."""
    return same_file_loosely if kind == "codesearch" else _same_file


def same_file_loosely(one: str, other: str) -> bool:
    """Tell whether two paths are equal or one ends in the other at a slash, as the public scorer has it."""
    one, other = one.replace("\\", "/"), other.replace("\\", "/")
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)


def _same_file(one: str, other: str) -> bool:
    return one.replace("\\", "/") == other.replace("\\", "/")


def _by_id(results: Sequence[Any], question: Question) -> Judged:
    places = {target.id: at for at, target in enumerate(question.targets)}
    unique = dict.fromkeys(results)
    hits = tuple(frozenset({places[result]}) if result in places else NOTHING for result in unique)
    return Judged(hits, len(question.targets))


def _by_name(answers: Sequence[Answer], question: Question) -> Judged:
    wanted = [target.symbol for target in question.targets]
    hits = tuple(
        frozenset(at for at, symbol in enumerate(wanted) if names.matches(answer.name, symbol))
        for answer in answers
    )
    claimed: set[int] = set()
    strict: list[frozenset[int]] = []
    for answer in answers:
        at = next(
            (
                at
                for at, symbol in enumerate(wanted)
                if at not in claimed and names.same_symbol(answer.name, symbol)
            ),
            None,
        )
        strict.append(NOTHING if at is None else frozenset({at}))
        if at is not None:
            claimed.add(at)
    return Judged(hits, len(wanted), tuple(strict))


def _by_file_and_function(answers: Sequence[Answer], question: Question) -> Judged:
    """Judge the files in the order in which each first appears, and beside them the changed functions."""
    files = [target.path for target in question.targets if not target.symbol]
    functions = [target for target in question.targets if target.symbol]
    ranked = dict.fromkeys(answer.path for answer in answers)
    return Judged(
        hits=tuple(frozenset(at for at, path in enumerate(files) if path == found) for found in ranked),
        targets=len(files),
        functions=tuple(
            frozenset(at for at, one in enumerate(functions) if _hits_place(answer, one, _same_file))
            for answer in answers
        ),
        function_targets=len(functions),
    )


def _hits_place(answer: Answer, target: Target, same: Callable[[str, str], bool]) -> bool:
    if target.path and not (answer.path and same(answer.path, target.path)):
        return False
    if target.symbol:
        return bool(answer.name) and names.same_symbol(answer.name, target.symbol)
    if target.start is None or target.end is None or answer.start is None or answer.end is None:
        return True
    return not (answer.end < target.start or answer.start > target.end)
