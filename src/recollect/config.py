"""One frozen settings value, merged from the user's file, the project's file, the environment and arguments."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from recollect.errors import ConfigError, ReadOnlyError

FOLDER = ".recollect"
FILE_NAME = "config.toml"
PREFIX = "RECOLLECT_"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; a later source wins over an earlier one, key by key."""

    max_file_bytes: int = 2_000_000
    """Larger files are listed as skipped and not read."""
    memory_cap_mb: int = 1024
    """The index keeps its resident memory under this."""
    workers: int = 2
    """Processes that parse."""
    lock_wait_seconds: float = 30.0
    """How long to wait for another process that is writing."""
    include_vendored: bool = False
    include_generated: bool = False
    ignore: tuple[str, ...] = ()
    """Extra patterns in the syntax of .gitignore."""
    store: str = field(default="", repr=False)
    """The URL of a shared store on PostgreSQL; empty means the files of the project."""
    space: str = ""
    """What the project is called in a shared store; empty means after its remote repository, or its folder."""
    offline: bool = False
    """Whether a copy of a shared store is kept here, which answers while the server is away; writes wait then."""
    history: bool = True
    """Whether servers and `watch` read git's history in the background."""
    hooks: bool = True
    """Whether an agent's hooks do anything; one switch for all of them."""
    runtime_days: float = 90.0
    """How long it is kept that something was seen running; 0 keeps it for good."""
    embedder: str = "none"
    """none, static, minilm, the path of a folder, openai:MODEL, ollama:MODEL or voyage:MODEL."""
    embedder_url: str = ""
    """Where the service of the embedder is, when it is not at its usual address."""
    reranker: str = "none"
    """none, the path of a folder with a cross-encoder, or voyage:MODEL."""
    reranker_url: str = ""
    query_prefix: str = ""
    """What the embedder reads before a question; empty means what its model says."""
    document_prefix: str = ""
    requests_per_minute: int = 0
    """How often services are asked; 0 means as often as there is something to ask."""
    price_per_million: float = 0.0
    """What a million tokens of the services cost, for the line that says what was spent."""


MINIMUMS: Mapping[str, float] = {
    "max_file_bytes": 1,
    "memory_cap_mb": 128,
    "workers": 1,
    "lock_wait_seconds": 0,
    "runtime_days": 0,
    "requests_per_minute": 0,
    "price_per_million": 0,
}
SORTS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "tuple[str, ...]": "a list of strings",
}
SPELLED = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("0", "false", "no", "off"), False)
TYPES = {entry.name: str(entry.type) for entry in fields(Settings)}


def load(root: Path | None, environment: Mapping[str, str] | None = None, **arguments: Any) -> Settings:
    """Return the settings for a project: arguments, then environment, project file, user file, defaults."""
    merged: dict[str, Any] = {}
    merged |= _from_file(user_file())
    if root is not None:
        merged |= _from_file(project_file(root))
    merged |= _from_environment(os.environ if environment is None else environment)
    merged |= _checked({key: value for key, value in arguments.items() if value is not None}, "an argument")
    return replace(Settings(), **merged)


def user_file() -> Path:
    """Return where the user's own settings lie on this system; it need not exist."""
    import platformdirs

    return Path(platformdirs.user_config_dir("recollect", appauthor=False)) / FILE_NAME


def project_file(root: Path) -> Path:
    """Return where the settings of a project lie; it need not exist."""
    return root / FOLDER / FILE_NAME


def check(root: Path, text: str) -> None:
    """Raise with a sentence when the text of a project's settings could not be used."""
    _parsed_table(text, project_file(root))


def save(root: Path, text: str) -> Settings:
    """Check the text of a project's settings and write it; return the settings that then hold."""
    check(root, text)
    file = project_file(root)
    write_whole(file, text)
    return load(root)


def write_whole(file: Path, text: str) -> None:
    """Write a file so that readers see the old one or the new one, never half."""
    beside = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(file)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise ReadOnlyError(f"{file} cannot be written ({error}); nothing was changed.") from error


def suggest(word: str, known: Iterable[str]) -> str:
    """Return ` Did you mean 'x'?` for a near miss, or nothing."""
    near = get_close_matches(word, list(known), n=1)
    return f" Did you mean '{near[0]}'?" if near else ""


def _from_file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The settings file {path} cannot be read ({error}); mend or remove it.") from error
    return _parsed_table(text, path)


def _parsed_table(text: str, path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"The settings file {path} is not valid TOML: {error}.") from error
    return _checked(table, str(path))


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key in TYPES:
        name = PREFIX + key.upper()
        if name in environment:
            read |= _checked(
                {key: _parsed(TYPES[key], environment[name])}, f"the environment variable {name}"
            )
    return read


def _parsed(sort: str, text: str) -> Any:
    """Return the value that a variable spells, or the text itself, which the check will then refuse."""
    if sort == "bool":
        return SPELLED.get(text.lower(), text)
    if sort == "str":
        return text
    if sort == "tuple[str, ...]":
        return [part for part in text.split(os.pathsep) if part]
    try:
        return int(text) if sort == "int" else float(text)
    except ValueError:
        return text


def _checked(table: Mapping[str, Any], place: str) -> dict[str, Any]:
    good: dict[str, Any] = {}
    for key, value in table.items():
        if key not in TYPES:
            known = ", ".join(sorted(TYPES))
            raise ConfigError(
                f"Unknown setting '{key}' in {place}.{suggest(key, TYPES)} Allowed are: {known}."
            )
        good[key] = _converted(key, value, place)
    return good


def _converted(key: str, value: Any, place: str) -> Any:
    sort = TYPES[key]
    fits = {
        "int": isinstance(value, int) and not isinstance(value, bool),
        "float": isinstance(value, int | float) and not isinstance(value, bool),
        "bool": isinstance(value, bool),
        "str": isinstance(value, str),
        "tuple[str, ...]": isinstance(value, list | tuple) and all(isinstance(part, str) for part in value),
    }[sort]
    if not fits:
        raise ConfigError(f"The setting '{key}' in {place} must be {SORTS[sort]}, not {value!r}.")
    if key in MINIMUMS and value < MINIMUMS[key]:
        raise ConfigError(f"The setting '{key}' in {place} must be at least {MINIMUMS[key]}, not {value!r}.")
    return tuple(value) if sort == "tuple[str, ...]" else value
