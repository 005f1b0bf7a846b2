"""What the messages of past commits tell of the files that they changed, in columns that any question looks up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate, chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import MsgspecError, Struct, msgpack

from recollect.retrieve.context import Context
from recollect.retrieve.sparse.stems import stem
from recollect.retrieve.words import split_identifier, word_lists

MOST_FILES = 20
"""A commit that changes more is a sweep, and its message says nothing of any one file."""
FEATURES = ("past_best", "past_all", "past_covers", "past_says", "past_lift", "past_near")
LONG = 0.3
"""How much of its weight a message loses when it is as long as most."""
_HABIT, _ACTIVE = 5, 300.0
_VERSION = 1
_NAME = re.compile(r"[^\W\d]\w*|\d+")


class _Kept(Struct, array_like=True):
    """How the file is laid out; arrays are bytes of 32-bit numbers."""

    version: int
    commit: str
    words: list[str]
    said: bytes
    said_ends: bytes
    paths: list[str]
    changed: bytes
    changed_ends: bytes


class Columns(NamedTuple):
    """Rows of numbers one after the other."""

    values: np.ndarray
    starts: np.ndarray
    """Where each row begins, and the end of the last one."""

    def row(self, place: int) -> np.ndarray:
        """Return one row."""
        return self.values[self.starts[place] : self.starts[place + 1]]

    def turned(self, count: int) -> Columns:
        """Return for each of `count` values the rows that have it, rising."""
        order = np.argsort(self.values, kind="stable")
        rows = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))[order]
        return Columns(rows, np.searchsorted(self.values[order], np.arange(count + 1)))


class Told(NamedTuple):
    """The commits of a project that are no sweeps, newest first."""

    commits: int
    words: dict[str, int]
    """The place of each stem."""
    saying: Columns
    """The commits that say each stem."""
    paths: dict[str, int]
    """The place of each file."""
    changing: Columns
    """The commits that changed each file."""
    changed: Columns
    """The files that each commit changed."""
    weight: np.ndarray
    """What the message of each commit counts for each of its files: less the longer it is and the more they are."""


def stems_of(text: str) -> list[str]:
    """Return the stems of a text's words and of the parts of its identifiers, each once, without stopwords."""
    found: dict[str, None] = {}
    stopwords = word_lists().stopwords
    for name in _NAME.findall(text):
        for part in (name, *split_identifier(name)):
            if part.lower() not in stopwords:
                found[stem(part.lower())] = None
    return list(found)


def packed(commit: str, messages: Iterable[tuple[str, Sequence[str]]]) -> bytes:
    """Return what is kept of the messages that lead to a commit, each with the files that it changed."""
    rows = [(stems_of(text), paths) for text, paths in messages if 0 < len(paths) <= MOST_FILES]
    words = {word: place for place, word in enumerate(dict.fromkeys(chain(*(said for said, _ in rows))))}
    paths = {path: place for place, path in enumerate(dict.fromkeys(chain(*(found for _, found in rows))))}
    return msgpack.encode(
        _Kept(
            _VERSION, commit,
            list(words), *_bytes([[words[word] for word in said] for said, _ in rows]),
            list(paths), *_bytes([[paths[path] for path in found] for _, found in rows]),
        )
    )  # fmt: skip


