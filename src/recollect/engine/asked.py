"""What a caller asks, as keyword arguments: filters, and any key of a profile."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from recollect.config import suggest
from recollect.errors import UsageError
from recollect.ports import Filters
from recollect.retrieve.desk import Question
from recollect.retrieve.query import Request
from recollect.retrieve.values import ChangedLines
from recollect.source.changes import Changed, lines_since

MAX_LIMIT = 1000
FILTERS = ("languages", "kinds", "path_prefixes", "include_tests")
BESIDE = ("seed", "session")
PLAIN = ("limit", "budget", "profile", "format", "files", "base", "memories")
"""Arguments of their own, which a slip of the pen may have meant."""
WHOLE = ("tokens",)
"""Keys of a profile that belong to no stage and are no parameter of their own."""


def question(text: str, profile: str, options: dict[str, Any], **asked: Any) -> Question:
    """Return a question; options are filters, `seed`, `session`, and keys of the profile with `__` or dots."""
    own = {key: value for key, value in options.items() if "." in key or "__" in key or key in WHOLE}
    flat = {key: value for key, value in options.items() if key not in own}
    known = (*FILTERS, *BESIDE, *WHOLE)
    for key in flat:
        if key not in known:
            hint = suggest(key, (*known, *PLAIN))
            raise UsageError(
                f"There is no option '{key}'.{hint} Options are {', '.join(known)}, and any key "
                "of the profile as phase__stage__key."
            )
    beside = {key: flat[key] for key in BESIDE if key in flat}
    return Question(text, Request(filters=filters(flat), **beside, **asked), profile, own)


def context_question(
    root: Path,
    about: tuple[str | None, Iterable[str] | None, str | None],
    budget: int | None,
    profile: str,
    options: dict[str, Any],
) -> Question:
    """Return the question about a task, files or the change since a base; a task may stand beside files or a base."""
    task, files, base = about
    if task is None and files is None and base is None:
        raise UsageError("Say what the context is for: a task, files, or the base of a change.")
    if files is not None and base is not None:
        raise UsageError("Give files or a base, not both; a base already names its files.")
    kind, named = "task", tuple(_several(files or ()))
    lines: tuple[ChangedLines, ...] = ()
    if base is not None:
        kind, changed = "change", lines_since(root, base)
        named, lines = tuple(changed.lines), _changed_lines(changed, base)
    elif files is not None:
        kind = "files"
    if kind == "files" and not named:
        raise UsageError("No file was named; give at least one.")
    named = tuple(spelled(root, file) for file in named)
    return question(task or "", profile, options, kind=kind, files=named, lines=lines, budget=budget)


def _changed_lines(changed: Changed, base: str) -> tuple[ChangedLines, ...]:
    if not changed.lines and changed.gone:
        raise UsageError(
            f"Since '{base}' files were only removed ({', '.join(changed.gone[:3])}), so there is nothing to look at."
        )
    if not changed.lines:
        raise UsageError(f"Nothing differs from '{base}', so there is no change to look at.")
    return tuple(ChangedLines(path, spans) for path, spans in changed.lines.items())


def filters(options: dict[str, Any]) -> Filters:
    """Return the filters among options."""
    return Filters(
        languages=frozenset(_several(options.get("languages", ()))),
        kinds=frozenset(_several(options.get("kinds", ()))),
        path_prefixes=tuple(map(_spelled, _several(options.get("path_prefixes", ())))),
        include_tests=bool(options.get("include_tests", True)),
    )


def checked_limit(limit: int) -> int:
    """Return a limit that lies in its bounds."""
    if not 1 <= limit <= MAX_LIMIT:
        raise UsageError(f"The limit must lie between 1 and {MAX_LIMIT}, not {limit}.")
    return limit


def spelled(root: Path, file: str) -> str:
    """Return a path as the index spells it: relative to the root, with forward slashes."""
    place = Path(file)
    if place.is_absolute():
        try:
            place = Path(os.path.relpath(place.resolve(), root))
        except (OSError, ValueError):
            return file
    return _spelled(place.as_posix())


def _spelled(path: str) -> str:
    """Return a relative path with forward slashes, also when it was written as on Windows."""
    return path.replace("\\", "/").removeprefix("./")


def _several(value: str | Iterable[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
