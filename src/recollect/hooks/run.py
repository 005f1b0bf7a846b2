"""Runs one hook: inside its time and its tokens, and whatever goes wrong, the agent goes on as if there were none."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recollect.config import FOLDER
from recollect.errors import RecollectError
from recollect.hooks.heard import Heard, heard, known

LOG = "hooks.log"
MOST_LOGGED = 100


def run(agent: str, name: str, text: str, out: Callable[[str], None]) -> None:
    """Do what belongs to a moment and hand over what is to be said; never raises, never takes longer than it may."""
    row = known()["agents"][agent]["moments"].get(name)
    if row is None:
        return
    kind = row.get("moment", name)
    limit = known()["limits"][kind]
    seconds = row.get("seconds", limit["seconds"])
    here = Heard("", Path.cwd())
    watch = threading.Timer(seconds, _give_up, (lambda: here.folder, name, seconds))
    watch.daemon = True
    watch.start()
    try:
        here = heard(text, here.folder)
        lines = _said(kind, here)
        fitted = fitting(lines, limit["tokens"]) if lines and row.get("answer") else ""
        if fitted:
            out(framed(fitted, row))
    except Exception as error:  # noqa: BLE001  an agent must not notice; the log says what happened
        _log(here.folder, name, error)
    finally:
        watch.cancel()


def fitting(lines: list[str], tokens: int) -> str:
    """Return as many whole lines as the tokens allow; a single line that is too long is left out."""
    from recollect.retrieve.tokens import exact

    kept: list[str] = []
    for line in lines:
        if exact("\n".join([*kept, line])) > tokens:
            continue
        kept.append(line)
    return "\n".join(kept)


def framed(text: str, row: dict[str, Any]) -> str:
    """Return a text in the form in which an agent takes it at a moment."""
    forms: dict[str, Callable[[], Any]] = {
        "context": lambda: {"hookSpecificOutput": {"hookEventName": row["name"], "additionalContext": text}},
        "cursor": lambda: {"additional_context": text},
    }
    form = forms.get(row["answer"])
    return text if form is None else json.dumps(form(), ensure_ascii=False)


def switched_on(here: Path) -> bool:
    """Tell whether hooks may run in a folder's project."""
    from recollect import config
    from recollect.source.git import project_root

    return config.load(project_root(here)).hooks


def _said(kind: str, what: Heard) -> list[str]:
    if not switched_on(what.folder):
        return []
    from recollect.hooks.moments import MOMENTS, moment

    return MOMENTS[kind](moment(what))


def _give_up(folder: Callable[[], Path], name: str, seconds: float) -> None:
    # Nothing was printed yet, and whatever is being written is as safe as after a kill.
    _log(folder(), name, RecollectError(f"it took longer than {seconds:g} seconds"))
    sys.stderr.flush()
    os._exit(0)


def _log(here: Path, name: str, error: Exception) -> None:
    """Note a failure in the project's own folder, if it has one; the log keeps its last hundred lines."""
    from recollect.source.git import project_root

    try:
        folder = project_root(here) / FOLDER
        if not folder.is_dir():
            return
        file = folder / LOG
        before = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
        line = f"{at} {name}: {type(error).__name__}: {' '.join(str(error).split())}"
        file.write_text("\n".join([*before, line][-MOST_LOGGED:]) + "\n", encoding="utf-8")
    except OSError:
        return
