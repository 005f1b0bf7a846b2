"""What a stage of the pipeline is, and where stages are found.

A stage is one file in the folder of its phase, named like the stage, with a `STAGE` in it:

    class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
        limit: int = 30

    def run(context: Context, parameters: Parameters) -> Candidates: ...

    STAGE = Stage("mine", "channel", Parameters, run)

By phase, `run` takes and returns:
- channel: `(context, parameters) -> Candidates`, best first; only the order counts;
- fuse: `(context, parameters, lists of Ranked) -> Candidates` with scores in [0, 1];
- filter, expand, boost, rerank, collapse: `(context, parameters, candidates) -> candidates`;
- pack: `(context, parameters, candidates) -> Packed`;
- record: `(context, parameters, candidates, Packed or None) -> None`.

A stage reads only its context, never another stage; what later stages may want to know it leaves in
`Candidate.signals`. It says why in `context.trace.note(number, ...)` and `context.trace.drop(number, ...)`.
Anything that can be computed once for a generation goes through `context.snapshot.memo(key, make)`.
Packages outside recollect offer stages as entry points of the group `recollect.stages`, named `phase.name`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any

import msgspec

from recollect import plugins
from recollect.errors import ConfigError

FOLDERS = {
    "channel": "channels",
    "fuse": "fuse",
    "filter": "filters",
    "expand": "expand",
    "boost": "boost",
    "rerank": "rerank",
    "collapse": "collapse",
    "pack": "pack",
    "record": "record",
}
"""Every phase in the order in which it runs, with the folder that holds its stages."""

PHASES = tuple(FOLDERS)


@dataclass(frozen=True, slots=True)
class Stage:
    """A named step of the pipeline with the struct of its parameters."""

    name: str
    phase: str
    parameters: type[msgspec.Struct]
    run: Callable[..., Any]


class NoParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For stages that have nothing to set."""


@cache
def stage_names(phase: str) -> tuple[str, ...]:
    """Return the names of all stages of a phase, our own first."""
    folder = files("recollect.retrieve").joinpath(FOLDERS[phase])
    own = sorted(entry.name[:-3] for entry in folder.iterdir() if _is_stage(entry.name))
    return (*own, *sorted(set(_foreign(phase)) - set(own)))


@cache
def find_stage(phase: str, name: str) -> Stage:
    """Return a stage by phase and name."""
    if name not in stage_names(phase):
        raise ConfigError(
            f"There is no {phase} stage '{name}'; the {phase} stages are {', '.join(stage_names(phase)) or 'none'}."
        )
    foreign = _foreign(phase)
    module = f"recollect.retrieve.{FOLDERS[phase]}.{name}"
    stage = foreign[name].load() if name in foreign else import_module(module).STAGE
    if not isinstance(stage, Stage) or (stage.name, stage.phase) != (name, phase):
        raise ConfigError(
            f"The {phase} stage '{name}' has no STAGE of that name and phase; mend or remove it."
        )
    return stage


def _is_stage(file_name: str) -> bool:
    return file_name.endswith(".py") and not file_name.startswith("_")


def _foreign(phase: str) -> dict[str, Any]:
    points = plugins.points("recollect.stages")
    return {point.name.partition(".")[2]: point for point in points if point.name.startswith(f"{phase}.")}
