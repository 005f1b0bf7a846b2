"""What speaks for a symbol inside a file that speaks for itself: its own text, the text around it, what it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from recollect.retrieve.allowed import is_test
from recollect.retrieve.context import Context
from recollect.retrieve.evidence import about, name_words
from recollect.retrieve.links import supported, used
from recollect.retrieve.matching import CHUNKS, SYMBOLS, Asked, said
from recollect.retrieve.values import Candidate
from recollect.types import CALLABLE_KINDS, PLACE_KINDS, TYPE_KINDS, Item

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
    """What a file defines, in columns that stay the same for every question."""

    items: tuple[Item, ...]
    numbers: np.ndarray
    fixed: np.ndarray
    owners: np.ndarray
    """Place of the symbol that each one belongs to, itself when there is none."""
    words: tuple[tuple[str, ...], ...]
    """The words of each name."""
    chunks: np.ndarray
    """Numbers of the chunks in the order of the text."""
    spans: np.ndarray
    """For each symbol, its first chunk and the one after its last."""


class Best(NamedTuple):
    """One of the best files."""

    opened: Opened
    weight: float
    rank: int


def open_file(context: Context, path: str) -> Opened:
    """Return the symbols of a file in columns, made once for a generation."""
    return context.snapshot.memo(("opened", path), partial(_opened, context, path))


def measure(context: Context, best: Sequence[Best], found: Mapping[int, Candidate]) -> np.ndarray:
    """Return a row of features for every symbol of the best files."""
    asked = Asked(context)
    starts = np.concatenate([[0], np.cumsum([len(one.opened.items) for one in best])]).astype(np.int64)
    numbers = np.concatenate([one.opened.numbers for one in best])
    owners = np.concatenate([one.opened.owners + start for one, start in zip(best, starts, strict=False)])
    symbol, covers = _texts(context, numbers)
    fits = np.array([_fit(asked, words) for one in best for words in one.opened.words])
    definition = np.array([_definition(found.get(number)) for number in numbers.tolist()])
    fit = fits[:, 2]
    belongs = owners != np.arange(len(owners))
    member, member_fit = np.zeros(len(owners)), np.zeros(len(owners))
    np.maximum.at(member, owners[belongs], symbol[belongs])
    np.maximum.at(member_fit, owners[belongs], fit[belongs])
    columns = [
        *np.concatenate([one.opened.fixed for one in best]).T,
        symbol, covers, *fits.T, definition, _rank_inside(symbol + fit, starts),
        *_around(context, best),
        np.where(belongs, symbol[owners], 0.0), np.where(belongs, fit[owners], 0.0), member, member_fit,
        *_files(best).T,
        *used(context, numbers), supported(context, numbers, symbol + fit),
        *(np.full(len(numbers), value) for value in about(context.query)),
    ]  # fmt: skip
    return np.stack(columns, axis=1)


def _opened(context: Context, path: str) -> Opened:
    everything = context.reader.items_of(path)
    symbols = tuple(symbols_in(everything))
    chunks = sorted((item for item in everything if item.kind == "chunk"), key=lambda item: item.start_line)
    places = {item.name: place for place, item in reversed(list(enumerate(symbols)))}
    owners = [places.get(item.name.rpartition(".")[0], place) for place, item in enumerate(symbols)]
    first = np.searchsorted([chunk.end_line for chunk in chunks], [item.start_line for item in symbols])
    after = np.searchsorted(
        [chunk.start_line for chunk in chunks], [item.end_line for item in symbols], "right"
    )
    return Opened(
        symbols,
        np.array([item.number for item in symbols], np.int64),
        np.array([_fixed(item, len(symbols)) for item in symbols]).reshape(-1, len(FIXED)),
        np.array(owners, np.int64),
        tuple(name_words(item.name.rpartition(".")[2]) for item in symbols),
        np.array([chunk.number for chunk in chunks], np.int64),
        np.stack([first, np.maximum(after, first)], axis=1).reshape(-1, 2),
    )


def symbols_in(items: Iterable[Item]) -> list[Item]:
    """Return what a file defines, without its chunks and sections."""
    return [item for item in items if item.kind not in PLACE_KINDS and item.kind != "section"]


def _fixed(item: Item, count: int) -> tuple[float, ...]:
    leaf = item.name.rpartition(".")[2]
    return (
        item.kind in CALLABLE_KINDS,
        item.kind in TYPE_KINDS,
        math.log1p(item.end_line - item.start_line) / SIZE_SCALE,
        is_test(item),
        item.visibility not in {"public", ""},
        min(item.name.count("."), 4) / 4,
        bool(item.doc),
        leaf.startswith("__") or item.kind == "constructor",
        math.log1p(count) / SIZE_SCALE,
    )


def _texts(context: Context, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    found = said(context, SYMBOLS, numbers)
    total = found.scores.sum(1)
    return (total / total.max() if total.max() > 0 else total), found.coverage()


def _fit(asked: Asked, words: tuple[str, ...]) -> tuple[float, float, float]:
    bits, covered = asked.meant(words)
    weight = asked.weight(bits)
    return weight, covered, math.sqrt(weight * covered)


def _definition(row: Candidate | None) -> float:
    return row.signals.get("definition", 0.0) if row else 0.0


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
    numbers = np.concatenate([one.opened.chunks for one in best])
    shift = np.concatenate([[0], np.cumsum([len(one.opened.chunks) for one in best])])
    moved = [one.opened.spans + start for one, start in zip(best, shift, strict=False)]
    spans = np.concatenate(moved).astype(np.int64)
    if not len(numbers):
        return np.zeros(len(spans)), np.zeros(len(spans))
    found = said(context, CHUNKS, numbers)
    scores = found.scores.sum(1)
    top = scores.max()
    return _over(scores / top if top > 0 else scores, spans), _over(found.coverage(), spans)


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
        [len(one.opened.items) for one in best],
        axis=0,
    )
