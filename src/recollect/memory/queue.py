"""Writes that wait for a server, in the order in which they were made, and those that met changes of others."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from recollect.config import write_whole
from recollect.errors import CorruptError

QUEUE, CONFLICTS = "shared.queue", "shared.conflicts"


class Waiting(NamedTuple):
    """One write that could not be made when it was asked for."""

    action: str
    arguments: dict[str, Any]
    marks: dict[str, str]
    """What the memories that it changes were like then, by id."""
    time: str
    why: str = ""
    """What kept it from being made when the server was back."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return self._asdict()


def read(file: Path) -> list[Waiting]:
    """Return what waits, oldest first."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(Waiting(**json.loads(line)))
        except (ValueError, TypeError) as error:
            if number == len(lines):
                # A kill in the middle of the last line: that write was never acknowledged.
                break
            raise CorruptError(
                f"Line {number} of {file} cannot be read ({error}); mend or remove it, the others still wait."
            ) from error
    return found


def append(file: Path, one: Waiting) -> None:
    """Add a write, so that a crash cannot lose it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(one.to_dict(), ensure_ascii=False) + "\n"
    with file.open("a+b") as opened:
        opened.seek(0, os.SEEK_END)
        if opened.tell():
            opened.seek(-1, os.SEEK_END)
            if opened.read(1) != b"\n":
                # What a kill left half written was never acknowledged, and must not swallow this line.
                line = "\n" + line
        opened.write(line.encode("utf-8", "surrogatepass"))
        opened.flush()
        os.fsync(opened.fileno())


def replace(file: Path, left: Sequence[Waiting]) -> None:
    """Let only these wait."""
    if left:
        write_whole(file, "".join(json.dumps(one.to_dict(), ensure_ascii=False) + "\n" for one in left))
    else:
        file.unlink(missing_ok=True)
