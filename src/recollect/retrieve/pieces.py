"""What speaks for a symbol inside a file that speaks for itself: its own text, the text around it, what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from recollect.retrieve.catalogue import DOCUMENTED, PRIVATE, SPECIAL, TEST, Catalogue
from recollect.retrieve.context import Context
from recollect.retrieve.distinct import places_among
from recollect.retrieve.evidence import about, fits
from recollect.retrieve.links import supported, used
from recollect.retrieve.matching import CHUNKS, SYMBOLS, asked_of, said
from recollect.retrieve.sites import ABOUT_PATH
from recollect.retrieve.values import Candidate
from recollect.types import Item

FIXED = ("callable", "type", "size", "test", "private", "depth", "documented", "special", "crowd")
OWN = ("symbol", "covers", "name_weighs", "name_covered", "fit", "definition", "rank_in_file")
AROUND = ("chunk", "chunk_covers", "owner", "owner_fit", "member", "member_fit")
FILE = ("file", "file_lead", "file_rank")
LINKED = ("used", "uses", "supported")
ASKED = ("asked_words", "asked_shaped", "asked_open")
FEATURES = (*FIXED, *OWN, *AROUND, *FILE, *LINKED, *ASKED)
"""What each weighs is in weights/pieces.toml."""
SIZE_SCALE = 5.0
FILE_SCALE = 5.0


class Opened(NamedTuple):
    """What a file defines."""

    context: Context
    rows: np.ndarray
    """The rows of its symbols in the catalogue."""
    chunks: np.ndarray
    """The rows of its chunks in the order of the text."""

    @property
    def numbers(self) -> np.ndarray:
        """Return the numbers of its symbols."""
        numbers: np.ndarray = self.context.catalogue.numbers[self.rows].astype(np.int64)
        return numbers

    @property
    def items(self) -> tuple[Item, ...]:
        """Return its symbols."""
        numbers = self.numbers.tolist()
        found = self.context.items(numbers)
        return tuple(found[number] for number in numbers)


class Best(NamedTuple):
    """One of the best files."""

    opened: Opened
    weight: float
    rank: int


def open_file(context: Context, path: str) -> Opened:
    """Return the symbols and chunks of a file."""
    catalogue = context.catalogue
    at = catalogue.file_of[path]
    rows = np.arange(catalogue.file_rows[at], catalogue.file_rows[at + 1])
    kinds = catalogue.kinds[rows]
    return Opened(context, rows[catalogue.symbol[kinds]], rows[catalogue.chunk[kinds]])


def measure(context: Context, best: Sequence[Best], found: Mapping[int, Candidate]) -> np.ndarray:
    """Return a row of features for every symbol of the best files."""
    known = [(number, row.signals.get("definition", 0.0)) for number, row in found.items()]
    defined = Defined(*(np.array(column) for column in zip(*sorted(known), strict=True))) if known else NONE
    return measured(context, best, defined)


class Defined(NamedTuple):
    """Rising numbers of candidates with how surely each is what the question names."""

    numbers: np.ndarray
    worth: np.ndarray


NONE = Defined(np.zeros(1, np.int64), np.zeros(1))


def measured(context: Context, best: Sequence[Best], defined: Defined) -> np.ndarray:
    """Return a row of features for every symbol of the best files."""
    asked, meant = asked_of(context)
    catalogue = context.catalogue
    starts = np.concatenate([[0], np.cumsum([len(one.opened.rows) for one in best])]).astype(np.int64)
    rows = np.concatenate([one.opened.rows for one in best])
    numbers = catalogue.numbers[rows].astype(np.int64)
    place = np.zeros(len(catalogue.numbers), np.int64)
    place[rows] = np.arange(len(rows))
    owners = place[catalogue.owners[rows]]
    symbol, covers = _texts(context, numbers)
    weight, covered, fit = fits(asked, meant, catalogue.leaves[rows])
    at, there = places_among(numbers, defined.numbers)
    definition = np.where(there, defined.worth[at], 0.0)
    belongs = owners != np.arange(len(owners))
    member, member_fit = np.zeros(len(owners)), np.zeros(len(owners))
    np.maximum.at(member, owners[belongs], symbol[belongs])
    np.maximum.at(member_fit, owners[belongs], fit[belongs])
    columns = [
        *_fixed(catalogue, rows, np.diff(starts)),
        symbol, covers, weight, covered, fit, definition, _rank_inside(symbol + fit, starts),
        *_around(context, best),
        np.where(belongs, symbol[owners], 0.0), np.where(belongs, fit[owners], 0.0), member, member_fit,
        *_files(best).T,
        *used(context, numbers), supported(context, numbers, symbol + fit),
        *(np.full(len(numbers), value) for value in about(context.query)),
    ]  # fmt: skip
    return np.stack(columns, axis=1)


def _fixed(catalogue: Catalogue, rows: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return what stays the same for every question."""
    flags, kinds = catalogue.flags[rows], catalogue.kinds[rows]
    more = catalogue.ends[rows].astype(float) - catalogue.starts[rows]
    test_path = catalogue.sites[:, ABOUT_PATH.index("test_path")][catalogue.files[rows]] > 0
    return (
        catalogue.callable[kinds],
        catalogue.type[kinds],
        np.log1p(more) / SIZE_SCALE,
        ((flags & TEST) > 0) | test_path,
        (flags & PRIVATE) > 0,
        np.minimum(catalogue.depths[rows], 4) / 4,
        (flags & DOCUMENTED) > 0,
        (flags & SPECIAL) > 0,
        (np.log1p(counts) / SIZE_SCALE).repeat(counts),
    )


