"""The symbols of the files that the caller names, in the order of the files and of their text."""

from __future__ import annotations

from msgspec import Struct

from recollect.errors import NotFoundError
from recollect.retrieve.allowed import passes
from recollect.retrieve.channels.places import known_path
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import PLACE_KINDS


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many symbols are taken from one file."""

    per_file: int = 200


def run(context: Context, parameters: Parameters) -> Candidates:
    """List the symbols; files that are not indexed are named in the trace."""
    found: list[Candidate] = []
    missing: list[str] = []
    for written in context.query.files:
        path = known_path(context, written)
        if path is None:
            missing.append(written)
            continue
        symbols = [item for item in context.reader.items_of(path) if item.kind not in PLACE_KINDS]
        for item in symbols[: parameters.per_file]:
            if passes(item, context.query.filters):
                found.append(Candidate(item.number, 1.0, f"it is in {path}", {"hops": 0.0}))
    if missing and len(missing) == len(context.query.files):
        raise NotFoundError(
            f"None of the files is indexed: {', '.join(missing)}; give paths below the project."
        )
    if missing:
        context.trace.degrade(f"not indexed: {', '.join(missing)}")
    return tuple(found)


STAGE = Stage("changed", "channel", Parameters, run)
