"""What the service `past` offers to stages: what git's history says of files; git itself is never asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class FilePast(Protocol):
    """How often a file was changed, and when last."""

    @property
    def commits(self) -> int: ...
    @property
    def latest(self) -> int: ...


class Companion(Protocol):
    """A file that changes together with another: how often, and in what share of its changes."""

    @property
    def second(self) -> str | int: ...
    @property
    def times(self) -> int: ...
    @property
    def percent(self) -> int: ...


class Past(Protocol):
    """What is known of the commits that were read."""

    def missing(self) -> tuple[str, ...]: ...
    def newest(self) -> int: ...
    def files(self, paths: Sequence[str]) -> Mapping[str, FilePast]: ...
    def partners(self, path: str) -> Sequence[Companion]: ...
