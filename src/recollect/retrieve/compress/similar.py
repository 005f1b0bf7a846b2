"""Lines that nearly repeat one of the last lines are dropped; the structure never is."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from recollect.retrieve.compress.rows import Row

SAME = 0.85
WINDOW = 20


def drop_repeated(rows: Sequence[Row]) -> list[Row]:
    """Return the rows without near repetitions and without runs of blank lines."""
    out: list[Row] = []
    recent: list[str] = []
    for row in rows:
        if row.blank:
            if out and not out[-1].blank:
                out.append(row)
            continue
        lines = row.text.split("\n")
        free = not (row.kept or row.remark) and len(lines) == 1
        if free and any(near(lines[0], line) for line in recent[-WINDOW:]):
            continue
        out.append(row)
        recent.extend(lines)
    return out


def near(line: str, other: str) -> bool:
    """Say whether two lines are nearly the same."""
    left, right = line.strip(), other.strip()
    if left == right:
        return True
    if 2.0 * min(len(left), len(right)) <= SAME * (len(left) + len(right)):
        return False
    matcher = SequenceMatcher(None, right, left, autojunk=False)
    return matcher.quick_ratio() > SAME and matcher.ratio() > SAME
