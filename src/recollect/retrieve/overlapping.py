"""Two results that show the same lines are one result: which chunks show which symbols."""

from __future__ import annotations

import numpy as np

from recollect.retrieve.catalogue import Array, Catalogue

SAME = 0.6
"""Share of common lines from which on a chunk and a symbol are the same thing to a reader."""


def shown(catalogue: Catalogue, numbers: Array) -> tuple[Array, Array]:
    """Return where chunks stand that show one of the symbols among the items, and where these symbols stand.

    A chunk shows best the symbol with most of its lines, or one that can be called and holds all of them.
    """
    rows, known = catalogue.rows_of(numbers)
    places = np.flatnonzero(known)
    kinds = catalogue.kinds[rows[places]]
    chunk = catalogue.chunk[kinds]
    chunks, symbols = places[chunk], places[~chunk & ~catalogue.kind_is({"file"})[kinds]]
    chunks, symbols = _pairs(catalogue.files[rows[chunks]], chunks, catalogue.files[rows[symbols]], symbols)
    chunk_rows, symbol_rows = rows[chunks], rows[symbols]
    starts, ends = catalogue.starts.astype(np.int64), catalogue.ends.astype(np.int64)
    start, end, first, last = starts[chunk_rows], ends[chunk_rows], starts[symbol_rows], ends[symbol_rows]
    overlap = (np.minimum(end, last) - np.maximum(start, first) + 1) / (
        np.maximum(end, last) - np.minimum(start, first) + 1
    )
    within = (first <= start) & (end <= last) & catalogue.callable[catalogue.kinds[symbol_rows]]
    same = (first <= end) & (last >= start) & ((overlap >= SAME) | within)
    chunks, symbols, overlap = chunks[same], symbols[same], overlap[same]
    order = np.lexsort((catalogue.order[rows[symbols]], overlap, chunks))
    chunks, symbols = chunks[order], symbols[order]
    last_of_each = np.append(chunks[1:] != chunks[:-1], True)[: len(chunks)]
    return chunks[last_of_each], symbols[last_of_each]


def _pairs(left_files: Array, left: Array, right_files: Array, right: Array) -> tuple[Array, Array]:
    """Return all pairs of the same file."""
    order = np.argsort(right_files, kind="stable")
    rising = right_files[order]
    first, after = np.searchsorted(rising, left_files), np.searchsorted(rising, left_files, "right")
    lengths = after - first
    inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(left, lengths), right[order][np.repeat(first, lengths) + inside]
