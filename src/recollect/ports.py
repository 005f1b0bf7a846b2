"""The small protocols between the parts; whoever implements one is found through plugins, never imported by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np

    from recollect.facts import FileFacts
    from recollect.types import Edge, Item


class FileRecord(NamedTuple):
    """One file of the manifest: what it was when it was indexed."""

    path: str
    """Relative to the root, with forward slashes."""
    content: bytes
    """32-byte hash of the bytes, empty when the file is known but not indexed."""
    size: int
    mtime_ns: int
    language: str = ""
    lines: int = 0
    test: bool = False
    generated: bool = False
    skipped: str = ""
    """Why it is not indexed, empty when it is."""
    package: str = ""
    number: int = 0
    """Dense number of the file's own item."""


class Definition(NamedTuple):
    """A symbol as the resolver sees it: no spans, nothing that a mere move in the file would change."""

    number: int
    name: str
    qualified: str
    kind: str
    path: str
    language: str
    owner: str
    package: str
    visibility: str
    test: bool
    returns: str
    bases: tuple[str, ...]
    fields: tuple[tuple[str, str, bool], ...]
    """For types: name, type and whether it was declared, of each known field."""
    parameters: int = -1
    """How many a callable takes, -1 when unknown."""


class NewItem(NamedTuple):
    """An item that is about to be written as part of a file."""

    uid: int
    """63-bit hash of what it is; the public id is made from it."""
    kind: str
    name: str
    qualified: str
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    parent_uid: int = 0
    signature: str = ""
    doc: str = ""
    owner: str = ""
    visibility: str = "public"
    test: bool = False
    tokens: int = 0
    shape: bytes = b""
    """msgpack of (returns, bases, fields, parameters) for the resolver; empty when all are."""


class EdgeRow(NamedTuple):
    """An edge in the form that is packed and stored."""

    source: int
    target: int
    line: int
    type: int
    """Position in recollect.types.EDGE_TYPES."""
    provenance: int
    """Position in recollect.types.PROVENANCES."""
    confidence: int
    """Percent, 0 to 100."""
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which nobody asks of a row
    """How often, at most 255."""


class NameRow(NamedTuple):
    """A symbol as far as its name tells."""

    number: int
    name: str
    qualified: str
    kind: str
    test: bool
    path: str


class TextHit(NamedTuple):
    """One match of a full-text table."""

    number: int
    score: float
    """Higher is better (the negated bm25)."""


class Event(NamedTuple):
    """What happened to an item under a query; `retrieved` alone never means that it was of use."""

    query_id: str
    item_id: str
    kind: str
    """retrieved, shown, selected, used or discarded."""
    time: float
    detail: str = ""


class Vectors(NamedTuple):
    """All vectors of one model; row i of each array belongs together."""

    model: str
    contents: np.ndarray
    """One content hash a row, as bytes."""
    matrix: np.ndarray
    """float16, or int8 to be multiplied by its row's scale."""
    scales: np.ndarray


@dataclass(frozen=True, slots=True)
class Filters:
    """What every channel applies before its limit."""

    languages: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    path_prefixes: tuple[str, ...] = ()
    include_tests: bool = True
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Graph(Protocol):
    """All edges of one generation as compressed sparse rows, with type and provenance kept."""

    root: bytes
    numbers: np.ndarray
    """Sorted dense item numbers; a node is a position in this array."""
    offsets: np.ndarray
    targets: np.ndarray
    types: np.ndarray
    provenances: np.ndarray
    confidences: np.ndarray
    lines: np.ndarray
    reverse_offsets: np.ndarray
    reverse_edges: np.ndarray
    """Positions into the forward arrays, grouped by target node."""
    sources: np.ndarray


class Outline(NamedTuple):
    """Every item of a store in bare rows, for ranking: no text but names and signatures."""

    rows: Sequence[tuple[Any, ...]]
    """number, uid, file, kind, name, container, start line, lines after it, start byte, bytes, visibility, test,
    whether it is documented, and its signature."""
    words: Mapping[int, str]
    """What the codes of kinds and visibilities stand for."""
    files: Sequence[tuple[int, str, str, bool, bytes]]
    """Number, path, language, whether it is a test, and hash of the content, of every file."""


class FileTable(Protocol):
    """The manifest: what is indexed, and what the resolver asks about files."""

    def file(self, path: str) -> FileRecord | None: ...
    def files(self) -> Iterator[FileRecord]: ...
    def files_named(self, stem: str) -> Sequence[FileRecord]: ...
    def files_in(self, folder_name: str) -> Sequence[FileRecord]: ...
    def folders(self) -> Mapping[str, int]: ...
    def exports(self, path: str) -> bytes: ...


class ItemTable(Protocol):
    """Items whole, and definitions as the resolver sees them."""

    def items(self, numbers: Sequence[int]) -> Sequence[Item]: ...
    def item(self, public_id: str) -> Item | None: ...
    def items_of(self, path: str) -> Sequence[Item]: ...
    def numbers_of(self, path: str) -> Mapping[int, int]: ...
    def find(self, name: str, filters: Filters, limit: int, prefix: bool = False) -> Sequence[Item]: ...
    def definitions(self, name: str) -> Sequence[Definition]: ...
    def members(self, owner_name: str) -> Sequence[Definition]: ...
    def outline(self, files: Sequence[int] | None = None) -> Outline: ...
    def all_definitions(self) -> Iterator[Definition]: ...


