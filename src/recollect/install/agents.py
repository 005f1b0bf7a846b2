"""Which agents are known, where their configuration lies, and what their entry says."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from recollect.config import suggest
from recollect.errors import UsageError


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent, for one project."""

    name: str
    title: str
    file: Path | None
    """None when the entry is only shown."""
    container: str
    key: str
    entry: dict[str, Any]
    next: str
    """What a person does after the entry was written."""


@cache
def known() -> dict[str, dict[str, Any]]:
    """Return the data file."""
    return tomllib.loads(files("recollect.install").joinpath("agents.toml").read_text(encoding="utf-8"))


def agent(name: str, root: Path) -> Agent:
    """Return an agent by name."""
    if name not in known():
        raise UsageError(f"There is no agent '{name}'.{suggest(name, known())} Agents: {', '.join(known())}.")
    row = known()[name]
    user = row["file"].startswith("~") or not row["file"]
    command, first = program(user)
    args = [*first, *(part.replace("{root}", str(root)) for part in row["args"])]
    entry = {"type": row["type"]} if "type" in row else {}
    key = f"recollect-{_plain(root.name)}" if row.get("per_project") else "recollect"
    entry |= {"command": command, "args": args}
    return Agent(name, row["title"], place(row, root), row["container"], key, entry, row["next"])


def needs_project(name: str) -> bool:
    """Tell whether the entry belongs to one project rather than to the user."""
    row = known().get(name, {})
    return not row.get("file", "").startswith("~") or "{root}" in row["args"]


def place(row: dict[str, Any], root: Path) -> Path | None:
    """Return where the file of a row lies, None when it has none."""
    file: str = row["file"]
    if not file:
        return None
    if not file.startswith("~"):
        return root / file
    moved = os.environ.get(row.get("home", ""))
    return Path(moved) / Path(file).name if moved else Path(file).expanduser()


def program(user: bool) -> tuple[str, list[str]]:
    """Return what starts recollect: a bare name in files that a team shares, a full path in the user's own."""
    found = shutil.which("recollect")
    if found is not None:
        return (str(Path(found).absolute()) if user else "recollect"), []
    beside = shutil.which("recollect", path=str(Path(sys.executable).parent))
    # -P: the agent's folder may hold modules that have the names of ours.
    return (beside, []) if beside else (sys.executable, ["-P", "-m", "recollect"])


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "project"
