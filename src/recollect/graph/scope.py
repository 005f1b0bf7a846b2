"""What a resolver may see of other files: keyed lookups that remember what was asked."""

from __future__ import annotations

import posixpath
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from recollect.graph.asking import Asking
from recollect.graph.keys import folder_of, key_of, last_part, stem_of
from recollect.graph.tables import language_of
from recollect.ports import Definition, FileRecord, Reader

if TYPE_CHECKING:
    from recollect.facts import FileFacts

_NONE: tuple[Definition, ...] = ()
_ENTRIES = 60_000
"""How many names are kept when lookups are lazy."""


class Candidates:
    """The definitions that one key gave, of one family of languages, grouped when asked."""

    __slots__ = ("_groups", "all")

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self.all = tuple(definitions)
        self._groups: dict[str, dict[str, tuple[Definition, ...]]] = {}

    def by(self, part: str, value: str) -> tuple[Definition, ...]:
        """Return those whose path, folder, package, owner, name or qualified is the value."""
        groups = self._groups.get(part)
        if groups is None:
            groups = self._groups[part] = self._grouped(part)
        return groups.get(value, _NONE)

    def _grouped(self, part: str) -> dict[str, tuple[Definition, ...]]:
        made: dict[str, list[Definition]] = {}
        for definition in self.all:
            value = folder_of(definition.path) if part == "folder" else getattr(definition, part)
            made.setdefault(value, []).append(definition)
        return {value: tuple(members) for value, members in made.items()}


_EMPTY = Candidates(())


class Scope(Asking):
    """Answers lookups for resolvers from one snapshot and records the keys of the unit that is being resolved.

    `external` gives the number of a node outside the source (`Writer.external`); `facts_of` gives the facts of a
    manifest by its path and is only ever asked for files named in `contributions.SINGLETONS`.
    """

    def __init__(
        self,
        reader: Reader,
        external: Callable[[str, str], int],
        facts_of: Callable[[str], FileFacts | None] = lambda _: None,
    ) -> None:
        super().__init__(2 * _ENTRIES)
        self._reader = reader
        self._external = external
        self._facts_of = facts_of
        self._names: dict[str, list[Definition]] | None = None
        self._owners: dict[str, list[Definition]] = {}
        self._stems: dict[str, list[FileRecord]] = {}
        self._folders: dict[str, list[FileRecord]] = {}
        self._entries: OrderedDict[tuple[str, str], tuple[int, dict[str, Candidates]]] = OrderedDict()
        self._files: dict[tuple[str, str], tuple[int, tuple[FileRecord, ...]]] = {}
        self._externals: dict[tuple[str, str], int] = {}

    def close(self) -> None:
        """Let go of whoever gives facts, who holds this scope in turn, so that both are freed at once."""
        self._facts_of = lambda _: None

    def preload(self) -> None:
        """Read every definition and file once, for runs that resolve most of the repository."""
        names: dict[str, list[Definition]] = {}
        for definition in self._reader.all_definitions():
            names.setdefault(definition.name, []).append(definition)
            if definition.owner:
                self._owners.setdefault(last_part(definition.owner), []).append(definition)
        for record in self._reader.files():
            self._stems.setdefault(stem_of(record.path), []).append(record)
            self._folders.setdefault(posixpath.basename(folder_of(record.path)), []).append(record)
        self._names = names
        self._entries.clear()
        self._files.clear()
        self.forget_answers()

    def external(self, kind: str, name: str) -> int:
        """Return the number of a node outside the source."""
        number = self._externals.get((kind, name))
        if number is None:
            number = self._externals[kind, name] = self._external(kind, name)
        return number

    def named(self, name: str, family: str) -> Candidates:
        """Return the definitions of a name in a family of languages."""
        return self._candidates("n", name, family)

    def named_anywhere(self, name: str) -> tuple[Definition, ...]:
        """Return the definitions of a name in every language."""
        self.named(name, "")
        families = self._entries["n", name][1]
        return tuple(row for family in sorted(families) for row in families[family].all)

    def owned(self, owner: str, family: str) -> Candidates:
        """Return the members of every type with that last name in a family of languages."""
        return self._candidates("o", owner, family)

    def _candidates(self, kind: str, name: str, family: str) -> Candidates:
        entry = self._entries.get((kind, name))
        if entry is None:
            entry = self._load(kind, name)
        self._asked.add(entry[0])
        return entry[1].get(family, _EMPTY)

    def _load(self, kind: str, name: str) -> tuple[int, dict[str, Candidates]]:
        found: Iterable[Definition]
        if self._names is not None:
            found = (self._names if kind == "n" else self._owners).get(name, ())
        else:
            found = self._reader.definitions(name) if kind == "n" else self._reader.members(name)
            if len(self._entries) >= _ENTRIES:
                self._entries.popitem(last=False)
        families: dict[str, list[Definition]] = {}
        rows = list(found)
        if len(rows) > 1:
            rows.sort(key=_order)
        for definition in rows:
            families.setdefault(language_of(definition.language).family, []).append(definition)
        entry = (key_of(kind, name), {family: Candidates(rows) for family, rows in families.items()})
        self._entries[kind, name] = entry
        return entry

    def files_named(self, stem: str) -> tuple[FileRecord, ...]:
        """Return the files with a name without suffix, by path."""
        return self._records("f", stem)

    def files_in(self, folder_name: str) -> tuple[FileRecord, ...]:
        """Return the files whose folder has that last name, by path."""
        return self._records("d", folder_name)

    def _records(self, kind: str, name: str) -> tuple[FileRecord, ...]:
        entry = self._files.get((kind, name))
        if entry is None:
            found: Iterable[FileRecord]
            if self._names is not None:
                found = (self._stems if kind == "f" else self._folders).get(name, ())
            else:
                found = self._reader.files_named(name) if kind == "f" else self._reader.files_in(name)
            rows = tuple(sorted((row for row in found if not row.skipped), key=lambda row: row.path))
            entry = self._files[kind, name] = (key_of(kind, name), rows)
        self._asked.add(entry[0])
        return entry[1]

    def singletons(self, name: str) -> tuple[tuple[str, FileFacts], ...]:
        """Return path and facts of every file with that whole name, such as CODEOWNERS or go.mod, by path."""

        def read() -> tuple[tuple[str, FileFacts], ...]:
            self._asked.add(key_of("c", name))
            found = []
            for record in self.files_named(stem_of(name)):
                facts = self._facts_of(record.path) if posixpath.basename(record.path) == name else None
                if facts is not None:
                    found.append((record.path, facts))
            return tuple(found)

        return self.remembered(("c", name), read)


def _order(definition: Definition) -> tuple[str, str, str, int]:
    return definition.path, definition.qualified, definition.kind, definition.number
