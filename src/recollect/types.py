"""The values that every part of recollect speaks in; frozen, slotted, and free of behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

SYMBOL_KINDS = (
    "module", "namespace", "class", "interface", "trait", "struct", "enum", "union", "type", "object",
    "function", "method", "constructor", "property", "field", "constant", "variable", "enum_member",
    "macro", "service", "rpc", "message", "section", "test",
)  # fmt: skip
"""What a symbol can be; `type` is an alias, `object` a singleton, `test` a named test block."""

TYPE_KINDS = frozenset(
    {"class", "interface", "trait", "struct", "enum", "union", "type", "object", "service"}
)
CALLABLE_KINDS = frozenset({"function", "method", "constructor", "macro", "rpc", "test", "property"})
PLACE_KINDS = ("file", "chunk")
EXTERNAL_KINDS = (
    "package",
    "environment",
    "route",
    "endpoint",
    "process",
    "flag",
    "person",
    "deployment",
    "name",
)
"""Nodes that stand for something outside the source; `name` gathers all candidates of an ambiguous name."""

EDGE_TYPES = (
    "calls", "implements", "implements_rpc", "overrides", "contains", "handles_route", "extends", "tests",
    "consumes_rpc", "accesses_field", "member_of", "imports", "depends_on", "consumes_endpoint", "tested_by",
    "co_tested_with", "type_hint_of", "executes_process", "references", "throws", "deployed_by", "reads_env",
    "gated_by_flag", "decorates", "inherits", "documents", "similar_to", "owned_by", "authored_by",
    "mentions", "supersedes", "contests", "resolves", "part_of", "see_also", "derived_from", "consolidated_from",
    "changes_with",
)  # fmt: skip
"""Positions are stored; only ever append."""

PROVENANCES = (
    "syntax", "resolved", "inferred", "ambiguous", "manifest", "convention", "history", "similarity",
    "lsp_resolved", "scip", "runtime", "user", "extracted",
)  # fmt: skip
"""How an edge came to be known; positions are stored; only ever append."""


@dataclass(frozen=True, slots=True)
class Item:
    """Anything retrievable: a symbol, a chunk, a file, a section, a memory, an entity."""

    id: str
    domain: str
    kind: str
    name: str
    """Qualified name for symbols, path for files, a title for the rest."""
    path: str = ""
    start_line: int = 0
    end_line: int = 0
    start_byte: int = 0
    end_byte: int = 0
    signature: str = ""
    doc: str = ""
    text: str = ""
    language: str = ""
    visibility: str = "public"
    test: bool = False
    owner: str = ""
    tokens: int = 0
    number: int = 0
    """The dense number the store gave it; an inner detail, never shown, stable while the item exists."""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the item as plain values for JSON."""
        row = asdict(self)
        del row["number"]
        return row


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed, typed relation between two items, with how it is known and how sure it is."""

    source: int
    """Dense number of the source item."""
    target: int
    type: str
    provenance: str
    confidence: float
    line: int = 0
    """Where in the source item's file it was read, 1-based; 0 when it has no place."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Place:
    """A path with a span of whole lines."""

    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One result, with why it is there."""

    id: str
    domain: str
    kind: str
    name: str
    path: str
    start_line: int
    end_line: int
    text: str
    score: float
    confidence: float
    reasons: tuple[str, ...]
    query_id: str
    stale: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the hit as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Hits:
    """A ranked answer, with what contributed, what was missing and what had to be read again."""

    query_id: str
    profile: str
    channels: tuple[str, ...]
    degraded: tuple[str, ...]
    hits: tuple[Hit, ...]
    reread: tuple[str, ...] = ()

    @property
    def backends_used(self) -> tuple[str, ...]:
        """Return what contributed: the channels, and stages beside them that added to a score."""
        return self.channels

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PackItem:
    """One entry of a packed answer, in the form that earned its tokens."""

    hit: Hit
    signature: str
    tokens: int
    """What the entry costs, framing included."""
    form: str = "signature"
    """signature, body, compressed, or, for what the session saw before, delta or unchanged."""
    ratio: float = 1.0
    """Length of the text that is shown to that of the original."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as plain values for JSON."""
        return {
            **self.hit.to_dict(),
            "signature": self.signature,
            "tokens": self.tokens,
            "form": self.form,
            "ratio": self.ratio,
        }