class NameTable(Protocol):
    """Names of items and files in bulk, for ranking."""

    def named(self, names: Iterable[str], filters: Filters, limit: int) -> Sequence[NameRow]: ...
    def starting(self, beginning: str, filters: Filters, limit: int) -> Sequence[NameRow]: ...
    def containing(self, part: str, filters: Filters, limit: int) -> Sequence[NameRow]: ...
    def files_with(self, part: str, limit: int) -> Sequence[tuple[int, str]]: ...
    def symbols_in(self, files: Sequence[int], kinds: Iterable[str], limit: int) -> Sequence[NameRow]: ...
    def languages(self) -> Mapping[str, int]: ...


class EdgeTable(Protocol):
    """Edges, one by one or as a graph, and what each unit's edges depend on."""

    def edges(self, number: int, incoming: bool, types: Iterable[str] = ()) -> Sequence[Edge]: ...
    def graph(self) -> Graph: ...
    def dependencies(self) -> tuple[Sequence[str], Sequence[bytes]]: ...


class Reader(FileTable, ItemTable, NameTable, EdgeTable, Protocol):
    """One consistent snapshot of a store."""

    def meta(self, key: str) -> str | None: ...
    def generation(self) -> int: ...
    def counts(self) -> Mapping[str, int]: ...
    def notes(self) -> Mapping[str, Any]: ...
    def search(
        self, table: str, match: str, weights: Sequence[float], limit: int, filters: Filters
    ) -> Sequence[TextHit]: ...
    def matches(
        self, table: str, match: str, weights: Sequence[float], filters: Filters
    ) -> tuple[np.ndarray, np.ndarray]: ...


class Writer(Reader, Protocol):
    """The one open write transaction; committed when its block ends well, rolled back otherwise."""

    def set_meta(self, key: str, value: str | None) -> None: ...
    def set_folders(self, folders: Mapping[str, int]) -> None: ...
    def put_file(
        self,
        record: FileRecord,
        items: Sequence[NewItem],
        texts: Mapping[str, Sequence[tuple[int, Sequence[str]]]],
        exports: bytes,
    ) -> Mapping[int, int]: ...
    def touch_file(self, record: FileRecord) -> None: ...
    def remove_file(self, path: str) -> None: ...
    def external(self, kind: str, name: str) -> int: ...
    def put_segment(self, unit: str, rows: Sequence[EdgeRow], dependencies: bytes) -> None: ...
    def remove_segment(self, unit: str) -> None: ...
    def publish(self) -> int: ...


class EventTable(Protocol):
    """The events of a store: read by a Reader, added to by a Writer."""

    def events(self, query_id: str = "", item_id: str = "", shown_since: float = 0.0) -> Sequence[Event]: ...
    def add_events(self, events: Iterable[Event]) -> None: ...


class VectorTable(Protocol):
    """The vectors of a store by model and content: read by a Reader, added to by a Writer."""

    def missing_vectors(self, model: str, contents: Iterable[bytes]) -> set[bytes]: ...
    def vectors(self, model: str) -> Vectors: ...
    def put_vectors(self, model: str, type_name: str, rows: Iterable[tuple[bytes, np.ndarray]]) -> None: ...


class Store(Protocol):
    """Keeps items, edges, full text, vectors and events; the only part that speaks SQL."""

    def reader(self) -> AbstractContextManager[Reader]: ...
    def writer(self, wait: float = ...) -> AbstractContextManager[Writer]: ...
    def check(self) -> Sequence[str]: ...
    def close(self) -> None: ...


class FactsStore(Protocol):
    """Parsed files by content hash and grammar version; append-only, shared by worktrees, always rebuildable."""

    def seen(self, content: bytes) -> bool: ...
    def get(self, content: bytes) -> bytes | None: ...
    def known(self, contents: Iterable[bytes]) -> set[bytes]: ...
    def put(self, rows: Iterable[tuple[bytes, bytes]]) -> None: ...
    def prune(self, keep: Iterable[bytes]) -> int: ...
    def close(self) -> None: ...


class Parser(Protocol):
    """Turns the bytes of a file into facts."""

    def parse(self, path: str, language: str, content: bytes) -> FileFacts: ...


class Embedder(Protocol):
    """Turns texts into vectors of length 1 whose nearness is nearness of meaning."""

    @property
    def model(self) -> str:
        """Return what the vectors are locked to: another text here means other vectors."""
        ...

    @property
    def local(self) -> bool:
        """Tell whether no text leaves this machine."""
        ...

    @property
    def dimensions(self) -> int: ...
    def embed(self, texts: Sequence[str], kind: str = "document") -> np.ndarray: ...


class Reranker(Protocol):
    """Scores how well texts answer a question, each in [0, 1]."""

    @property
    def model(self) -> str: ...
    @property
    def local(self) -> bool: ...
    def score(self, query: str, texts: Sequence[str]) -> np.ndarray: ...
