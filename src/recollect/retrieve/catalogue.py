"""Every item of a generation in columns: what ranking asks of hundreds of candidates is answered at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files as resources
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recollect.retrieve.sites import ABOUT_PATH, about_path, name_words
from recollect.retrieve.tokens import glance
from recollect.store.sqlite.arrays import keep_arrays, kept_arrays
from recollect.types import CALLABLE_KINDS, PLACE_KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from recollect.ports import Outline, Reader

Array = np.ndarray[Any, np.dtype[Any]]

NAME = "catalogue.cache"
GENERATION = "generation"
TEST, DOCUMENTED, PRIVATE, SPECIAL = 1, 2, 4, 8
_NO_SYMBOLS = frozenset({*PLACE_KINDS, "section"})
_MADE_BY = ("catalogue.py", "sites.py", "words.py", "allowed.py", "tokens.py", "vocabulary/sites.toml")


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Row i of every column is the same item; the rows of a file lie together, in the order of its text."""

    numbers: Array
    places: Array
    """The row of each number, one past the last row for numbers that are no item."""
    order: Array
    """Rises with the public id."""
    files: Array
    """Positions in the paths, which are sorted."""
    kinds: Array
    starts: Array
    ends: Array
    flags: Array
    depths: Array
    owners: Array
    """The row of the symbol that each one belongs to, its own when there is none."""
    leaves: Array
    """Which name each symbol has; the first name is empty."""
    sizes: Array
    """How long name, kind and signature are together."""
    glances: Array
    """What the signature, or what stands for it, costs at least (tokens.glance)."""
    path_glances: Array
    """The same for the path of each file."""
    file_rows: Array
    """Where the rows of each file begin, and where those of one after the last would."""
    languages: Array
    """Of each file."""
    sites: Array
    """Of each file, what its path tells (sites.about_path)."""
    file_names: Array
    """Of each file, the names that its stem, its folder and all its folders are."""
    name_starts: Array
    name_words: Array
    """Positions in the words, which are sorted."""
    stamps: Array
    """Of each file, a hash of everything that decides what its rows say."""
    texts: Array
    text_ends: Array

    @cached_property
    def lists(self) -> list[list[str]]:
        """Return paths, words, kinds and languages."""
        ends = [0, *self.text_ends.tolist()]
        parts = (self.texts[start:end].tobytes() for start, end in pairwise(ends))
        return [part.decode("utf-8", "surrogatepass").split("\0")[:-1] for part in parts]

    @property
    def paths(self) -> list[str]:
        """Return the path of every file."""
        return self.lists[0]

    @property
    def words(self) -> list[str]:
        """Return every word of a name, sorted."""
        return self.lists[1]

    @cached_property
    def file_of(self) -> Mapping[str, int]:
        """Return the position of each path."""
        return {path: at for at, path in enumerate(self.paths)}

    def language_is(self, wanted: Iterable[str]) -> Array:
        """Return for every code of a language whether it is one of these."""
        return _chosen(self.lists[3], wanted)

    def kind_is(self, wanted: Iterable[str]) -> Array:
        """Return for every code of a kind whether it is one of these."""
        return _chosen(self.lists[2], wanted)

    @cached_property
    def symbol(self) -> Array:
        """Return for every code of a kind whether it is a symbol's."""
        return ~self.kind_is(_NO_SYMBOLS)

    @cached_property
    def type(self) -> Array:
        """Return for every code of a kind whether it is a type's."""
        return self.kind_is(TYPE_KINDS)

    @cached_property
    def callable(self) -> Array:
        """Return for every code of a kind whether it can be called."""
        return self.kind_is(CALLABLE_KINDS)

    @cached_property
    def chunk(self) -> Array:
        """Return for every code of a kind whether it is a chunk."""
        return self.kind_is({"chunk"})

    def rows_of(self, numbers: Array) -> tuple[Array, Array]:
        """Return the row of each number, and whether it has one."""
        rows = self.places[np.minimum(numbers, len(self.places) - 1)]
        return rows, rows < len(self.numbers)


_COLUMNS = tuple(field.name for field in fields(Catalogue))