class ToldFile:
    """What is kept in a file; the service `told`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Told | None:
        """Return what is kept now, or None when nothing is."""
        try:
            return unpacked(self._path.read_bytes())
        except OSError:
            return None


def told_of(context: Context) -> Told | None:
    """Return what past commits tell in this generation, or None when nothing is known of them."""
    service: ToldFile | None = context.services.get("told")
    return context.snapshot.memo("told", service.read) if service is not None else None


def commit_of(data: bytes) -> str:
    """Return the commit for which the messages were kept, nothing when they have to be read anew."""
    kept = _kept(data)
    return kept.commit if kept else ""


def unpacked(data: bytes) -> Told | None:
    """Return what was kept, or None when it cannot be read or there is nothing in it."""
    kept = _kept(data)
    if kept is None or not kept.said_ends:
        return None
    said, changed = _columns(kept.said, kept.said_ends), _columns(kept.changed, kept.changed_ends)
    lengths, files = np.diff(said.starts), np.diff(changed.starts)
    share = lengths / max(1.0, float(lengths.mean()))
    return Told(
        len(lengths),
        {word: place for place, word in enumerate(kept.words)},
        said.turned(len(kept.words)),
        {path: place for place, path in enumerate(kept.paths)},
        changed.turned(len(kept.paths)),
        changed,
        (1 + LONG) / (1 + LONG * share) / np.sqrt(files),
    )


class Heard(NamedTuple):
    """What a question finds in the messages."""

    terms: np.ndarray
    """Which of its stems (rows) each commit (a column) says."""
    shares: np.ndarray
    """How telling each stem is; together 1."""

    @property
    def said(self) -> np.ndarray:
        """Return what share of the question each commit says."""
        shares: np.ndarray = self.shares @ self.terms
        return shares


def heard_of(context: Context, told: Told) -> Heard:
    """Return what the question of this run finds in the messages."""
    return context.once("heard", partial(hear, told, context.query.text))


def hear(told: Told, text: str) -> Heard:
    """Look up the words of a question."""
    asked = stems_of(text)
    terms = np.zeros((max(1, len(asked)), told.commits))
    for row, word in enumerate(asked):
        place = told.words.get(word)
        if place is not None:
            terms[row, told.saying.row(place)] = 1.0
    holding = terms.sum(1)
    rarity = np.where(holding > 0, np.log1p((told.commits - holding + 0.5) / (holding + 0.5)), 0.0)
    return Heard(terms, rarity / (rarity.sum() or 1.0))


def past_of(context: Context, files: np.ndarray, leading: np.ndarray) -> np.ndarray:
    """Return a row of features for every file of the catalogue that is given.

    `leading` says how well the text of each matches. Where nothing is known, or a name is all that is asked, there are
    zeros.
    """
    told = told_of(context)
    if told is None or context.query.shape == "identifier":
        return np.zeros((len(files), len(FEATURES)))
    places = context.snapshot.memo("told places", partial(_places, told, context.catalogue.paths))
    return measure(told, heard_of(context, told), places[files], leading)


def _places(told: Told, paths: Sequence[str]) -> np.ndarray:
    return np.array([told.paths.get(path, -1) for path in paths], np.int64)


def measure(told: Told, heard: Heard, files: np.ndarray, leading: np.ndarray) -> np.ndarray:
    """Return a row of features for every file, given by its place or -1 when no commit speaks of it."""
    found = np.zeros((len(files), len(FEATURES)))
    rows = np.flatnonzero(files >= 0)
    if not len(rows):
        return found
    places = files[rows]
    counts = told.changing.starts[places + 1] - told.changing.starts[places]
    starts = np.cumsum(counts) - counts
    shift = told.changing.starts[places] - starts
    commits = told.changing.values[np.repeat(shift, counts) + np.arange(counts.sum())]
    said = heard.said
    strength = (said * told.weight)[commits]
    spoken = np.add.reduceat(heard.terms[:, commits], starts, axis=1)
    holding = heard.terms.sum(1)[:, None]
    lift = (spoken + 0.5) / (holding * counts / told.commits + 1.0)
    columns = [
        _scaled(np.maximum.reduceat(strength, starts)),
        _scaled(_best_few(strength, starts, counts)),
        heard.shares @ (spoken > 0),
        np.maximum.reduceat(said[commits], starts),
        heard.shares @ np.log(np.maximum(lift, 0.3)),
        _scaled(_near(told, places, leading[rows], commits, starts)),
    ]
    found[rows] = np.stack(columns, axis=1)
    return found


def likeliest(told: Told, heard: Heard, count: int) -> list[tuple[str, float]]:
    """Return the files that past messages speak for most, what is changed often before what is not, with shares."""
    commits = told.changing.values
    starts = told.changing.starts[:-1]
    strength = np.maximum.reduceat((heard.said * told.weight)[commits], starts)
    active = np.add.reduceat(np.exp(-commits / _ACTIVE), starts)
    value = _scaled(strength) + 0.3 * _scaled(active)
    names = list(told.paths)
    best = np.argsort(-value, kind="stable")[:count]
    return [(names[at], float(value[at])) for at in best.tolist()]


def _near(
    told: Told, places: np.ndarray, leading: np.ndarray, commits: np.ndarray, starts: np.ndarray
) -> np.ndarray:
    """Return how often each file was changed together with those whose text matches best."""
    strength = np.zeros(len(told.paths))
    strength[places] = leading**2
    together = np.add.reduceat(strength[told.changed.values], told.changed.starts[:-1])
    files = np.diff(told.changed.starts)
    counts = np.diff(np.append(starts, len(commits)))
    shared = (together[commits] - np.repeat(strength[places], counts)) / files[commits]
    near: np.ndarray = np.add.reduceat(shared, starts) / (counts + _HABIT)
    return near


def _best_few(strength: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return for each file the sum of its strongest messages."""
    owner = np.repeat(np.arange(len(starts)), counts)
    order = np.lexsort((-strength, owner))
    rank = np.arange(len(strength)) - np.repeat(starts, counts)
    return np.bincount(owner, np.where(rank < _HABIT, strength[order], 0.0), len(starts))


def _scaled(values: np.ndarray) -> np.ndarray:
    top = values.max()
    return values / top if top > 0 else np.zeros_like(values)


def _kept(data: bytes) -> _Kept | None:
    try:
        kept = msgpack.decode(data, type=_Kept)
    except (MsgspecError, UnicodeDecodeError):
        return None
    return kept if kept.version == _VERSION else None


def _bytes(rows: Sequence[Sequence[int]]) -> tuple[bytes, bytes]:
    flat = np.fromiter(chain.from_iterable(rows), np.int32)
    ends = np.fromiter(accumulate(map(len, rows)), np.int32)
    return flat.tobytes(), ends.tobytes()


def _columns(values: bytes, ends: bytes) -> Columns:
    starts = np.concatenate([[0], np.frombuffer(ends, np.int32)]).astype(np.int64)
    return Columns(np.frombuffer(values, np.int32).astype(np.int64), starts)
