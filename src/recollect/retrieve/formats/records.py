"""For programs: one JSON object, one entry a line, notes after the entries."""

from __future__ import annotations

import json
from collections.abc import Sequence

from recollect.retrieve.formats.block import Block, Format, left_out


def block(row: Block) -> str:
    """Write one entry and the comma behind it."""
    said = {
        "path": row.path,
        "lines": row.lines,
        "kind": row.kind,
        "name": row.name,
        "form": row.form,
        "why": list(row.reasons),
        "text": row.text,
    }
    return f"{json.dumps(said, ensure_ascii=False, separators=(',', ':'))},\n"


def notes(omitted: int, said: Sequence[str], tail: str) -> str:
    """Write the end of the object, with the notes in it."""
    rows = [text for text in (left_out(omitted), *said) if text]
    return tail.replace("[]", json.dumps(rows, ensure_ascii=False), 1) if rows else tail


FORMAT = Format("json", '{"items":[\n', '],"notes":[]}\n', block, notes, "rank")
