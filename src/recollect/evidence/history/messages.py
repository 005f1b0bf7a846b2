"""What the messages of past commits say and which files each of them changed, in one run of git."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from recollect.source.git import run_git

LONGEST = 600
"""Characters of a message that are read: what comes later seldom says what the commit is about."""
_SIGNED = re.compile(
    r"^[A-Z][\w-]*-by:.*$|^change-id:.*$|^\(?cherry picked from .*$", re.IGNORECASE | re.MULTILINE
)


class Message(NamedTuple):
    """A commit that is no merge."""

    text: str
    paths: tuple[str, ...]
    """Every file below the root that it changed, also those that it removed."""


def messages(root: Path, commit: str, most: int) -> list[Message] | None:
    """Return the newest commits that lead to one and change something below the root, or None when git fails.

    What has no parent, as the first commit and those with which a shallow clone begins, added everything at once and
    is left out.
    """
    how = ("--no-merges", "--no-renames", "--name-only", "-z", "--relative", "--format=%x01%P%x03%B%x02")
    said = run_git(root, "log", f"--max-count={most}", *how, commit, "--", ".", timeout=60.0)
    if said is None:
        return None
    parts = (part.partition("\x03") for part in said.split("\x01"))
    return [_message(rest) for parents, _, rest in parts if parents and "\x02" in rest]


def _message(part: str) -> Message:
    text, _, rest = part.partition("\x02")
    paths = (path.lstrip("\n") for path in rest.split("\0"))
    return Message(_SIGNED.sub("", text).strip()[:LONGEST], tuple(path for path in paths if path))
