"""What speaks for a file as a whole: its best pieces together, its name, its place, what it defines."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np

from recollect.retrieve.allowed import is_test_path
from recollect.retrieve.context import Context
from recollect.retrieve.links import supported, used
from recollect.retrieve.matching import CHUNKS, SYMBOLS, Asked, said
from recollect.retrieve.terms import is_shaped, names_in
from recollect.retrieve.values import Candidate, Query
from recollect.retrieve.words import split_identifier
from recollect.types import TYPE_KINDS, Item

TEXTS = (
    "chunk", "second_chunk", "third_chunk", "all_chunks", "symbol", "second_symbol", "all_symbols",
    "chunk_rank", "symbol_rank", "leading_pieces",
)  # fmt: skip
COVERED = (
    "piece_covers", "file_covers", "best_terms", "symbol_covers", "symbols_cover", "best_symbol_terms",
    "name_covers", "name_covered", "name_fits", "type_fits",
)  # fmt: skip
NAMED = (
    "stem_asked",
    "stem_covered",
    "stem_weighs",
    "folder_asked",
    "folder_weighs",
    "path_asked",
    "path_weighs",
)
KIND = (
    "definition", "definition_is_stem", "test", "example", "compatibility", "declaration", "prose", "test_asked_for",
    "facade", "stem_is_folder", "depth", "same_language",
)  # fmt: skip
LINKED = ("used", "supported")
ASKED = ("asked_words", "asked_name", "asked_shaped", "asked_open", "candidates", "lead")
FEATURES = (*TEXTS, *COVERED, *NAMED, *KIND, *LINKED, *ASKED)
"""What each weighs is in weights/files.toml and weights/files.trees.toml."""
FADE = 8.0
_Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Sites:
    """Patterns of paths, languages that are not code, and words that open a question."""

    example: re.Pattern[str]
    compatibility: re.Pattern[str]
    declaration: re.Pattern[str]
    facade: re.Pattern[str]
    prose: frozenset[str]
    openers: frozenset[str]


@cache
def sites() -> Sites:
    """Read the shipped patterns once."""
    text = files("recollect.retrieve").joinpath("vocabulary", "sites.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(text)
    patterns = {key: re.compile(raw[key]) for key in ("example", "compatibility", "declaration", "facade")}
    return Sites(**patterns, prose=frozenset(raw["prose"].split()), openers=frozenset(raw["openers"].split()))


def group(candidates: Sequence[Candidate], items: Mapping[int, Item]) -> dict[str, list[Candidate]]:
    """Return the candidates of each file, in their order; the same file always has the same list."""
    found: dict[str, list[Candidate]] = {}
    for row in candidates:
        path = items[row.number].path
        if path:
            found.setdefault(path, []).append(row)
    return found


class _Pieces(NamedTuple):
    """All candidates side by side, those of one file together."""

    items: list[Item]
    starts: np.ndarray
    """Where each file begins."""
    numbers: np.ndarray
    chunks: np.ndarray
    """Shares of the two channels of text."""
    symbols: np.ndarray


def measure(
    context: Context, groups: Mapping[str, Sequence[Candidate]], items: Mapping[int, Item]
) -> np.ndarray:
    """Return a row of features for every file."""
    asked = Asked(context)
    pieces = _pieces(groups, items)
    languages = _languages(pieces)
    named = np.array(
        [
            (
                *_names(asked, path),
                *_kind(context.query, path, rows, items),
                languages[items[rows[0].number].language],
            )
            for path, rows in groups.items()
        ],
        dtype=float,
    ).reshape(len(groups), -1)
    parts = (
        _texts(pieces),
        _covered(context, asked, pieces),
        named,
        _linked(context, pieces),
    )
    matrix = np.concatenate([*parts, np.empty((len(groups), len(ASKED)))], axis=1)
    if len(matrix):
        matrix[:, len(FEATURES) - len(ASKED) :] = _about(context.query, matrix)
    return matrix


def _pieces(groups: Mapping[str, Sequence[Candidate]], items: Mapping[int, Item]) -> _Pieces:
    rows = [row for found in groups.values() for row in found]
    lengths = [len(found) for found in groups.values()]
    starts = (
        np.concatenate([[0], np.cumsum(lengths[:-1])]).astype(np.int64) if lengths else np.zeros(0, np.int64)
    )
    return _Pieces(
        [items[row.number] for row in rows],
        starts,
        np.array([row.number for row in rows], np.int64),
        np.array([row.signals.get("share.chunks", 0.0) for row in rows]),
        np.array([row.signals.get("share.symbols", 0.0) for row in rows]),
    )


def _languages(pieces: _Pieces) -> dict[str, float]:
    counts: dict[str, int] = {}
    for item in pieces.items:
        counts[item.language] = counts.get(item.language, 0) + 1
    return {language: count / len(pieces.items) for language, count in counts.items()}


def _texts(pieces: _Pieces) -> np.ndarray:
    columns = []
    ranks = []
    for shares, count in ((pieces.chunks, 3), (pieces.symbols, 2)):
        ordered = _sorted_inside(shares, pieces.starts)
        lengths = np.diff(np.append(pieces.starts, len(shares)))
        for place in range(count):
            at = np.minimum(pieces.starts + place, len(shares) - 1)
            columns.append(np.where(lengths > place, ordered[at], 0.0))
        total = np.add.reduceat(shares, pieces.starts)
        columns.append(total / total.max() if total.max() > 0 else total)
        ranks.append(_faded_rank(shares, pieces.starts))
    leading = np.zeros(len(pieces.items))
    leading[np.argsort(-(pieces.chunks + pieces.symbols), kind="stable")[:20]] = 1 / 20
    return np.stack([*columns, *ranks, np.add.reduceat(leading, pieces.starts)], axis=1)


def _sorted_inside(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return the values with those of each file in falling order."""
    owner = np.zeros(len(values), np.int64)
    owner[starts[1:]] = 1
    return values[np.lexsort((-values, np.cumsum(owner)))]


