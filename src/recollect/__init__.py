"""Gives a coding agent the right code and the right memories for a task, inside the token budget it has."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recollect.engine import Recollect, open  # noqa: A004  # recollect.open is meant to be said in full
    from recollect.errors import (
        AwayError,
        BusyError,
        ConfigError,
        CorruptError,
        DiskFullError,
        ModelError,
        NewerSchemaError,
        NotFoundError,
        ParseError,
        ReadOnlyError,
        RecollectError,
        SecretError,
        StoreError,
        UsageError,
    )
    from recollect.types import (
        Around,
        Diagnosis,
        Explanation,
        Hit,
        Hits,
        Impact,
        IndexReport,
        Item,
        Pack,
        PackItem,
        Progress,
        Status,
    )

__all__ = [
    "Around",
    "AwayError",
    "BusyError",
    "ConfigError",
    "CorruptError",
    "Diagnosis",
    "DiskFullError",
    "Explanation",
    "Hit",
    "Hits",
    "Impact",
    "IndexReport",
    "Item",
    "ModelError",
    "NewerSchemaError",
    "NotFoundError",
    "Pack",
    "PackItem",
    "ParseError",
    "Progress",
    "ReadOnlyError",
    "Recollect",
    "RecollectError",
    "SecretError",
    "Status",
    "StoreError",
    "UsageError",
    "open",
]

_ENGINE = ("Recollect", "open")


def _module_of(name: str) -> str:
    return "engine" if name in _ENGINE else "errors" if name.endswith("Error") else "types"


def __getattr__(name: str) -> Any:
    # Names are fetched when asked for: the command line must start without loading the engine.
    if name not in __all__:
        raise AttributeError(f"module 'recollect' has no attribute '{name}'")
    return getattr(import_module(f"recollect.{_module_of(name)}"), name)