def catalogue_of(reader: Reader, folder: Path | None) -> Catalogue:
    """Return the catalogue of a generation; what the folder keeps of another one is brought in step."""
    from recollect.retrieve.amending import amended

    space = reader.meta("space")
    made_by = (_makers(), space, reader.meta("rules"), reader.meta("grammars"))
    root = blake2b(repr(made_by).encode(), digest_size=16).digest()
    path = folder / NAME if folder is not None and space else None
    kept = kept_arrays(path, root) if path is not None else None
    old = None
    if kept is not None and set(kept) == {GENERATION, *_COLUMNS}:
        # As plain arrays: those that know their file take several times as long to index.
        arrays = {name: np.asarray(array) for name, array in kept.items()}
        generation = int(arrays.pop(GENERATION)[0])
        old = Catalogue(**arrays)
        if generation == reader.generation():
            return old
    made = (amended(old, reader) if old is not None else None) or build(reader.outline())
    if path is not None:
        arrays = {name: getattr(made, name) for name in _COLUMNS}
        keep_arrays(path, root, {GENERATION: np.array([reader.generation()]), **arrays})
    return made


def stamps_of(files: Sequence[tuple[int, str, str, bool, bytes]]) -> Array:
    """Return for each file a hash of everything that decides what its rows say."""
    parts = (
        f"{number}/{language}/{test:d}/{path}".encode() + b"/" + data
        for number, path, language, test, data in files
    )
    hashes = b"".join(blake2b(part, digest_size=8).digest() for part in parts)
    return np.frombuffer(hashes, np.uint64)


def joined_texts(*lists: Sequence[str]) -> tuple[Array, Array]:
    """Return lists of texts as bytes, and where each list ends."""
    texts = ["".join(f"{text}\0" for text in part).encode("utf-8", "surrogatepass") for part in lists]
    return np.frombuffer(b"".join(texts), np.uint8), np.array(list(accumulate(map(len, texts))), np.int64)


@cache
def _makers() -> str:
    """Return a hash of everything of ours that decides what stands in a catalogue."""
    digest = blake2b(digest_size=8)
    for name in _MADE_BY:
        digest.update(resources("recollect.retrieve").joinpath(*name.split("/")).read_bytes())
    return digest.hexdigest()


def build(outline: Outline) -> Catalogue:
    """Put every item into columns."""
    paths = sorted(outline.files, key=lambda file: file[1])
    columns = list(zip(*outline.rows, strict=True)) or [()] * 14
    numbers, uids, homes, starts, more, first, size = (
        np.array(columns[at], np.int64) for at in (0, 1, 2, 6, 7, 8, 9)
    )
    files = _table([number for number, *_ in paths], 0)[homes]
    order = np.lexsort((uids, -size, first, files))
    rows = [outline.rows[at] for at in order.tolist()]
    files, numbers = files[order], numbers[order]
    kinds = sorted({outline.words[code] for code in set(columns[3])})
    kind_codes = {code: kinds.index(outline.words[code]) for code in set(columns[3])}
    names = _Names()
    symbols = _symbols(rows, files.tolist(), outline, names)
    file_names = [[names.of(part) for part in _parts(path)] for _, path, *_ in paths]
    languages = sorted({language for _, _, language, *_ in paths})
    texts, text_ends = joined_texts([path for _, path, *_ in paths], names.words(), kinds, languages)
    name_starts, name_words = names.columns()
    return Catalogue(
        numbers=numbers.astype(np.uint32),
        places=_table(numbers.tolist(), len(numbers)).astype(np.uint32),
        order=in_text_order(uids[order]),
        files=files.astype(np.uint32),
        kinds=np.array([kind_codes[row[3]] for row in rows], np.uint8),
        starts=starts[order].astype(np.uint32),
        ends=(starts + more)[order].astype(np.uint32),
        flags=symbols.flags,
        depths=symbols.depths,
        owners=symbols.owners,
        leaves=symbols.leaves,
        sizes=symbols.sizes,
        glances=symbols.glances,
        path_glances=np.array([glance(path) for _, path, *_ in paths], np.uint32),
        file_rows=np.searchsorted(files, np.arange(len(paths) + 1)).astype(np.uint32),
        languages=np.array([languages.index(language) for _, _, language, *_ in paths], np.uint16),
        sites=np.array([about_path(path) for _, path, *_ in paths]).reshape(len(paths), len(ABOUT_PATH)),
        file_names=np.array(file_names, np.uint32).reshape(len(paths), 3),
        name_starts=name_starts,
        name_words=name_words,
        stamps=stamps_of(paths),
        texts=texts,
        text_ends=text_ends,
    )


