"""Which language server speaks for which language, and whether it is installed; all of it is a table."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from recollect.errors import ConfigError

OWN_TABLE = "servers.toml"
_VERSION_SECONDS = 20.0


class Server(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A language server as the table describes it."""

    name: str
    languages: tuple[str, ...]
    command: tuple[str, ...]
    version: tuple[str, ...] = ()
    install: str = ""
    settings: dict[str, Any] = {}
    options: dict[str, Any] = {}
    ids: dict[str, str] = {}
    warm: float = 5.0
    guesses: bool = False

    @property
    def program(self) -> str | None:
        """Where its program lies, None when it is not installed."""
        return shutil.which(self.command[0])

    def told_version(self) -> str:
        """Return the first line that the server prints of its version."""
        program = shutil.which(self.version[0]) if self.version else None
        if program is None:
            return ""
        try:
            done = subprocess.run(
                [program, *self.version[1:]], capture_output=True, check=False, timeout=_VERSION_SECONDS,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return ""
        said = (done.stdout or done.stderr).decode("utf-8", "replace").strip()
        return said.splitlines()[0][:80] if said and done.returncode == 0 else ""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    server: list[Server] = []


def servers(folder: Path | None = None) -> tuple[Server, ...]:
    """Return the servers of a project's own table, then those that come with recollect."""
    shipped = _read(files("recollect.evidence").joinpath("servers.toml").read_text(encoding="utf-8"), "")
    own = folder / OWN_TABLE if folder is not None else None
    if own is None or not own.is_file():
        return shipped
    return _read(own.read_text(encoding="utf-8"), str(own)) + shipped


def chosen(table: Iterable[Server], languages: Iterable[str]) -> Mapping[str, Server]:
    """Return for each language the first server of the table that is installed."""
    wanted = set(languages)
    found: dict[str, Server] = {}
    for server in table:
        open_ones = [name for name in server.languages if name in wanted and name not in found]
        if open_ones and server.program is not None:
            found.update(dict.fromkeys(open_ones, server))
    return found


def _read(text: str, place: str) -> tuple[Server, ...]:
    try:
        return tuple(msgspec.convert(tomllib.loads(text), _Table).server)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ConfigError(
            f"The table of language servers {place} cannot be used: {error}. Each [[server]] has a name, languages "
            "and a command; docs/evidence.md shows one."
        ) from error
