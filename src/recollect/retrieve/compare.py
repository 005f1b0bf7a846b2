"""Profiles as plain data: which there are, what one says in full, and where two differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from recollect.retrieve.profile import STEPS, Profile, load_profile, profile_files
from recollect.retrieve.tokens import EXACT


def list_profiles(folders: Sequence[Path] = ()) -> list[dict[str, Any]]:
    """Return every profile with its description and the names of its stages."""
    rows = []
    for name, place in profile_files(folders).items():
        profile = load_profile(name, folders=folders)
        stages = [use.key for use in profile.stages if use.enabled]
        rows.append({"name": name, "description": profile.description, "file": str(place), "stages": stages})
    return rows


def show_profile(profile: Profile) -> dict[str, Any]:
    """Return a profile in full, defaults included, by dotted key."""
    head: dict[str, Any] = {"description": profile.description, "budget": profile.budget, "limit": profile.limit,
            "files": profile.files, "change": profile.change}  # fmt: skip
    if profile.tokens != EXACT:
        head["tokens"] = profile.tokens
    if profile.order != STEPS:
        head["order"] = list(profile.order)
    return {**head, **{key: value for use in profile.stages for key, value in _keys(use).items()}}


def diff_profiles(first: Profile, second: Profile) -> list[dict[str, Any]]:
    """Return every key whose value differs; a key that one of them lacks is None there."""
    a, b = show_profile(first), show_profile(second)
    keys = [*a, *(key for key in b if key not in a)]
    rows = [
        {"key": key, first.name: a.get(key), second.name: b.get(key)} for key in keys if key != "description"
    ]
    return [row for row in rows if row[first.name] != row[second.name]]


def _keys(use: Any) -> dict[str, Any]:
    own = msgspec.to_builtins(use.parameters)
    row: dict[str, Any] = {"enabled": use.enabled}
    if use.name != use.stage.name:
        row["use"] = use.stage.name
    if use.phase == "channel":
        row["weight"] = use.weight
    return {f"{use.key}.{key}": value for key, value in _flat({**row, **own}).items()}


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping) and value:
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat
