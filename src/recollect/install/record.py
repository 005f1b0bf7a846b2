"""What was written into which file, so that exactly that can be taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from recollect.config import user_file
from recollect.errors import ConfigError

NAME = "installed.json"


def noted(file: Path, key: str) -> dict[str, Any]:
    """Return what was noted about an entry of a file; empty when nothing was."""
    row = _all().get(_name(file, key), {})
    return row if isinstance(row, dict) else {}


def note(file: Path, key: str, row: dict[str, Any] | None) -> None:
    """Note what was done to a file, or with None forget it."""
    rows = _all()
    if row is None:
        rows.pop(_name(file, key), None)
    else:
        rows[_name(file, key)] = row
    place = _place()
    if rows:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    else:
        place.unlink(missing_ok=True)


def _all() -> dict[str, Any]:
    place = _place()
    try:
        rows = json.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"The record {place} cannot be read ({error}); remove it and try again.") from error
    return rows if isinstance(rows, dict) else {}


def _name(file: Path, key: str) -> str:
    return f"{file.resolve()}#{key}"


def _place() -> Path:
    return user_file().with_name(NAME)