def _faded_rank(shares: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return 1 for the file with the best piece, less for later ones, 0 for files without any."""
    best = np.maximum.reduceat(shares, starts)
    rank = np.empty(len(best))
    rank[np.argsort(-best, kind="stable")] = np.arange(len(best))
    return np.where(best > 0, 1.0 / (1.0 + rank / FADE), 0.0)


def _covered(context: Context, asked: Asked, pieces: _Pieces) -> np.ndarray:
    columns = []
    for table in (CHUNKS, SYMBOLS):
        found = said(context, table, pieces.numbers)
        scores = found.scores
        best = np.maximum.reduceat(scores, pieces.starts, axis=0)
        terms = best.sum(1)
        columns += [
            np.maximum.reduceat((scores > 0) @ found.rarity, pieces.starts),
            (best > 0) @ found.rarity,
            terms / terms.max() if terms.max() > 0 else terms,
        ]
    named = np.array([_fit(asked, item) for item in pieces.items])
    return np.concatenate([np.stack(columns, axis=1), np.maximum.reduceat(named, pieces.starts)], axis=1)


def _fit(asked: Asked, item: Item) -> _Row:
    """Return how much of the question a symbol's name says, how much of the name is asked for, and both together."""
    if item.kind in {"chunk", "file", "section"}:
        return (0.0, 0.0, 0.0, 0.0)
    bits, covered = asked.meant(name_words(item.name.rpartition(".")[2]))
    weight = asked.weight(bits)
    fit = math.sqrt(weight * covered)
    return (weight, covered, fit, fit if item.kind in TYPE_KINDS else 0.0)


def _names(asked: Asked, path: str) -> _Row:
    """Return what the stem and the folders of a path say."""
    stem, folder, above = _path_words(path)
    (stem_bits, covered), (folder_bits, _), (path_bits, _) = map(asked.meant, (stem, folder, above))
    return (
        asked.share(stem_bits), covered, asked.weight(stem_bits),
        asked.share(folder_bits), asked.weight(folder_bits),
        asked.share(path_bits), asked.weight(path_bits | stem_bits),
    )  # fmt: skip


def _kind(query: Query, path: str, rows: Sequence[Candidate], items: Mapping[int, Item]) -> _Row:
    item, (stem, *site) = items[rows[0].number], _site(path)
    named = [row for row in rows if "definition" in row.signals]
    defined = max((row.signals["definition"] for row in named), default=0.0)
    same = any(_letters(items[row.number].name.rpartition(".")[2]) == stem for row in named)
    test = item.test or _is_test_path(path)
    example, compatibility, declaration, facade, folder, depth = site
    return (
        defined, float(same), float(test), example, compatibility, declaration,
        float(item.language in sites().prose), float(test and query.about_tests), facade, folder, depth,
    )  # fmt: skip


def _linked(context: Context, pieces: _Pieces) -> np.ndarray:
    """Return how much the rest of the code uses what was found, and how much other candidates stand by it."""
    files_of = np.repeat(np.arange(len(pieces.starts)), np.diff(np.append(pieces.starts, len(pieces.items))))
    support = supported(context, pieces.numbers, pieces.chunks + pieces.symbols, files_of)
    into, _ = used(context, pieces.numbers)
    total = np.add.reduceat(support, pieces.starts)
    top = total.max()
    return np.stack([np.maximum.reduceat(into, pieces.starts), total / top if top > 0 else total], axis=1)


def _about(query: Query, matrix: np.ndarray) -> _Row:
    """Return what the question and all that was found are like, the same for every file: trees tell kinds apart."""
    best = np.sort(matrix[:, TEXTS.index("chunk")])[::-1]
    words, shaped, opens = about(query)
    return (
        words,
        float(query.shape == "identifier"),
        shaped,
        opens,
        math.log1p(len(matrix)) / FADE,
        float(best[0] - best[min(3, len(best) - 1)]),
    )


def about(query: Query) -> tuple[float, float, float]:
    """Return how long a question is, whether it has an identifier in it, and whether it begins like a question."""
    words = query.text.lower().split()
    return (
        min(len(words), 40) / 40,
        float(any(map(is_shaped, names_in(query)))),
        float(bool(words) and words[0] in sites().openers),
    )


@lru_cache(maxsize=65_536)
def _site(path: str) -> tuple[str, float, float, float, float, float, float]:
    """Return the letters of a file's stem, which patterns its path meets, and how deep it lies."""
    at, known, pure = "/" + path, sites(), PurePosixPath(path)
    patterns = (known.example, known.compatibility, known.declaration, known.facade)
    example, compatibility, declaration, facade = (
        float(pattern.search(at) is not None) for pattern in patterns
    )
    stem = _letters(pure.stem)
    folder = float(bool(stem) and stem == _letters(pure.parent.name))
    return stem, example, compatibility, declaration, facade, folder, min(len(pure.parts), 10) / 10


@lru_cache(maxsize=65_536)
def _is_test_path(path: str) -> bool:
    return is_test_path(path)


@lru_cache(maxsize=65_536)
def _path_words(path: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the words of a file's stem, of its folder's name, and of that with all folders above it."""
    pure = PurePosixPath(path)
    stem = pure.name.rpartition(".")[0] or pure.name
    return name_words(stem), name_words(pure.parent.name), name_words(str(pure.parent))


@lru_cache(maxsize=262_144)
def name_words(text: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, each once."""
    return tuple(dict.fromkeys(part.lower() for part in split_identifier(text)))


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
