"""Adds files that nothing in their text names, but that past commits with such messages changed."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.allowed import passes
from recollect.retrieve.context import Context
from recollect.retrieve.ranking import Ranking, joined, ranking_of, repeated
from recollect.retrieve.stage import Stage
from recollect.retrieve.told import heard_of, likeliest, told_of
from recollect.retrieve.values import Candidates

REASON = "past commits with such messages changed it"


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many of the likeliest files are looked at."""

    files: int = 20


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Let its first piece stand for each file that is missing; a question that is only a name needs none."""
    told = told_of(context)
    if told is None or context.query.shape == "identifier" or not parameters.files:
        return candidates
    found = ranking_of(candidates)
    rows, known = context.catalogue.rows_of(found.numbers)
    here = set(context.catalogue.files[rows[known]].tolist())
    shares = {
        number: share
        for path, share in likeliest(told, heard_of(context, told), parameters.files)
        if (file := context.catalogue.file_of.get(path)) is not None
        and file not in here
        and (number := _first_piece(context, file)) is not None
    }
    items = context.items(shares)
    kept = [number for number in shares if passes(items[number], context.query.filters)]
    if not kept:
        return candidates
    least = float(found.scores.min(initial=1.0))
    scores = np.array([shares[number] for number in kept]) * least / 2
    added = Ranking(np.array(kept, np.int64), scores, repeated(REASON, len(kept)))
    return context.in_order(joined(found, added)).as_candidates()


def _first_piece(context: Context, file: int) -> int | None:
    """Return the number of the first chunk of a file."""
    catalogue = context.catalogue
    start, end = catalogue.file_rows[file : file + 2].tolist()
    chunks = np.flatnonzero(catalogue.chunk[catalogue.kinds[start:end]])
    return int(catalogue.numbers[start + chunks[0]]) if len(chunks) else None


STAGE = Stage("told", "expand", Parameters, run)
