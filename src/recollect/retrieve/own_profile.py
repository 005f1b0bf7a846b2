"""Profiles of a project's own: checked before they are written, so that a bad one never replaces a good one."""

from __future__ import annotations

import re
from pathlib import Path

from recollect.config import write_whole
from recollect.errors import ConfigError
from recollect.retrieve.profile import parse_profile

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


def check_profile(name: str, text: str, folder: Path) -> None:
    """Raise with a sentence when a profile could not be used under this name."""
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"A profile cannot be called {name!r}; use small letters, digits, - and _, at most 63 of them."
        )
    parse_profile(name, text, (folder,))


def save_profile(name: str, text: str, folder: Path) -> Path:
    """Write a profile into a folder once it is known to be good; return its file."""
    check_profile(name, text, folder)
    file = folder / f"{name}.toml"
    write_whole(file, text)
    return file
