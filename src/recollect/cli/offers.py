"""What a shell is offered to complete a value with, as the project has it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from recollect.engine import Recollect

MOST = 200
"""Memories that are offered, newest first."""


def profiles(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the names of profiles."""
    with _project(ctx) as project:
        rows = [(row["name"], row["description"]) for row in project.profiles()]
    return _items(rows, incomplete)


def memories(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the ids of memories; shells that show a help show the first line of each."""
    scope = "global" if ctx.params.get("everywhere") else "project"
    with _project(ctx) as project:
        rows = [(item.id, item.name) for item in project.timeline(0, MOST, scope=scope).items]
    return _items(rows, incomplete)


def _project(ctx: click.Context) -> Recollect:
    from recollect import engine

    folder: Path | None = ctx.params.get("folder")
    return engine.open(folder)


def _items(rows: Iterable[tuple[str, str]], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(value, help=text) for value, text in rows if value.startswith(incomplete)]
