"""An explanation as text: one step a line, with the terms of every score under it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from recollect.cli.render import WIDTH, cut, style
from recollect.types import Explanation, Step

STAGE = 22


def explanation_lines(found: Explanation) -> list[str]:
    """Show the verdict, every stage, and what would have kept the symbol."""
    head = f"{style(found.name, bold=True)}  {style(found.path, fg='cyan')}  profile {found.profile}"
    lines = [head, *_wrapped(found.verdict, ""), ""]
    for step in found.steps:
        lines += _step_lines(step)
    if found.keep:
        lines.append("")
        for sentence in found.keep:
            lines += _wrapped(sentence, "  ")
    return lines


def changes_lines(changes: Sequence[dict[str, Any]], first: str, second: str) -> list[str]:
    """Show each item's place by one profile and by the other."""
    lines = [f"{first} -> {second}"]
    for row in changes:
        places = f"{_place(row['before'])} -> {_place(row['after'])}"
        where = "" if row["path"] in row["name"] else f"  {row['path']}"
        lines.append(cut(f"  {places:>12}  {row['name']}{where}"))
        if row["why"]:
            lines += _wrapped(row["why"], " " * 16)
    return lines


def _step_lines(step: Step) -> list[str]:
    rank = f"#{step.rank}" if step.rank else "-"
    score = "" if step.score is None else f"{step.score:.4f}"
    head = f"  {step.stage:<{STAGE}} {rank:>5} {score:>8}  "
    below = " " * len(head)
    lines = textwrap.wrap(step.text, WIDTH, initial_indent=head, subsequent_indent=below) or [head.rstrip()]
    terms = [f"{name} {value:+.4f}" for name, value in step.terms.items() if value]
    return lines + (_wrapped(", ".join(terms), below) if terms else [])


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def _place(place: int | None) -> str:
    return f"#{place}" if place else "-"
