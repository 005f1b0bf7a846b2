"""How often every term occurs in every chunk: made once for a content of a file, and kept while that stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from recollect.errors import ReadOnlyError
from recollect.retrieve.sparse.terms import rules, terms_of
from recollect.types import Item

TextOf = Callable[[Item], str | None]


class FileTerms(msgspec.Struct, array_like=True, frozen=True):
    """The chunks of one file as counts of terms."""

    content: bytes
    """Hash of the file's bytes."""
    numbers: list[int]
    """Of the chunks, each with as many counts as `sizes` says."""
    sizes: list[int]
    ids: bytes
    """Positions in the corpus' list of terms, as int32."""
    counts: bytes
    """As int32."""


class _Stored(msgspec.Struct, array_like=True):
    version: str
    terms: list[str]
    files: dict[str, FileTerms]


class Corpus:
    """The terms of all chunks, file by file."""

    def __init__(self, version: str = "") -> None:
        self.version = version or rules().version
        self.terms: list[str] = []
        self.files: dict[str, FileTerms] = {}
        self._ids: dict[str, int] = {}

    @property
    def stale(self) -> bool:
        """Say whether it was made by other rules, so that its terms are not those of a query."""
        return self.version != rules().version

    def refresh(
        self, contents: dict[str, bytes], chunks: Callable[[str], Sequence[Item]], text_of: TextOf
    ) -> int:
        """Read files whose content is new, forget those that are gone, and return how many were read."""
        for path in self.files.keys() - contents.keys():
            del self.files[path]
        read = 0
        for path, content in contents.items():
            known = self.files.get(path)
            if known is None or known.content != content:
                self.files[path] = self._file(content, chunks(path), text_of)
                read += 1
        return read

    def _file(self, content: bytes, chunks: Iterable[Item], text_of: TextOf) -> FileTerms:
        numbers: list[int] = []
        sizes: list[int] = []
        ids: list[int] = []
        counts: list[int] = []
        for chunk in chunks:
            found = Counter(terms_of(text_of(chunk) or ""))
            numbers.append(chunk.number)
            sizes.append(len(found))
            ids.extend([self._id(term) for term in found])
            counts.extend(found.values())
        as_bytes = [np.array(row, dtype=np.int32).tobytes() for row in (ids, counts)]
        return FileTerms(content, numbers, sizes, as_bytes[0], as_bytes[1])

    def _id(self, term: str) -> int:
        found = self._ids.get(term)
        if found is None:
            found = self._ids[term] = len(self.terms)
            self.terms.append(term)
        return found

    def save(self, path: Path) -> None:
        """Write the corpus to a file, all or nothing."""
        unfinished = path.with_name(path.name + ".part")
        try:
            unfinished.write_bytes(msgspec.msgpack.encode(_Stored(self.version, self.terms, self.files)))
            unfinished.replace(path)
        except OSError as error:
            raise ReadOnlyError(
                f"{path} cannot be written ({error}); make its folder writable to keep the sparse vocabulary."
            ) from error

    @classmethod
    def load(cls, path: Path) -> Corpus:
        """Read a corpus that save wrote; what is missing or damaged is an empty one."""
        try:
            stored = msgspec.msgpack.decode(path.read_bytes(), type=_Stored)
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return cls()
        corpus = cls(stored.version)
        corpus.terms, corpus.files = stored.terms, stored.files
        corpus._ids = {term: place for place, term in enumerate(stored.terms)}
        return corpus