@dataclass(frozen=True, slots=True)
class Pack:
    """An answer that fits its budget, framing included."""

    query_id: str
    profile: str
    budget: int
    tokens: int
    channels: tuple[str, ...]
    degraded: tuple[str, ...]
    items: tuple[PackItem, ...]
    omitted: int = 0
    """How many ranked candidates did not fit."""
    reread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences about what was cut, ignored or guessed."""

    def to_dict(self) -> dict[str, Any]:
        """Return the pack as plain values for JSON."""
        row = {name: getattr(self, name) for name in self.__slots__ if name != "items"}
        return {**row, "items": [item.to_dict() for item in self.items]}


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage did to one item."""

    stage: str
    """`phase.name`, as the profile calls it."""
    rank: int | None
    """Its place after the stage, 1 being the best; None when it is not there."""
    score: float | None
    text: str
    terms: Mapping[str, float] = field(default_factory=dict)
    """What the new score is the sum of, where the stage makes one."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an item stands where it does in an answer, or why it is not in it."""

    query_id: str
    profile: str
    id: str
    name: str
    path: str
    rank: int | None
    """Its place among the ranked candidates, None when it is none of them."""
    packed: bool
    verdict: str
    lost_at: str = ""
    """The stage at which it was lost, empty when it was not."""
    keep: tuple[str, ...] = ()
    """What would have kept it."""
    steps: tuple[Step, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long piece of work has come."""

    stage: str
    done: int
    total: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What one run of the index did."""

    mode: str
    """full, incremental or unchanged."""
    files: int
    parsed: int
    reused: int
    """Files whose facts were already known from the same content."""
    removed: int
    resolved: int
    """Files whose edges were made anew."""
    symbols: int
    edges: int
    seconds: float
    skipped: Mapping[str, int] = field(default_factory=dict)
    """How many files were left out, by reason."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Status:
    """What is indexed, how fresh and how big it is, looked up when it was asked."""

    root: str
    indexed: bool
    complete: bool
    """Whether a whole index was published; while the first one is built, answers are partial."""
    pending: int
    """Files that look added, changed or removed since they were indexed."""
    commit: str
    """What the working tree has checked out now."""
    indexed_commit: str
    generation: int
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many files, symbols, chunks and edges there are."""
    kinds: Mapping[str, int] = field(default_factory=dict)
    """Symbols and sections by kind."""
    languages: Mapping[str, int] = field(default_factory=dict)
    """Indexed files by language."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Files that were left out, by reason."""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """Bytes on disk by database file."""
    evidence: Mapping[str, int] = field(default_factory=dict)
    """Files that tools resolved, symbols that were seen running, calls and runs by tests that were seen."""
    last_run: float = 0.0
    """When anything was last seen running, in seconds since 1970; 0 when nothing was."""

    def to_dict(self) -> dict[str, Any]:
        """Return the status as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with the data on disk, and what was done about it."""

    healthy: bool
    """Nothing is wrong, or all of it was repaired."""
    findings: tuple[str, ...]
    repaired: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the diagnosis as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Seen:
    """How often something was seen while code ran, and when last."""

    times: int
    last: float
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Reached:
    """One item that a change of a symbol may concern, and how that is known."""

    id: str
    kind: str
    name: str
    path: str
    start_line: int
    end_line: int
    distance: int
    """Steps from the symbol; 1 is a direct caller or callee."""
    relation: str
    """The edge type of the last step."""
    provenance: str
    confidence: float
    """The product of the confidences along the surest path."""
    certain: bool
    """Whether every step of that path was resolved to one target."""
    via: str
    """Id of the item one step nearer to the symbol."""
    line: int = 0
    """Where the relation was read, in the file of the end that refers: its own for callers, `via` for callees."""
    ran: Seen | None = None
    """How often it was seen running; None when it never was."""
    passed: Seen | None = None
    """How often the last step itself was seen."""
    test: bool = False
    """Whether it is a test."""


@dataclass(frozen=True, slots=True)
class Past:
    """What history and owners' files tell of one symbol; absent where nothing is known."""

    commits: int
    """How many commits changed its lines."""
    latest: int
    """When the last one was, in seconds since 1970."""
    file_commits: int
    authors: tuple[tuple[str, int], ...]
    """Who changed its file, with how many commits, most first."""
    owners: tuple[str, ...]
    """Whom CODEOWNERS names for its file."""
    changes_with: tuple[tuple[str, int], ...]
    """Symbols and files that the same commits changed, with of how many in a hundred."""


@dataclass(frozen=True, slots=True)
class Unused:
    """How sure it is that nothing living needs a symbol."""

    certainty: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Impact:
    """What depends on a symbol, or what it depends on, nearest and surest first."""

    symbol: str
    """What was asked for."""
    direction: str
    depth: int
    starts: tuple[Item, ...]
    """The items that carry the name; several when the name is ambiguous."""
    reached: tuple[Reached, ...]
    truncated: bool = False
    """Whether more was reached than is listed."""
    notes: tuple[str, ...] = ()
    ran: Mapping[str, Seen] = field(default_factory=dict)
    """How often the starts were seen running, by id."""
    past: Mapping[str, Past] = field(default_factory=dict)
    """What is known of the past of the starts, by id."""
    unused: Mapping[str, Unused] = field(default_factory=dict)
    """Of the starts that no living code is proven to use, how sure it is that they are dead, by id."""

    @property
    def proven(self) -> int:
        """Return how many of those that were reached are proven to be."""
        return sum(one.certain for one in self.reached)

    @property
    def possible(self) -> int:
        """Return how many of those that were reached only may be."""
        return len(self.reached) - self.proven

    def to_dict(self) -> dict[str, Any]:
        """Return the impact as plain values for JSON."""
        return {**asdict(self), "proven": self.proven, "possible": self.possible} | {
            "starts": [item.to_dict() for item in self.starts]
        }


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An item that one edge leads to, or comes from."""

    item: Item
    outgoing: bool
    """Whether the relation goes from the symbol to the item; `a calls b` goes from a to b."""
    relation: str
    """The type of the edge."""
    provenance: str
    confidence: float
    certain: bool
    """Whether the edge was resolved to this one target."""
    line: int = 0
    """Where the relation was read, in the file of the end that it goes from."""

    def to_dict(self) -> dict[str, Any]:
        """Return the neighbour as plain values for JSON."""
        return asdict(self) | {"item": self.item.to_dict()}


@dataclass(frozen=True, slots=True)
class Around:
    """A symbol with everything that stands directly around it in the graph."""

    symbol: str
    """What was asked for."""
    item: Item
    others: tuple[Item, ...]
    """Further items that carry the name."""
    neighbours: tuple[Neighbour, ...]
    counts: Mapping[str, int]
    """How many there are of each relation, as `in:calls` or `out:calls`, also those that are not listed."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return {
            "symbol": self.symbol,
            "item": self.item.to_dict(),
            "others": [item.to_dict() for item in self.others],
            "neighbours": [neighbour.to_dict() for neighbour in self.neighbours],
            "counts": dict(self.counts),
        }
