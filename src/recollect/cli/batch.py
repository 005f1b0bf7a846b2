"""Questions as lines of JSON, for commands that answer many of them in one process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TextIO, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])


def batch_option(function: Function) -> Function:
    """Add `--batch FILE`."""
    return click.option(
        "--batch",
        type=click.File("r", encoding="utf-8"),
        metavar="FILE",
        help='Answer a JSONL of {"id", "query"}, "-" for stdin; prints one JSON object a line.',
    )(function)


def questions(batch: TextIO) -> Iterator[tuple[Any, str]]:
    """Yield the id and the text of every question; a line that is none is named."""
    for number, line in enumerate(batch, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            question = (row["id"], row["query"])
        except (ValueError, TypeError, KeyError) as error:
            place = f"Line {number} of {getattr(batch, 'name', 'the batch')}"
            raise click.UsageError(f'{place} is not an object with "id" and "query" ({error}).') from error
        if not isinstance(question[1], str):
            raise click.UsageError(f'Line {number}: "query" must be a string, not {question[1]!r}.')
        yield question
