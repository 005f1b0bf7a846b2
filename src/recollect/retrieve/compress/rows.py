"""What a text consists of while it is shortened."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """A unit of lines, or a remark in place of several."""

    text: str
    bare: str
    """The text without comments, to see its structure by."""
    kept: bool
    blank: bool = False
    remark: bool = False

    @property
    def lines(self) -> int:
        """Return how many lines it has."""
        return self.text.count("\n") + 1
