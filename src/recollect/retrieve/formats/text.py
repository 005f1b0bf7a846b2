"""For people: place and name, why, and the text; the best first."""

from __future__ import annotations

from recollect.retrieve.formats.block import Block, Format, note_lines


def block(row: Block) -> str:
    """Write one entry with a blank line below it."""
    why = f"  # {'; '.join(row.reasons)}\n" if row.reasons else ""
    text = f"{row.text}\n" if row.text else ""
    return f"{row.title}\n{why}{text}\n"


FORMAT = Format("text", "", "", block, note_lines, "rank")
