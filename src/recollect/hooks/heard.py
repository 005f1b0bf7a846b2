"""What an agent tells a hook, read from the JSON of any of them into one value."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

MOST_BYTES = 4_000_000
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+?)\s*$", re.MULTILINE)
_ADDED = re.compile(r"^\+(?!\+\+ )(.*)$", re.MULTILINE)
_REMOVED = re.compile(r"(?:^-(?!-- ).*\n?)+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Heard:
    """One moment of a session, in our own words."""

    session: str
    folder: Path
    source: str = ""
    """Why the session starts or ends, as far as the agent says."""
    opened: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    """The texts that an edit takes out."""
    new: str = ""
    """All text that an edit puts in."""
    said: str = ""
    """The agent's last words."""


@cache
def known() -> dict[str, Any]:
    """Return the data file."""
    return tomllib.loads(files("recollect.hooks").joinpath("agents.toml").read_text(encoding="utf-8"))


def heard(text: str, here: Path) -> Heard:
    """Read what an agent wrote; what it did not say is empty, and the folder is then the current one."""
    data = json.loads(text[:MOST_BYTES]) if text.strip() else {}
    if not isinstance(data, dict):
        raise TypeError("a hook is told one JSON object")
    found = {name: tuple(_values(data, places)) for name, places in known()["fields"].items()}
    patches = [one for one in found["patch"] if "*** Begin Patch" in one]
    paths = (*found["file"], *(path for patch in patches for path in _PATCHED.findall(patch)))
    put_in = (*found["new"], *("\n".join(_ADDED.findall(patch)) for patch in patches))
    old = (*found["old"], *(text for patch in patches for text in _taken_out(patch)))
    changed = bool(put_in or old)
    folder = Path(next(iter(found["folder"]), "") or here)
    return Heard(
        session=next(iter(found["session"]), ""),
        folder=folder,
        source=next(iter(found["source"]), ""),
        opened=() if changed else paths,
        edited=paths if changed else (),
        old=tuple(one for one in old if one),
        new="\n".join(put_in),
        said=next(iter(found["said"]), ""),
    )


def _taken_out(patch: str) -> Iterator[str]:
    for run in _REMOVED.findall(patch):
        yield "\n".join(line[1:] for line in run.splitlines())


def _values(data: Mapping[str, Any], places: Sequence[str]) -> Iterator[str]:
    for place in places:
        yield from (one for one in _at(data, place.split(".")) if isinstance(one, str))


def _at(data: Any, keys: Sequence[str]) -> Iterator[Any]:
    if not keys:
        yield data
        return
    key, rest = keys[0], keys[1:]
    if key == "*" and isinstance(data, list):
        for one in data:
            yield from _at(one, rest)
    elif isinstance(data, list) and key.isdigit() and int(key) < len(data):
        yield from _at(data[int(key)], rest)
    elif isinstance(data, dict) and key in data:
        yield from _at(data[key], rest)
