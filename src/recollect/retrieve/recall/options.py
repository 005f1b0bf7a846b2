"""Options of a recall by their short names: a channel's weight, a parameter of any stage, or a stage's own weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from recollect.config import suggest
from recollect.errors import UsageError
from recollect.retrieve.profile import KEYS, Profile, load_profile


def recall_profile(name: str, given: Mapping[str, Any], folders: Sequence[Path] = ()) -> Profile:
    """Return a profile for memories with some of its keys replaced, by dotted or by short name."""
    profile = load_profile(name, folders=folders)
    dotted: dict[str, Any] = {}
    for key, value in given.items():
        plain = key.replace("__", ".")
        if "." in plain or plain in KEYS:
            dotted[plain] = value
            continue
        known = short_names(profile)
        keys = known.get(key) or known.get(key.removesuffix("_weight"))
        if keys is None:
            raise UsageError(f"A recall has no option '{key}'.{suggest(key, short_names(profile))}")
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and value < 0:
            raise UsageError(f"The option '{key}' of a recall is a number of at least 0, not {value!r}.")
        dotted.update(dict.fromkeys(keys, value))
    return load_profile(name, dotted, folders) if dotted else profile


def short_names(profile: Profile) -> dict[str, list[str]]:
    """Return for every short name the keys of the profile that it stands for."""
    names: dict[str, list[str]] = {}
    for use in profile.stages:
        own = [field.encode_name for field in msgspec.structs.fields(use.stage.parameters)]
        if use.phase == "channel":
            names[use.name] = [f"{use.key}.weight"]
        elif "weight" in own:
            names.setdefault(use.name, []).append(f"{use.key}.weight")
    taken = set(names)
    for use in profile.stages:
        for field in msgspec.structs.fields(use.stage.parameters):
            if field.encode_name not in taken:
                names.setdefault(field.encode_name, []).append(f"{use.key}.{field.encode_name}")
    return names
