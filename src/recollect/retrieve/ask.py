"""The three questions: what do I need for a task, for these files, for this change."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from recollect.errors import UsageError
from recollect.ports import Reader
from recollect.retrieve.classes import EquivalenceClass
from recollect.retrieve.context import Context, Learned, Nothing, Snapshot
from recollect.retrieve.pipeline import Answer, run
from recollect.retrieve.profile import Profile, load_profile
from recollect.retrieve.query import Request, query_id, read_query
from recollect.retrieve.tokens import counter
from recollect.retrieve.trace import Trace

KINDS = ("task", "files", "change")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything around a question that outlives it."""

    snapshot: Snapshot
    """Belongs to one generation of the store; a new generation takes a new one."""
    learned: Learned = field(default_factory=Nothing)
    clock: Callable[[], float] = time.time
    count_tokens: Callable[[str], int] | None = None
    """How tokens are counted; as the profile says when it is None."""
    classes: tuple[EquivalenceClass, ...] = ()
    services: Mapping[str, Any] = field(default_factory=dict)
    profile_folders: tuple[Path, ...] = ()


def profile_for(
    kind: str, name: str, overrides: Mapping[str, Any] | None = None, folders: Sequence[Path] = ()
) -> Profile:
    """Return the profile that answers a kind of question; files and changes may have their own."""
    if kind not in KINDS:
        raise UsageError(f"There is no question about '{kind}'; ask about {', '.join(KINDS)}.")
    if kind != "task":
        first = load_profile(name, folders=folders)
        name = (first.files if kind == "files" else first.change) or name
    return load_profile(name, overrides, folders)


def ask(
    reader: Reader, text: str, request: Request, profile: Profile, around: Surroundings, pack: bool = True
) -> Answer:
    """Answer a question by a profile; the budget and limit are the profile's unless the caller says otherwise."""
    return run(context_of(reader, text, request, profile, around), profile, pack)


def context_of(
    reader: Reader, text: str, request: Request, profile: Profile, around: Surroundings
) -> Context:
    """Read a question and gather what its stages may look at."""
    budget = profile.budget if request.budget is None else request.budget
    if budget < 0:
        raise UsageError(f"The budget must not be negative, but it is {budget}; give a number of tokens.")
    limit = profile.limit if request.limit is None else request.limit
    asked = replace(request, budget=budget, limit=limit)
    asked = replace(asked, id=request.id or query_id(text, asked, profile.digest))
    return Context(
        reader=reader,
        query=read_query(text, asked),
        snapshot=around.snapshot,
        now=around.clock(),
        trace=Trace(),
        learned=around.learned,
        count_tokens=around.count_tokens or counter(profile.tokens),
        classes=around.classes,
        services=around.services,
    )
