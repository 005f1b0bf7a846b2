"""Follows the edits in a project and updates the index after each burst of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.errors import RecollectError
from recollect.types import IndexReport

if TYPE_CHECKING:
    from watchfiles import Change

_DEBOUNCE_MS = 300
_QUIET_MS = 50
_LOOK_AGAIN_MS = 1000
_UNWATCHED = frozenset({
    ".recollect", "node_modules", "__pycache__", ".venv", ".hg", ".svn", ".tox", ".mypy_cache", ".ruff_cache",
    ".pytest_cache",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Watched:
    """One round of watching: what the update did, or why it could not be made."""

    report: IndexReport | None
    error: str = ""


def watch(
    root: Path, update: Callable[[], IndexReport], stop: threading.Event, polling: bool = False
) -> Iterator[Watched]:
    """Update once, then after every burst of edits until `stop` is set; a failure is told, then tried again."""
    from watchfiles import watch as changes

    last = _attempt(update)
    yield last
    rounds = changes(
        root,
        watch_filter=_concerns(root),
        debounce=_DEBOUNCE_MS,
        step=_QUIET_MS,
        rust_timeout=_LOOK_AGAIN_MS,
        yield_on_timeout=True,
        stop_event=stop,
        force_polling=polling,
        raise_interrupt=True,
        ignore_permission_denied=True,
    )
    for found in rounds:
        if not found and not last.error:
            continue
        last = _attempt(update)
        if last.error or (last.report is not None and last.report.mode != "unchanged"):
            yield last


def _attempt(update: Callable[[], IndexReport]) -> Watched:
    try:
        return Watched(update())
    except RecollectError as error:
        return Watched(None, str(error))


def _concerns(root: Path) -> Callable[[Change, str], bool]:
    start = len(str(root)) + 1

    def wanted(_: Change, path: str) -> bool:
        parts = path[start:].replace("\\", "/").split("/")
        if parts[0] == ".git":
            return parts[1:] == ["HEAD"]
        return _UNWATCHED.isdisjoint(parts)

    return wanted
