"""Test code steps back, unless the task is about tests."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.allowed import is_test_path
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What the score of test code is multiplied by, and whether the parser's word counts beside the path."""

    factor: float = 0.3
    by_path_only: bool = True
    lift: bool = True


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Multiply the scores of tests."""
    if parameters.lift and context.query.about_tests:
        context.trace.summarise("The task is about tests, so they keep their scores.")
        return candidates
    items = context.items(row.number for row in candidates)
    rows = []
    for row in candidates:
        item = items[row.number]
        if is_test_path(item.path) or (item.test and not parameters.by_path_only):
            context.trace.note(row.number, f"test code, times {parameters.factor:g}")
            row = row.scored(row.score * parameters.factor)  # noqa: PLW2901  # the same row, lowered
        rows.append(row)
    return context.ordered(rows)


STAGE = Stage("tests", "rerank", Parameters, run)
