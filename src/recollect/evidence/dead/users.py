"""Who uses each symbol, as far as the edges tell: proven or possible, from code, tests or what is dead."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from recollect.graph.around import CERTAIN
from recollect.graph.keys import last_part
from recollect.graph.tables import language_of
from recollect.ports import Definition, Graph, Reader
from recollect.types import CALLABLE_KINDS, EDGE_TYPES, PROVENANCES, TYPE_KINDS

KINDS = (CALLABLE_KINDS | TYPE_KINDS) - {"constructor", "test", "rpc", "service"}
"""What may be dead; a constructor lives and dies with its type."""
_USES = frozenset(
    {"calls", "references", "decorates", "extends", "implements", "type_hint_of", "accesses_field", "throws"}
)
_PROTOCOL = re.compile(r"\b(Protocol|ABC|ABCMeta)\b")
_BASES = frozenset({"extends", "implements"})
_ENTRIES = frozenset({"handles_route", "implements_rpc", "deployed_by"})
_OTHERS = _ENTRIES | {"imports", "overrides"}
_DISPATCH = 0.7
"""How likely a use of a method is one of a given method that overrides it."""
_LEAST_SHARE = 0.05
_MOST_GATHERED = 60
"""More uses of a gathered name make it no likelier that one of them is meant."""
Key = tuple[str, str]


class Use(NamedTuple):
    """A use of a symbol."""

    source: int
    """Number of the symbol or file that it stands in."""
    certain: bool
    confidence: float


@dataclass(slots=True)
class Group:
    """A symbol with everything of the same name in the same file: overloads, declarations."""

    path: str
    name: str
    definitions: list[Definition]
    found: dict[int, Use] = field(default_factory=dict)
    """The surest use by each symbol that uses it."""
    imported: bool = False
    """Whether another file imports it by name."""
    entered: bool = False
    """Whether something outside the code leads to it, such as a route."""
    foreign: bool = False
    """Whether it belongs to an object without a type of its own, or to a type with a base outside the repository."""
    above: list[Group] = field(default_factory=list)
    """What it overrides."""

    @property
    def uses(self) -> Iterable[Use]:
        """Return all uses."""
        return self.found.values()

    def add(self, use: Use) -> None:
        """Take in a use; of each user the surest one counts."""
        known = self.found.get(use.source)
        if known is None or use[1:] > known[1:]:
            self.found[use.source] = use

    @property
    def key(self) -> Key:
        """Return path and name."""
        return self.path, self.name

    @property
    def first(self) -> Definition:
        """Return the definition that speaks for all."""
        return self.definitions[0]


class Usage:
    """All symbols of a repository with their uses; made once for a question."""

    def __init__(self, reader: Reader, live_files: Mapping[int, bool]) -> None:
        """Read the graph; `live_files` says by number which files there are, and whether each is a test."""
        self._graph: Graph = reader.graph()
        self._definitions = {one.number: one for one in reader.all_definitions()}
        self._files = live_files
        self.groups: dict[Key, Group] = {}
        self.by_name: dict[str, int] = defaultdict(int)
        """How many symbols have a last name."""
        for one in self._definitions.values():
            key = (one.path, one.qualified)
            self.groups.setdefault(key, Group(one.path, one.qualified, [])).definitions.append(one)
        for path_and_name in self.groups:
            self.by_name[last_part(path_and_name[1])] += 1
        self.promised = self._promises()
        """Names of the members of interfaces, traits and protocols."""
        self._read()
        self._add_gathered(reader)
        self._share()

    def test(self, number: int) -> bool:
        """Say whether a symbol or file is a test."""
        known = self._definitions.get(number)
        return known.test if known is not None else self._files.get(number, False)

    def group_of(self, number: int) -> Group | None:
        """Return the group that a symbol belongs to."""
        known = self._definitions.get(number)
        return None if known is None else self.groups[known.path, known.qualified]

    def proven_names(self) -> Mapping[int, Mapping[str, set[str]]]:
        """Return by source which names were proven to mean what, as `path:name`."""
        found: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for source, target, kind, certain, _ in self._edges(_USES | {"imports"}):
            known = self._definitions.get(target)
            if known is not None and certain and kind in _USES:
                found[source][last_part(known.qualified)].add(f"{known.path}:{known.qualified}")
        return found

    def holder(self, use: Use, keys: Container[Key]) -> Group | None:
        """Return which of these symbols a use stands in, or in something that it holds."""
        mine = self.group_of(use.source)
        while mine is not None and mine.key not in keys:
            mine = self.groups.get((mine.path, mine.name.rpartition(".")[0]))
        return mine

    def within(self, use: Use, keys: Container[Key]) -> bool:
        """Say whether a use stands in one of these symbols."""
        return self.holder(use, keys) is not None

    def _edges(self, types: Iterable[str]) -> Iterable[tuple[int, int, str, bool, float]]:
        graph = self._graph
        wanted = np.flatnonzero(np.isin(graph.types, [EDGE_TYPES.index(name) for name in types]))
        certain = np.isin(graph.provenances, [PROVENANCES.index(name) for name in CERTAIN])
        for at in wanted.tolist():
            yield (
                int(graph.numbers[graph.sources[at]]),
                int(graph.numbers[graph.targets[at]]),
                EDGE_TYPES[graph.types[at]],
                bool(certain[at]),
                int(graph.confidences[at]) / 100,
            )

    def _promises(self) -> frozenset[str]:
        abstract = {
            key
            for key, group in self.groups.items()
            if group.first.kind in {"interface", "trait"}
            or any(_PROTOCOL.search(base) for base in group.first.bases)
        }
        return frozenset(
            last_part(name) for path, name in self.groups if (path, name.rpartition(".")[0]) in abstract
        )

    def _read(self) -> None:
        bases: dict[int, set[int]] = defaultdict(set)
        for source, target, kind, certain, confidence in self._edges(_USES | _OTHERS):
            mine, theirs = self.group_of(source), self.group_of(target)
            if kind in _ENTRIES:
                if mine is not None:
                    mine.entered = True
            elif theirs is None:
                continue
            elif kind == "imports":
                theirs.imported = True
            elif kind == "overrides":
                if mine is not None:
                    mine.above.append(theirs)
            elif mine is None or not _inside(mine, theirs):
                theirs.add(Use(source, certain, confidence))
            if kind in _BASES:
                bases[source].add(target)
        self._mark_foreign(bases)

    def _mark_foreign(self, bases: Mapping[int, set[int]]) -> None:
        """Mark what belongs to types that have a base outside the repository, at any distance."""
        types = [one for one in self._definitions.values() if one.kind in TYPE_KINDS]
        foreign = {one.number for one in types if len(one.bases) > len(bases.get(one.number, ()))}
        below = {one.number: bases[one.number] for one in types if one.number in bases}
        while more := {number for number, above in below.items() if above & foreign} - foreign:
            foreign |= more
        named = {one.name for one in types}
        owners = {(self._definitions[number].path, self._definitions[number].qualified) for number in foreign}
        for (path, name), group in self.groups.items():
            above = (path, name.rpartition(".")[0])
            holder = self.groups.get(above)
            nameless = group.first.kind == "method" and (
                last_part(above[1]) not in named if holder is None else holder.first.kind not in TYPE_KINDS
            )
            group.foreign = above in owners or nameless

    def _add_gathered(self, reader: Reader) -> None:
        """Add uses of names that so many symbols have that one item stands for all of them."""
        graph = self._graph
        ambiguous = np.asarray(graph.provenances) == PROVENANCES.index("ambiguous")
        targets = np.unique(np.asarray(graph.targets)[ambiguous])
        strange = [
            number for number in (int(graph.numbers[at]) for at in targets) if number not in self._definitions
        ]
        gathered = {item.number: item.name for item in reader.items(strange) if item.kind == "name"}
        callers: dict[str, list[int]] = defaultdict(list)
        for source, target, *_ in self._edges(_USES):
            if target in gathered:
                callers[gathered[target]].append(source)
        if callers:
            for group in self.groups.values():
                last = last_part(group.name)
                share = max(_LEAST_SHARE, 1 / self.by_name[last])
                family = language_of(group.first.language).family
                for source in callers.get(f"{family}:{last}", ())[:_MOST_GATHERED]:
                    group.add(Use(source, False, share))

    def _share(self) -> None:
        """Let a use of a member count for its type, and one of a method for those that override it."""
        own = {key: list(group.uses) for key, group in self.groups.items()}
        for group in self.groups.values():
            for above in group.above:
                for use in own[above.key][:_MOST_GATHERED]:
                    group.add(Use(use.source, False, _DISPATCH))
        for (path, name), group in self.groups.items():
            owner = self.groups.get((path, name.rpartition(".")[0]))
            if owner is not None and owner.first.kind in TYPE_KINDS:
                owner.entered = owner.entered or group.entered
                for use in own[group.key]:
                    mine = self.group_of(use.source)
                    if mine is None or not _inside(mine, owner):
                        owner.add(use)


def _inside(one: Group, other: Group) -> bool:
    return one.path == other.path and (one.name == other.name or one.name.startswith(f"{other.name}."))


def unused(usage: Usage, candidates: Iterable[Group], dead: Container[Key]) -> dict[Key, list[Use]]:
    """Return the candidates that no living code is proven to use, each with the possible uses by living code."""
    found: dict[Key, list[Use]] = {}
    for group in candidates:
        living = [use for use in group.uses if not usage.test(use.source) and not usage.within(use, dead)]
        if not any(use.certain for use in living):
            found[group.key] = living
    return found
