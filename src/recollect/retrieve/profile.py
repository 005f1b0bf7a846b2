"""Profiles: TOML files that name the stages of a pipeline with their parameters, checked when they are read."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from recollect.config import suggest
from recollect.errors import ConfigError, NotFoundError
from recollect.retrieve.stage import PHASES, Stage, find_stage, stage_names
from recollect.retrieve.tokens import COUNTERS, EXACT

KEYS = {
    "description": str,
    "budget": int,
    "limit": int,
    "tokens": str,
    "order": list,
    "files": str,
    "change": str,
    "extends": str,
    "override": dict,
}
"""What may stand at the top of a profile beside its stages."""
STEPS = ("filter", "expand", "boost", "rerank", "collapse")
"""The phases between fusion and packing, in their usual order."""
COMMON = {"use": str, "as": str, "enabled": bool}
"""What every stage may say beside its own parameters; channels also have a weight."""


@dataclass(frozen=True, slots=True)
class StageUse:
    """A stage as one profile uses it."""

    phase: str
    name: str
    """What the profile calls it; the stage's own name unless it says otherwise."""
    stage: Stage
    parameters: Any
    weight: float = 1.0
    enabled: bool = True

    @property
    def key(self) -> str:
        """Return `phase.name`."""
        return f"{self.phase}.{self.name}"


@dataclass(frozen=True, slots=True)
class Profile:
    """A checked pipeline."""

    name: str
    description: str
    stages: tuple[StageUse, ...]
    budget: int
    limit: int
    files: str
    """The profile that answers for given files; empty when this one does."""
    change: str
    """The profile that answers for a change or pull request; empty when this one does."""
    digest: str
    tokens: str = EXACT
    """How tokens are counted."""
    order: tuple[str, ...] = STEPS
    """In which order the phases between fusion and packing run."""

    def of(self, phase: str) -> tuple[StageUse, ...]:
        """Return the enabled stages of a phase, in order."""
        return tuple(use for use in self.stages if use.phase == phase and use.enabled)


def load_profile(
    name: str, overrides: Mapping[str, Any] | None = None, folders: Sequence[Path] = ()
) -> Profile:
    """Return a profile by name or file, with single keys replaced: `rerank.composite.blast`, `__` standing for dots."""
    table, source = _read(name, folders)
    short = Path(name).stem if name.endswith(".toml") else name
    if not overrides:
        return _build(short, table, source)
    changed, at_fault = dict(table), f"an override of the profile '{name}'"
    for key, value in overrides.items():
        _override(changed, key.replace("__", "."), value, at_fault)
    try:
        return _build(short, changed, at_fault)
    except ConfigError:
        _build(short, table, source)
        raise


def profile_files(folders: Sequence[Path] = ()) -> dict[str, Any]:
    """Return every profile by name with where it lies; a project's own win over ours."""
    found = {entry.name[:-5]: entry for entry in files("recollect.retrieve").joinpath("profiles").iterdir()
             if entry.name.endswith(".toml")}  # fmt: skip
    for folder in folders:
        found |= {path.stem: path for path in sorted(folder.glob("*.toml"))}
    return dict(sorted(found.items()))


def own_profiles(folders: Sequence[Path]) -> tuple[tuple[str, int, int], ...]:
    """Return name, time and size of every profile of a project's own, to tell whether any changed."""
    found = []
    for folder in folders:
        try:
            files_there = sorted(folder.glob("*.toml"))
            found += [(str(file), (seen := file.stat()).st_mtime_ns, seen.st_size) for file in files_there]
        except OSError:
            continue
    return tuple(found)


def read_override(text: str) -> tuple[str, Any]:
    """Read `key=value` as it is typed on a command line; the value is TOML, or plain text."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ConfigError(f"'{text}' is no override; write it as phase.stage.key=value.")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value


def parse_profile(name: str, text: str, folders: Sequence[Path] = ()) -> Profile:
    """Return the checked profile that a text spells, as if it lay in a file of that name."""
    source = f"the profile '{name}'"
    return _build(name, _resolved(name, text, source, folders), source)


def read_profile(name: str, folders: Sequence[Path] = ()) -> tuple[str, str]:
    """Return the text of a profile and where it lies."""
    known = profile_files(folders)
    entry = Path(name) if name.endswith(".toml") else known.get(name)
    if entry is None:
        raise NotFoundError(
            f"There is no profile '{name}'.{suggest(name, known)} The profiles are {', '.join(known)}."
        )
    try:
        return entry.read_text(encoding="utf-8"), str(entry)
    except (OSError, UnicodeDecodeError) as error:
        raise NotFoundError(f"The profile file {entry} cannot be read ({error}).") from error


def _read(name: str, folders: Sequence[Path]) -> tuple[dict[str, Any], str]:
    text, place = read_profile(name, folders)
    source = f"the profile file {place}"
    return _resolved(name, text, source, folders), source


def _resolved(name: str, text: str, source: str, folders: Sequence[Path]) -> dict[str, Any]:
    """Return the table of a profile with what it extends and overrides filled in."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{_begun(source)} is not valid TOML: {error}.") from error
    _check_top(table, source)
    base = table.pop("extends", "")
    changes = table.pop("override", {})
    if base:
        if base == name:
            raise ConfigError(f"In {source}, extends names the profile itself; name another one.")
        table = {**_read(base, folders)[0], **table}
    for key, value in changes.items():
        _override(table, key, value, source)
    return table


def _begun(source: str) -> str:
    return source[:1].upper() + source[1:]


