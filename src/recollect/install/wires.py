"""The hooks of an agent as entries of lists in its file: put in, and taken out again, letter by letter."""

from __future__ import annotations

import json
import math
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.config import suggest
from recollect.errors import UsageError
from recollect.hooks.heard import known
from recollect.install import jsonc
from recollect.install.agents import place, program

CONTAINER = "hooks"
SPARE_SECONDS = 2
"""The agent waits so much longer than a hook lets itself take."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """The hooks of one agent for one project."""

    name: str
    file: Path
    rows: tuple[tuple[str, dict[str, Any]], ...]
    """What the agent calls a moment, and the entry for it."""
    beside: Mapping[str, Any]
    key: str = CONTAINER


def wiring(name: str, root: Path) -> Wiring:
    """Return the hooks of an agent; raise when it has none."""
    agents = known()["agents"]
    if name not in agents:
        raise UsageError(
            f"There are no hooks for '{name}'.{suggest(name, agents)} Agents with hooks: {', '.join(agents)}."
        )
    row = agents[name]
    file = place(row, root)
    assert file is not None  # every agent of the table has one
    rows = tuple((moment["name"], _entry(name, kind, row)) for kind, moment in row["moments"].items())
    return Wiring(name, file, rows, row.get("beside", {}))


def wired(text: str, of: Wiring) -> bool:
    """Tell whether a file holds exactly these hooks of ours."""
    found = _read(text, of)
    lists = found.get(CONTAINER, {})
    mine = [(name, entry) for name, rows in lists.items() for entry in rows if _is_ours(entry, of)]
    return sorted(mine, key=str) == sorted(of.rows, key=str)


def put(text: str, of: Wiring) -> tuple[str, list[str]]:
    """Return the text with the hooks, and the pieces that were put in, in their order."""
    wanted = _read(text, of)
    for name, entry in of.rows:
        wanted.setdefault(CONTAINER, {}).setdefault(name, []).append(entry)
    wanted = {**of.beside, **wanted}
    text = text if text.strip() else "{}\n"
    pieces: list[str] = []

    def insert(found: jsonc.Found, key: str, value: Any) -> None:
        nonlocal text
        at, piece = jsonc.insertion(text, found, key, value)
        if "\r\n" in text:
            piece = piece.replace("\n", "\r\n")
        pieces.append(piece)
        text = text[:at] + piece + text[at:]

    for key, value in of.beside.items():
        if jsonc.root_of(text).member(key) is None:
            insert(jsonc.root_of(text), key, value)
    container = jsonc.root_of(text).member(CONTAINER)
    if container is None:
        insert(jsonc.root_of(text), CONTAINER, wanted[CONTAINER])
    else:
        for name, entry in of.rows:
            lists = jsonc.object_at(text, container.value)
            rows = lists.member(name)
            if rows is None:
                insert(lists, name, [entry])
            else:
                insert(jsonc.list_at(text, rows.value), "", entry)
    _verify(text, wanted, of)
    return text, pieces


def take(text: str, of: Wiring, pieces: Sequence[str]) -> str:
    """Return the text without hooks of ours: exactly what was put in, or the entries as they stand now."""
    wanted = deepcopy(_read(text, of))
    if not any(_is_ours(entry, of) for rows in wanted.get(CONTAINER, {}).values() for entry in rows):
        return text
    after = text
    for piece in reversed(pieces):
        if after.count(piece) == 1:
            after = after.replace(piece, "")
    if not _ours_in(after, of):
        return after
    for name, rows in wanted[CONTAINER].items():
        wanted[CONTAINER][name] = [entry for entry in rows if not _is_ours(entry, of)]
    after = text
    while (found := _first_of_ours(after, of)) is not None:
        after = jsonc.without(after, *found)
    _verify(after, wanted, of)
    return after


def _entry(name: str, kind: str, row: Mapping[str, Any]) -> dict[str, Any]:
    moment = row["moments"][kind]
    start, first = program(not row.get("shared"))
    words = [start, *first, "hook", name, kind]
    command = subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
    entry = {**row.get("entry", {}), "command": command}
    if row.get("timeout", True):
        seconds = known()["limits"][moment.get("moment", kind)]["seconds"]
        entry["timeout"] = moment.get("timeout", math.ceil(seconds) + SPARE_SECONDS)
    if not row.get("nested"):
        return entry
    matcher = {"matcher": moment["matcher"]} if "matcher" in moment else {}
    return {**matcher, "hooks": [entry]}


def _is_ours(entry: Any, of: Wiring) -> bool:
    commands = [entry, *entry.get("hooks", [])] if isinstance(entry, dict) else []
    ours = re.compile(rf"recollect.* hook {re.escape(of.name)} [a-z-]+$")
    return any(isinstance(one, dict) and ours.search(str(one.get("command", ""))) for one in commands)


def _ours_in(text: str, of: Wiring) -> bool:
    """Tell whether anything of ours is left, or the text makes no sense any more."""
    try:
        found = _read(text, of)
    except UsageError:
        return True
    return any(_is_ours(entry, of) for rows in found.get(CONTAINER, {}).values() for entry in rows)


def _first_of_ours(text: str, of: Wiring) -> tuple[jsonc.Found, jsonc.Member] | None:
    container = jsonc.root_of(text).member(CONTAINER)
    if container is None:
        return None
    for rows in jsonc.object_at(text, container.value).members:
        found = jsonc.list_at(text, rows.value)
        for member in found.members:
            if _is_ours(jsonc.read(text[member.value : member.end]), of):
                return found, member
    return None


def _read(text: str, of: Wiring) -> dict[str, Any]:
    try:
        found = jsonc.read(text) if text.strip() else {}
    except ValueError as error:
        raise UsageError(
            f"{of.file} cannot be read ({error}); mend it first, nothing was changed."
        ) from error
    lists = found.get(CONTAINER, {}) if isinstance(found, dict) else None
    if not isinstance(lists, dict) or not all(isinstance(rows, list) for rows in lists.values()):
        raise UsageError(f"{of.file} does not hold lists of hooks; mend it first, nothing was changed.")
    return dict(found)


def _verify(text: str, wanted: Mapping[str, Any], of: Wiring) -> None:
    if _read(text, of) != wanted:
        entries = json.dumps(dict(of.rows), ensure_ascii=False)
        raise UsageError(
            f"{of.file} is written in a way that cannot be edited safely; add by hand: {entries}"
        )
