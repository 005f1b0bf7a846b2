"""Symbols at the paths and lines that the query names: a stack trace, a diff, a file and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from recollect.errors import NotFoundError
from recollect.retrieve.allowed import passes
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import PLACE_KINDS, Item, Place


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many places are looked up and how many symbols of a whole file are taken."""

    places: int = 50
    whole_file: int = 10
    limit: int = 60


def run(context: Context, parameters: Parameters) -> Candidates:
    """Return the innermost symbols at every place, in the order of the places."""
    found: dict[int, str] = {}
    for place in context.query.places[: parameters.places]:
        path = known_path(context, place.path)
        if path is None:
            continue
        symbols = [item for item in context.reader.items_of(path) if item.kind not in PLACE_KINDS]
        for item in _at(symbols, place, parameters.whole_file):
            if passes(item, context.query.filters):
                where = f"{path}:{place.start_line}" if place.start_line else path
                found.setdefault(item.number, f"the query points at {where}")
    rows = list(found.items())[: parameters.limit]
    return tuple(Candidate(number, 1.0 / rank, reason) for rank, (number, reason) in enumerate(rows, 1))


def known_path(context: Context, written: str) -> str | None:
    """Return the indexed path that a written one means: itself, or the one that shares its longest ending."""
    if context.reader.file(written) is not None:
        return written
    parts = [part for part in written.split("/") if part not in {"", ".", ".."}]
    if not parts:
        return None
    same_name = [
        path for _, path in context.reader.files_with(parts[-1], 200) if path.split("/")[-1] == parts[-1]
    ]
    return max(same_name, key=lambda path: (_shared(path.split("/"), parts), -len(path), path), default=None)


def named_files(context: Context) -> Iterator[tuple[str, str]]:
    """Give the files that the caller names, as written and as indexed; say which are not, and refuse when none is."""
    missing: list[str] = []
    for written in context.query.files:
        path = known_path(context, written)
        if path is None:
            missing.append(written)
        else:
            yield written, path
    if missing and len(missing) == len(context.query.files):
        raise NotFoundError(
            f"None of the files is indexed: {', '.join(missing)}; give paths below the project."
        )
    if missing:
        context.trace.degrade(f"not indexed: {', '.join(missing)}")


def _shared(path: Sequence[str], parts: Sequence[str]) -> int:
    count = 0
    for left, right in zip(reversed(path), reversed(parts), strict=False):
        if left != right:
            break
        count += 1
    return count


def _at(symbols: Sequence[Item], place: Place, whole_file: int) -> list[Item]:
    if not place.start_line:
        return list(symbols[:whole_file])
    end = max(place.start_line, place.end_line)
    touching = [item for item in symbols if item.start_line <= end and item.end_line >= place.start_line]
    return [item for item in touching if not any(_inside(other, item) for other in touching)]


def _inside(inner: Item, outer: Item) -> bool:
    return (
        inner is not outer
        and inner.start_byte >= outer.start_byte
        and inner.end_byte <= outer.end_byte
        and (inner.end_byte - inner.start_byte < outer.end_byte - outer.start_byte)
    )


STAGE = Stage("places", "channel", Parameters, run)
