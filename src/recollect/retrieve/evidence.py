"""What speaks for a file as a whole: its best pieces together, its name, its place, what it defines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from recollect.retrieve.catalogue import TEST
from recollect.retrieve.context import Context
from recollect.retrieve.links import supported, used
from recollect.retrieve.matching import CHUNKS, SYMBOLS, Asked, Meant, asked_of, said
from recollect.retrieve.ranking import Ranking, ranking_of
from recollect.retrieve.sites import letters, sites, stem_letters
from recollect.retrieve.terms import is_shaped, names_in
from recollect.retrieve.told import FEATURES as PAST
from recollect.retrieve.told import past_of
from recollect.retrieve.values import Candidate, Query
from recollect.types import Item

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
FEATURES = (*TEXTS, *COVERED, *NAMED, *KIND, *LINKED, *PAST, *ASKED)
"""What each weighs is in weights/files.toml, weights/files.trees.json and, of the past, weights/past.toml."""
FADE = 8.0


def group(candidates: Sequence[Candidate], items: Mapping[int, Item]) -> dict[str, list[Candidate]]:
    """Return the candidates of each file, in their order; the same file always has the same list."""
    found: dict[str, list[Candidate]] = {}
    for row in candidates:
        path = items[row.number].path
        if path:
            found.setdefault(path, []).append(row)
    return found


class Pieces(NamedTuple):
    """All candidates side by side, those of one file together."""

    ranking: Ranking
    rows: np.ndarray
    """Where they stand in the catalogue."""
    starts: np.ndarray
    """Where each file begins."""
    files: np.ndarray
    """Which file of the catalogue each is."""
    chunks: np.ndarray
    """Shares of the two channels of text."""
    symbols: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """Return how many candidates each file has."""
        return np.diff(np.append(self.starts, len(self.rows)))


def grouped(context: Context, ranking: Ranking) -> Pieces:
    """Return the candidates of each file together; files, and candidates inside them, keep their order."""
    rows, known = context.catalogue.rows_of(ranking.numbers)
    if not known.all():
        ranking, rows = ranking.take(known), rows[known]
    homes = context.catalogue.files[rows]
    first = np.empty(len(context.catalogue.paths), np.int64)
    first[homes[::-1]] = np.arange(len(homes))[::-1]
    order = np.argsort(first[homes], kind="stable")
    ranking, rows, homes = ranking.take(order), rows[order], homes[order]
    starts = np.flatnonzero(np.append(True, homes[1:] != homes[:-1])) if len(rows) else np.zeros(0, np.int64)
    shares = (ranking.signal("share.chunks"), ranking.signal("share.symbols"))
    return Pieces(ranking, rows, starts, homes[starts], *shares)


def measure(
    context: Context, groups: Mapping[str, Sequence[Candidate]], items: Mapping[int, Item]
) -> np.ndarray:
    """Return a row of features for every file."""
    del items
    return measured(context, grouped(context, ranking_of([row for rows in groups.values() for row in rows])))


def measured(context: Context, pieces: Pieces) -> np.ndarray:
    """Return a row of features for every file."""
    if not len(pieces.starts):
        return np.zeros((0, len(FEATURES)))
    asked, meant = asked_of(context)
    texts = _texts(pieces)
    parts = (
        texts,
        _covered(context, asked, meant, pieces),
        _names(context, asked, meant, pieces),
        _kind(context, pieces),
        _linked(context, pieces),
        past_of(context, pieces.files, texts[:, TEXTS.index("chunk")] + texts[:, TEXTS.index("symbol")]),
    )
    matrix = np.concatenate([*parts, np.empty((len(pieces.starts), len(ASKED)))], axis=1)
    matrix[:, len(FEATURES) - len(ASKED) :] = _about(context.query, matrix)
    return matrix


def _texts(pieces: Pieces) -> np.ndarray:
    columns = []
    ranks = []
    for shares, count in ((pieces.chunks, 3), (pieces.symbols, 2)):
        ordered = _sorted_inside(shares, pieces.starts)
        lengths = pieces.lengths
        for place in range(count):
            at = np.minimum(pieces.starts + place, len(shares) - 1)
            columns.append(np.where(lengths > place, ordered[at], 0.0))
        total = np.add.reduceat(shares, pieces.starts)
        columns.append(total / total.max() if total.max() > 0 else total)
        ranks.append(_faded_rank(shares, pieces.starts))
    leading = np.zeros(len(pieces.rows))
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


def _covered(context: Context, asked: Asked, meant: Meant, pieces: Pieces) -> np.ndarray:
    columns = []
    for table in (CHUNKS, SYMBOLS):
        found = said(context, table, pieces.ranking.numbers)
        scores = found.scores
        best = np.maximum.reduceat(scores, pieces.starts, axis=0)
        terms = best.sum(1)
        columns += [
            np.maximum.reduceat(found.coverage(), pieces.starts),
            (best > 0) @ found.rarity,
            terms / terms.max() if terms.max() > 0 else terms,
        ]
    columns += [np.maximum.reduceat(fit, pieces.starts) for fit in _fits(context, asked, meant, pieces.rows)]
    return np.stack(columns, axis=1)


def _fits(context: Context, asked: Asked, meant: Meant, rows: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return how much of the question symbols' names say, how much of the names is asked for, and both together."""
    weight, covered, fit = fits(asked, meant, context.catalogue.leaves[rows])
    types = context.catalogue.type[context.catalogue.kinds[rows]]
    return weight, covered, fit, np.where(types, fit, 0.0)


