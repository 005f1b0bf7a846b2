"""Where the candidates of an answer stand and how long they are, side by side, so that few are looked at one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from recollect.retrieve.context import Context
from recollect.retrieve.packing import node_tokens
from recollect.retrieve.ranking import Array, Ranking, ranking_of
from recollect.retrieve.values import Candidates

NOWHERE = -1


class Standing(NamedTuple):
    """One entry a candidate, in their order."""

    ranking: Ranking
    places: Mapping[int, int]
    """The place of each number."""
    numbers: list[int]
    files: list[int]
    """Which file of the catalogue each is in, NOWHERE for what is outside the source."""
    starts: list[int]
    ends: list[int]
    nodes: Array
    """What naming each costs (packing.node_tokens)."""
    glances: Array
    """What its place and its signature cost at least; 0 where that is not known."""
    order: Array
    """Rises with the public id."""
    known: Array
    """Whether there is such an item."""


def standing(context: Context, candidates: Candidates) -> Standing:
    """Look candidates up in the catalogue; what stands outside the source is looked at one by one."""
    ranking, catalogue = ranking_of(candidates), context.catalogue
    rows, known = catalogue.rows_of(ranking.numbers)
    if not len(catalogue.numbers):
        rows = np.zeros(len(rows), np.int64)
    at = np.where(known, rows, 0)
    files, starts, ends, nodes, glances, order = (
        np.where(known, column[at], 0).astype(kind) if len(column) else np.zeros(len(at), kind)
        for column, kind in (
            (catalogue.files, np.int64),
            (catalogue.starts, np.int64),
            (catalogue.ends, np.int64),
            (np.maximum(1, catalogue.sizes // 4), np.int64),
            (catalogue.glances, np.int64),
            (catalogue.order, np.uint64),
        )
    )
    if len(catalogue.path_glances):
        path = catalogue.path_glances[files].astype(np.int64)
        glances = np.where(known, glances + path + np.where((path > 0) & (starts > 0), 3, 0), 0)
    others = context.items(ranking.numbers[~known].tolist())
    for place in np.flatnonzero(~known).tolist():
        item = others.get(int(ranking.numbers[place]))
        files[place] = NOWHERE
        if item is not None:
            known[place], nodes[place], order[place] = True, node_tokens(item), context.order_of(item)
    numbers = ranking.numbers.tolist()
    return Standing(
        ranking,
        {number: place for place, number in enumerate(numbers)},
        numbers,
        files.tolist(),
        starts.tolist(),
        ends.tolist(),
        nodes,
        glances,
        order,
        known,
    )
