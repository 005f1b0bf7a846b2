"""Keeps what lies in the best files, by the sum of their scores; how many they are depends on how many there were."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """A fixed number of files, or 0 to let it follow the corpus; what softer rules let through, 0 for none."""

    max_files: int = 0
    least: int = 3
    share: int = 3
    most: int = 8
    soft_qualify: int = 0
    """How many of the best candidates stay, lowered, although their files do not."""
    soft_penalty: float = 0.7
    guarantee_symbol_files: bool = False


def file_count(files: int, parameters: Parameters | None = None) -> int:
    """Return how many files are kept of so many."""
    chosen = parameters or Parameters()
    if chosen.max_files > 0:
        return chosen.max_files
    return min(max(chosen.least, files // chosen.share), chosen.most)


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Drop candidates of all other files."""
    items = context.items(row.number for row in candidates)
    sums: dict[str, float] = {}
    for row in candidates:
        path = items[row.number].path
        sums[path] = sums.get(path, 0.0) + row.score
    ranked = sorted(sums, key=lambda path: (-round(sums[path], 12), path))
    kept = set(ranked[: file_count(len(ranked), parameters)])
    if parameters.guarantee_symbol_files:
        kept.update(items[row.number].path for row in candidates if "symbol" in row.signals)
    rows: list[Candidate] = []
    for place, row in enumerate(candidates):
        path = items[row.number].path
        if path in kept:
            rows.append(row)
        elif place < parameters.soft_qualify:
            context.trace.note(
                row.number, f"{path} is none of the best files, times {parameters.soft_penalty:g}"
            )
            rows.append(row.scored(row.score * parameters.soft_penalty))
        else:
            rank = ranked.index(path) + 1
            context.trace.drop(
                row.number, f"{path} came {rank}th of {len(ranked)} files, and {len(kept)} are kept"
            )
    return context.ordered(rows)


STAGE = Stage("files", "filter", Parameters, run)
