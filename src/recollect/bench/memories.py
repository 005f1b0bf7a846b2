"""The memories that a data set is built of: from a JSONL file, without what is sensitive."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from recollect.bench.build import Writer
from recollect.bench.problems import Problems, read_lines
from recollect.bench.values import Memory
from recollect.errors import UsageError

SENSITIVE = ("is_sensitive", "sensitive")
CARRIED = (
    "kind", "layer", "priority", "trust", "conversation", "session", "speaker", "author", "position", "date", "created",
)  # fmt: skip
"""What else a memory keeps in a data set, because recall ranks by it."""
TIMEOUT = 120.0


def read(file: Path) -> list[Memory]:
    """Read an export: one object a line with `content` or `text`, and whatever else is known of it."""
    problems = Problems(file.parent)
    rows = [row for _, row in read_lines(file, problems)]
    problems.raise_if_any()
    return plain(rows)


def plain(rows: Iterable[Mapping[str, Any]]) -> list[Memory]:
    """Return memories numbered from 1, in their order, without sensitive and empty ones and those put away."""
    kept = [row for row in rows if _text(row).strip() and not _sensitive(row) and _active(row)]
    if not kept:
        raise UsageError("There are no memories to build questions of; remember something first.")
    return [
        Memory(
            id=number,
            content=_text(row),
            category=str(row.get("category") or row.get("kind") or ""),
            tags=_joined(row.get("tags"), ","),
            expanded_keywords=_joined(row.get("expanded_keywords"), " "),
            importance=float(row.get("importance") or 0.5),
            extra={key: row[key] for key in CARRIED if row.get(key) not in (None, "")},
        )
        for number, row in enumerate(kept, start=1)
    ]


def command_writer(command: str) -> Writer:
    """Return a writer that runs a command: it reads {"stratum", "text"} as JSON and prints one question."""

    def write(stratum: str, text: str) -> str:
        given = json.dumps({"stratum": stratum, "text": text}, ensure_ascii=False)
        try:
            # The user's own command line, run as the user typed it; memories reach it on stdin only.
            done = subprocess.run(  # noqa: S602
                command, shell=True, input=given, capture_output=True, text=True, encoding="utf-8",
                timeout=TIMEOUT, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise UsageError(
                f"The command {command!r} took longer than {TIMEOUT:.0f} s for one memory."
            ) from error
        if done.returncode:
            said = done.stderr.strip().splitlines()
            raise UsageError(
                f"The command {command!r} failed: {said[-1] if said else f'exit {done.returncode}'}."
            )
        return " ".join(done.stdout.split())

    return write


def _text(row: Mapping[str, Any]) -> str:
    value = row.get("content", row.get("text", ""))
    return value if isinstance(value, str) else ""


def _sensitive(row: Mapping[str, Any]) -> bool:
    metadata = row.get("metadata")
    places = [row, metadata] if isinstance(metadata, Mapping) else [row]
    if SENSITIVE[-1] in _joined(row.get("tags"), ",").split(","):
        return True
    return any(
        place.get(key) not in (None, False, 0, "", "0", "false") for place in places for key in SENSITIVE
    )


def _active(row: Mapping[str, Any]) -> bool:
    """Tell whether recall shows a memory without being asked for those that were put away."""
    return row.get("status", "active") in ("active", "contested")


def _joined(value: Any, joint: str) -> str:
    if isinstance(value, list | tuple):
        return joint.join(str(one) for one in value)
    return value if isinstance(value, str) else ""
