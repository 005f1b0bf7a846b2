"""For pages and pull requests: a heading of place and name, why, and the text in a fence that it cannot close."""

from __future__ import annotations

import re

from recollect.retrieve.formats.block import Block, Format, note_lines
from recollect.source.languages import language_by_name


def block(row: Block) -> str:
    """Write one entry with a blank line below it."""
    title = " ".join(part for part in (_code(row.place), row.kind, _code(row.name)) if part)
    why = f"{'; '.join(row.reasons)}\n\n" if row.reasons else ""
    fence = "`" * max(3, 1 + _longest(row.text))
    text = f"{fence}{language_by_name(row.path)}\n{row.text}\n{fence}\n" if row.text else ""
    return f"### {title}\n{why}{text}\n"


def _code(text: str) -> str:
    if not text:
        return ""
    ticks = "`" * (1 + _longest(text))
    return f"{ticks}{text}{ticks}" if len(ticks) == 1 else f"{ticks} {text} {ticks}"


def _longest(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


FORMAT = Format("markdown", "", "", block, note_lines, "place")
