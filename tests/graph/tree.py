"""A small repository held in memory: real parsing, real resolving, and a Reader over plain dictionaries."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

import msgspec

from recollect.facts import FileFacts
from recollect.graph.keys import folder_of, last_part, stem_of
from recollect.graph.resolve import FileView, Scope, contributions, resolve_file, resolve_folder, shape
from recollect.graph.shape import outline
from recollect.ports import Definition, EdgeRow, FileRecord
from recollect.types import EDGE_TYPES, PROVENANCES


class Tree:
    """Files by path with their facts, numbered, and the lookups that a Scope makes."""

    def __init__(self, facts: Mapping[str, FileFacts]) -> None:
        self.facts = dict(sorted(facts.items()))
        self.views: dict[str, FileView] = {}
        self.names: dict[int, str] = {}
        self.externals: dict[tuple[str, str], int] = {}
        self.asked: list[str] = []
        self._definitions: list[Definition] = []
        self._records: list[FileRecord] = []
        self._next = 1
        for path, known in self.facts.items():
            number = self._number(path)
            numbers = [self._number(f"{path}:{symbol.qualified}") for symbol in known.symbols]
            self.views[path] = FileView(path, known, numbers, number)
            self._records.append(
                FileRecord(
                    path,
                    b"",
                    0,
                    0,
                    known.language,
                    known.lines,
                    known.test,
                    package=known.package,
                    number=number,
                )
            )
            for index, symbol in enumerate(known.symbols):
                packed = shape(known, index)
                returns, bases, fields, parameters = (
                    msgspec.msgpack.decode(packed) if packed else ("", (), (), -1)
                )
                owner = outline(known).owner(index)
                self._definitions.append(
                    Definition(
                        numbers[index],
                        symbol.name,
                        symbol.qualified,
                        symbol.kind,
                        path,
                        known.language,
                        owner,
                        known.package,
                        symbol.visibility,
                        symbol.test,
                        returns,
                        tuple(bases),
                        tuple(tuple(field) for field in fields),
                        parameters,
                    )
                )
        self._by_name: dict[str, list[Definition]] = {}
        self._by_owner: dict[str, list[Definition]] = {}
        for row in self._definitions:
            self._by_name.setdefault(row.name, []).append(row)
            if row.owner:
                self._by_owner.setdefault(last_part(row.owner), []).append(row)

    def _number(self, name: str) -> int:
        number, self._next = self._next, self._next + 1
        self.names[number] = name
        return number

    def external(self, kind: str, name: str) -> int:
        if (kind, name) not in self.externals:
            self.externals[kind, name] = self._number(f"{kind}:{name}")
        return self.externals[kind, name]

    def definitions(self, name: str) -> list[Definition]:
        return self._by_name.get(name, [])

    def members(self, owner_name: str) -> list[Definition]:
        return self._by_owner.get(owner_name, [])

    def all_definitions(self):
        return iter(self._definitions)

    def files(self):
        return iter(self._records)

    def files_named(self, stem: str) -> list[FileRecord]:
        return [record for record in self._records if stem_of(record.path) == stem]

    def files_in(self, folder_name: str) -> list[FileRecord]:
        return [row for row in self._records if posixpath.basename(folder_of(row.path)) == folder_name]

    def scope(self, preload: bool = True) -> Scope:
        scope = Scope(self, self.external, self.facts.get)
        if preload:
            scope.preload()
        return scope

    def rows(self, preload: bool = True) -> dict[str, list[EdgeRow]]:
        """Return the edges of every unit."""
        scope = self.scope(preload)
        found = {}
        for path, view in self.views.items():
            scope.start()
            found[path] = resolve_file(view, scope)
        folders: dict[str, list[FileView]] = {}
        for path, view in self.views.items():
            folders.setdefault(folder_of(path), []).append(view)
        for folder, views in folders.items():
            scope.start()
            found[f"dir:{folder}"] = resolve_folder(folder, views, scope)
        return found

    def edges(self, *kinds: str) -> set[tuple[str, str, str, str]]:
        """Return (source, type, target, provenance) with names in place of numbers."""
        return {
            (
                self.names[row.source],
                EDGE_TYPES[row.type],
                self.names[row.target],
                PROVENANCES[row.provenance],
            )
            for rows in self.rows().values()
            for row in rows
            if not kinds or EDGE_TYPES[row.type] in kinds
        }

    def exports(self) -> dict[str, bytes]:
        return {path: contributions(path, known) for path, known in self.facts.items()}
