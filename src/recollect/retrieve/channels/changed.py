"""The symbols of the files that the caller names, in the order of the files and of their text."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.allowed import passes
from recollect.retrieve.channels.places import named_files
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
    for _, path in named_files(context):
        symbols = [item for item in context.reader.items_of(path) if item.kind not in PLACE_KINDS]
        for item in symbols[: parameters.per_file]:
            if passes(item, context.query.filters):
                found.append(Candidate(item.number, 1.0, f"it is in {path}", {"hops": 0.0}))
    return tuple(found)


STAGE = Stage("changed", "channel", Parameters, run)