def _check_top(table: Mapping[str, Any], source: str) -> None:
    for key, value in table.items():
        if key in PHASES:
            if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
                raise ConfigError(f"In {source}, '{key}' must be a list of tables: write [[{key}]].")
        elif key not in KEYS:
            raise ConfigError(
                f"In {source}, there is no key '{key}'.{suggest(key, (*KEYS, *PHASES))} "
                f"Allowed are {', '.join((*KEYS, *PHASES))}."
            )
        elif not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise ConfigError(f"In {source}, '{key}' must be of type {KEYS[key].__name__}, not {value!r}.")


def _override(table: dict[str, Any], dotted: str, value: Any, source: str) -> None:
    """Replace one key; the phase and the stage must already be in the profile."""
    phase, _, rest = dotted.partition(".")
    if not rest:
        if phase not in KEYS:
            raise ConfigError(
                f"In {source}, there is no key '{dotted}'; write phase.stage.key, or {', '.join(KEYS)}."
            )
        table[phase] = value
        _check_top({phase: value}, source)
        return
    name, _, key = rest.partition(".")
    rows = [dict(row) for row in table.get(phase, ())]
    if phase not in PHASES or not key:
        raise ConfigError(
            f"In {source}, '{dotted}' names no key; write phase.stage.key, the phases are {', '.join(PHASES)}."
        )
    for row in rows:
        if row.get("as", row.get("use")) == name:
            _set(row, key.split("."), value)
            break
    else:
        names = ", ".join(str(row.get("as", row.get("use"))) for row in rows) or "none"
        raise ConfigError(
            f"In {source}, '{dotted}' names no stage of the profile; its {phase} stages are {names}."
        )
    table[phase] = rows


def _set(row: dict[str, Any], keys: list[str], value: Any) -> None:
    for key in keys[:-1]:
        inner = row.get(key)
        row[key] = dict(inner) if isinstance(inner, dict) else {}
        row = row[key]
    row[keys[-1]] = value


def _build(name: str, table: Mapping[str, Any], source: str) -> Profile:
    stages = tuple(_stage(phase, row, source) for phase in PHASES for row in table.get(phase, ()))
    keys = [use.key for use in stages]
    for key in keys:
        if keys.count(key) > 1:
            raise ConfigError(
                f'In {source}, {key} stands twice; give one of them another name with as = "...".'
            )
    profile = Profile(
        name=name,
        description=table.get("description", ""),
        stages=stages,
        budget=table.get("budget", 8000),
        limit=table.get("limit", 10),
        files=table.get("files", ""),
        change=table.get("change", ""),
        digest=_digest(name, stages, table),
        tokens=table.get("tokens", EXACT),
        order=tuple(table.get("order", STEPS)),
    )
    _check_whole(profile, source)
    return profile


def _digest(name: str, stages: Sequence[StageUse], table: Mapping[str, Any]) -> str:
    """Return the same text for the same profile in every process."""
    rows = [
        (use.phase, use.name, use.stage.name, use.weight, use.enabled, msgspec.to_builtins(use.parameters))
        for use in stages
    ]
    said = msgspec.json.encode(
        (name, rows, table.get("budget"), table.get("tokens"), table.get("order")), order="sorted"
    )
    return hashlib.blake2b(said, digest_size=16).hexdigest()


def _check_whole(profile: Profile, source: str) -> None:
    if sorted(map(str, profile.order)) != sorted(STEPS):
        raise ConfigError(f"In {source}, order must name each of {', '.join(STEPS)} once.")
    if profile.tokens not in COUNTERS:
        raise ConfigError(f"In {source}, tokens is '{profile.tokens}'; allowed are {', '.join(COUNTERS)}.")
    if not profile.of("channel"):
        raise ConfigError(
            f"In {source}, no channel is enabled; add a [[channel]] with use = one of "
            f"{', '.join(stage_names('channel'))}."
        )
    for phase in ("fuse", "pack"):
        if len(profile.of(phase)) > 1:
            raise ConfigError(f"In {source}, there are several {phase} stages; keep one of them.")
    if not profile.of("fuse"):
        raise ConfigError(
            f"In {source}, the fuse stage is missing; add [[fuse]] with use = one of {', '.join(stage_names('fuse'))}."
        )


def _stage(phase: str, row: Mapping[str, Any], source: str) -> StageUse:
    where = f"In {source}, [[{phase}]]"
    use = row.get("use")
    if not isinstance(use, str):
        raise ConfigError(f'{where} has no use = "..."; allowed are {", ".join(stage_names(phase))}.')
    if use not in stage_names(phase):
        raise ConfigError(f"{where} names the stage '{use}'; allowed are {', '.join(stage_names(phase))}.")
    stage = find_stage(phase, use)
    common: dict[str, Any] = {**COMMON, **({"weight": float} if phase == "channel" else {})}
    allowed = [field.encode_name for field in msgspec.structs.fields(stage.parameters)]
    for key in row:
        if key not in common and key not in allowed:
            raise ConfigError(
                f"{where} {use} has no key '{key}'; allowed are {', '.join((*common, *allowed))}."
            )
    try:
        said = {key: msgspec.convert(row[key], sort) for key, sort in common.items() if key in row}
        own = {key: value for key, value in row.items() if key in allowed}
        parameters = msgspec.convert(own, stage.parameters)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{where} {use}: {error}; allowed are {', '.join((*common, *allowed))}.") from error
    return StageUse(
        phase, said.get("as", use), stage, parameters, said.get("weight", 1.0), said.get("enabled", True)
    )