def fits(asked: Asked, meant: Meant, names: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return how much of the question names say, how much of them is asked for, and both together."""
    bits, covered = meant.of(names)
    weight = asked.weights(bits)
    return weight, covered, np.sqrt(weight * covered)


def _names(context: Context, asked: Asked, meant: Meant, pieces: Pieces) -> np.ndarray:
    """Return what the stems and the folders of paths say."""
    names = context.catalogue.file_names[pieces.files].T
    (stem, covered), (folder, _), (above, _) = map(meant.of, names)
    columns = (
        asked.shares(stem), covered, asked.weights(stem),
        asked.shares(folder), asked.weights(folder),
        asked.shares(above), asked.weights(above | stem),
    )  # fmt: skip
    return np.stack(columns, axis=1)


def _kind(context: Context, pieces: Pieces) -> np.ndarray:
    catalogue, sites_of = context.catalogue, context.catalogue.sites[pieces.files].T
    example, compatibility, declaration, facade, folder, depth, test_path = sites_of
    first = catalogue.flags[pieces.rows[pieces.starts]]
    test = ((first & TEST) > 0) | (test_path > 0)
    languages = catalogue.languages[pieces.files]
    columns = (
        np.maximum.reduceat(pieces.ranking.signal("definition"), pieces.starts), _same(context, pieces), test,
        example, compatibility, declaration, catalogue.language_is(sites().prose)[languages],
        test & context.query.about_tests, facade, folder, depth,
        np.bincount(languages, pieces.lengths)[languages] / len(pieces.rows),
    )  # fmt: skip
    return np.stack([column.astype(float) for column in columns], axis=1)


def _same(context: Context, pieces: Pieces) -> np.ndarray:
    """Say of every file whether it is called like something that the question names and it defines."""
    same = np.zeros(len(pieces.starts))
    named = pieces.ranking.signals.get("definition")
    if named is None:
        return same
    homes = np.repeat(np.arange(len(same)), pieces.lengths)
    at = np.flatnonzero(~np.isnan(named))
    items = context.items(pieces.ranking.numbers[at].tolist())
    for number, home in zip(pieces.ranking.numbers[at].tolist(), homes[at].tolist(), strict=True):
        item = items[number]
        if letters(item.name.rpartition(".")[2]) == stem_letters(item.path):
            same[home] = 1.0
    return same


def _linked(context: Context, pieces: Pieces) -> np.ndarray:
    """Return how much the rest of the code uses what was found, and how much other candidates stand by it."""
    numbers = pieces.ranking.numbers
    support = supported(context, numbers, pieces.chunks + pieces.symbols, pieces.files.repeat(pieces.lengths))
    into, _ = used(context, numbers)
    total = np.add.reduceat(support, pieces.starts)
    top = total.max()
    return np.stack([np.maximum.reduceat(into, pieces.starts), total / top if top > 0 else total], axis=1)


def _about(query: Query, matrix: np.ndarray) -> tuple[float, ...]:
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
