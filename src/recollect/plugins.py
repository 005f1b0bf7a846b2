"""Finds parsers, channels, embedders and stores by name; what recollect ships comes through the same entry points."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from recollect.config import suggest
from recollect.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUPS = ("parsers", "channels", "embedders", "rerankers", "rankers", "stores")


def found(group: str) -> dict[str, EntryPoint]:
    """Return the plugins of a group by name, none of them loaded; ours win over others of the same name."""
    if group not in GROUPS:
        raise UsageError(f"There is no plugin group '{group}'; the groups are {', '.join(GROUPS)}.")
    known = sorted(points(f"recollect.{group}"), key=lambda point: point.value.startswith("recollect."))
    return {point.name: point for point in known}


def points(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group."""
    return tuple(_installed().select(group=group))


@cache
def _installed() -> Any:
    """Look through everything that is installed, which takes longer than many an answer."""
    from importlib.metadata import entry_points

    return entry_points()


def load(group: str, name: str) -> Any:
    """Import and return one plugin."""
    known = found(group)
    if name not in known:
        names = ", ".join(sorted(known)) or "none; reinstall recollect"
        raise UsageError(
            f"No plugin '{name}' in recollect.{group}.{suggest(name, known)} Installed are: {names}."
        )
    try:
        return known[name].load()
    except (ImportError, AttributeError) as error:
        place = known[name].value
        raise UsageError(
            f"The plugin '{name}' of recollect.{group} ({place}) cannot be loaded: {error}. Reinstall its package."
        ) from error
