"""For agents: the fewest tokens that still tell place, name and why; signatures stay on their line."""

from __future__ import annotations

import re

from recollect.retrieve.formats.block import Block, Format, note_lines

MAX_REASONS = 2
_MARK = re.compile(r"^@ ", re.M)


def block(row: Block) -> str:
    """Write `@ place signature # why`, with the name when it is not in it, and what has several lines below."""
    why = f" # {'; '.join(row.reasons[:MAX_REASONS])}" if row.reasons else ""
    if not row.text or row.text == row.name:
        return f"@ {row.title}{why}\n"
    if "\n" not in row.text and row.form == "signature":
        name = f" {row.name}:" if row.name not in row.text else ""
        return f"@ {row.place}{name} {row.text.strip()}{why}\n"
    body = _MARK.sub(" @ ", row.text)
    return f"@ {row.title}{why}\n{body}\n"


FORMAT = Format("lines", "", "", block, note_lines, "place")