class _Names:
    """Different names with their words."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {"": 0}
        self._parts: list[tuple[str, ...]] = [()]

    def of(self, name: str) -> int:
        place = self._known.get(name)
        if place is None:
            place = self._known[name] = len(self._parts)
            self._parts.append(name_words(name))
        return place

    def words(self) -> list[str]:
        return sorted({word for parts in self._parts for word in parts})

    def columns(self) -> tuple[Array, Array]:
        codes = {word: code for code, word in enumerate(self.words())}
        flat = np.array([codes[word] for parts in self._parts for word in parts], np.uint32)
        return np.array([0, *accumulate(map(len, self._parts))], np.uint32), flat


@dataclass(frozen=True)
class _Symbols:
    flags: Array
    depths: Array
    owners: Array
    leaves: Array
    sizes: Array
    glances: Array


def _symbols(
    rows: Sequence[tuple[Any, ...]], files: Sequence[int], outline: Outline, names: _Names
) -> _Symbols:
    """Return what the names of symbols tell, and which of the same file each belongs to."""
    flags, depths, leaves = bytearray(len(rows)), bytearray(len(rows)), np.zeros(len(rows), np.uint32)
    owners = np.arange(len(rows), dtype=np.uint32)
    words = outline.words
    sizes, glances = [], []
    outside = {code for code, word in words.items() if word in _NO_SYMBOLS}
    public = {code for code, word in words.items() if word in {"public", ""}}
    constructor = {code for code, word in words.items() if word == "constructor"}
    known: dict[tuple[int, str], int] = {}
    waiting: list[tuple[int, tuple[int, str]]] = []
    for at, (row, file) in enumerate(zip(rows, files, strict=True)):
        kind, name, container, visibility, test, documented = row[3], row[4], row[5], *row[10:13]
        flags[at] = TEST * bool(test) + DOCUMENTED * bool(documented) + PRIVATE * (visibility not in public)
        qualified, signature = _qualified(name, container), row[13]
        sizes.append(len(qualified) + len(words[kind]) + len(signature))
        glances.append(glance(signature or qualified))
        if kind in outside:
            continue
        owner, _, leaf = qualified.rpartition(".")
        flags[at] += SPECIAL * (leaf.startswith("__") or kind in constructor)
        depths[at] = min(qualified.count("."), 255)
        leaves[at] = names.of(leaf)
        known.setdefault((file, qualified), at)
        waiting.append((at, (file, owner)))
    for at, key in waiting:
        owners[at] = known.get(key, at)
    return _Symbols(
        np.frombuffer(flags, np.uint8),
        np.frombuffer(depths, np.uint8),
        owners,
        leaves,
        *(np.array(c, np.uint32) for c in (sizes, glances)),
    )


def _qualified(name: str | None, container: str | None) -> str:
    """Return the name of an item as the store puts it together."""
    if container is None:
        return name or ""
    return container[1:] if container.startswith(".") else f"{container}.{name}"


def _parts(path: str) -> tuple[str, str, str]:
    """Return a file's stem, its folder's name and all folders."""
    folders, _, name = path.rpartition("/")
    return name.rpartition(".")[0] or name, folders.rpartition("/")[2], folders


def _table(keys: Sequence[int], beyond: int) -> Array:
    """Return the position of each key, and for all others what stands for none."""
    table = np.full(max(keys, default=0) + 2, beyond, np.int64)
    table[list(keys)] = np.arange(len(keys))
    return table


def _chosen(known: Sequence[str], wanted: Iterable[str]) -> Array:
    chosen = frozenset(wanted)
    return np.array([one in chosen for one in known], np.bool_)


def in_text_order(uids: Array) -> Array:
    """Return numbers that rise as the public ids of these uids do as text, where digits stand before letters."""
    bits = uids.astype(np.uint64) << np.uint64(1)
    order = bits & np.uint64(0xF << 60)
    for shift in map(np.uint64, range(0, 60, 5)):
        order |= (((bits >> shift) + np.uint64(6)) & np.uint64(31)) << shift
    return order