def _texts(context: Context, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    found = said(context, SYMBOLS, numbers)
    total = found.scores.sum(1)
    return (total / total.max() if total.max() > 0 else total), found.coverage()


def _rank_inside(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return 1 for the best symbol of each file, less for later ones."""
    ranks = np.empty(len(values))
    for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        ranks[start:end][np.argsort(-values[start:end], kind="stable")] = 1.0 / (
            1.0 + np.arange(end - start) / 3.0
        )
    return ranks


def _around(context: Context, best: Sequence[Best]) -> tuple[np.ndarray, np.ndarray]:
    """Return how well the best chunk over each symbol matches, as its score and as its coverage."""
    chunks = np.concatenate([one.opened.chunks for one in best])
    shift = np.concatenate([[0], np.cumsum([len(one.opened.chunks) for one in best])])
    moved = [_spans(one.opened) + start for one, start in zip(best, shift, strict=False)]
    spans = np.concatenate(moved).astype(np.int64)
    if not len(chunks):
        return np.zeros(len(spans)), np.zeros(len(spans))
    numbers = context.catalogue.numbers[chunks].astype(np.int64)
    found = said(context, CHUNKS, numbers)
    scores = found.scores.sum(1)
    top = scores.max()
    return _over(scores / top if top > 0 else scores, spans), _over(found.coverage(), spans)


def _spans(opened: Opened) -> np.ndarray:
    """Return for each symbol its first chunk and the one after its last."""
    catalogue, rows, chunks = opened.context.catalogue, opened.rows, opened.chunks
    first = np.searchsorted(catalogue.ends[chunks], catalogue.starts[rows])
    after = np.searchsorted(catalogue.starts[chunks], catalogue.ends[rows], "right")
    return np.stack([first, np.maximum(after, first)], axis=1).reshape(-1, 2)


def _over(values: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """Return the greatest value inside each span, 0 for empty ones."""
    padded = np.append(values, 0.0)
    inside = spans[:, 1] > spans[:, 0]
    ends = np.where(inside, spans[:, 1], spans[:, 0] + 1)
    bounds = np.stack([spans[:, 0], np.minimum(ends, len(values))], axis=1)
    greatest = np.maximum.reduceat(padded, bounds.ravel())[::2]
    return np.where(inside, greatest, 0.0)


def _files(best: Sequence[Best]) -> np.ndarray:
    top = max(one.weight for one in best)
    return np.repeat(
        [(one.weight / FILE_SCALE, (one.weight - top) / FILE_SCALE, 1.0 / (1 + one.rank)) for one in best],
        [len(one.opened.rows) for one in best],
        axis=0,
    )
