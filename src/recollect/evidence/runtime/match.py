"""From functions as tracers and tests name them to the symbols of the index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from recollect.evidence.places import Places
from recollect.evidence.runtime.roots import INSTALLED, Roots
from recollect.evidence.runtime.sums import Frame
from recollect.graph.keys import last_part
from recollect.ports import Definition, Reader
from recollect.types import CALLABLE_KINDS, TYPE_KINDS, Item

Ask = Callable[[Callable[[Reader], Any]], Any]

_WRITTEN = re.compile(r"<locals>|[()*{}&\[\]]+")
_BETWEEN = re.compile(r"::|->|[.#/\\$:]")
_UNNAMED = re.compile(r"<\w+>|anonymous|closure|lambda|^\d+$")
_PHASES = frozenset({"run", "setup", "teardown"})
_KINDS = CALLABLE_KINDS | TYPE_KINDS
_MOST_DEFINITIONS = 500


class Matcher:
    """Finds symbols; what it could not find, or only by name, is remembered."""

    def __init__(self, places: Places, roots: Roots, ask: Ask) -> None:
        self._places = places
        self._roots = roots
        self._ask = ask
        self._frames: dict[Frame, Item | None] = {}
        self._tests: dict[str, Item | None] = {}
        self.moved: dict[str, None] = {}
        """Symbols that stand elsewhere now than the report says."""
        self.ambiguous: dict[str, int] = {}
        """Names that several symbols have."""

    def frame(self, frame: Frame) -> Item | None:
        """Return the symbol that a frame means."""
        if frame not in self._frames:
            self._frames[frame] = self._found(frame)
        return self._frames[frame]

    def test(self, name: str) -> Item | None:
        """Return the test that a coverage context means: an id of pytest, or a dotted name."""
        if name not in self._tests:
            self._tests[name] = self._test(name)
        return self._tests[name]

    def _found(self, frame: Frame) -> Item | None:
        path = self._roots.of(frame.path) if frame.path else None
        parts = name_parts(frame.name)
        named = self._roots.likely(frame.path) if path is None and parts else None
        if named is not None and self._inside(named, parts, frame.line) is not None:
            self._roots.confirm(frame.path, named)
            path = named
        if (
            path is None
            and frame.path
            and ((len(parts) < 2 and not frame.space) or INSTALLED.search(frame.path))
        ):
            return None
        if not parts or _UNNAMED.search(parts[-1]):
            return self._places.enclosing(path, frame.line) if path and frame.line else None
        if path is not None:
            item = self._inside(path, parts, frame.line)
            if item is not None:
                if frame.line and not item.start_line <= frame.line <= item.end_line:
                    self.moved[item.name] = None
                return item
        item = self._anywhere((*name_parts(frame.space), *parts))
        if item is not None and path is not None:
            self.moved[item.name] = None
        return item

    def _inside(self, path: str, parts: Sequence[str], line: int) -> Item | None:
        """Return the symbol of a file that the name fits best; the line decides between equals."""
        named = [
            (_tail(parts, name_parts(item.name)), item.start_line <= line <= item.end_line, item)
            for item in self._places.items(path)
            if item.kind in _KINDS and last_part(item.name) == parts[-1]
        ]
        best = max((row[:2] for row in named), default=None)
        found = [item for *rank, item in named if tuple(rank) == best]
        if len(found) > 1:
            self.ambiguous[".".join(parts)] = len(found)
        return found[0] if len(found) == 1 else None

    def _anywhere(self, parts: Sequence[str]) -> Item | None:
        """Return the one symbol of the index that fits most of a qualified name; a bare one must be the only one."""
        rows = [row for row in self._ask(lambda reader: reader.definitions(parts[-1])) if row.kind in _KINDS]
        ranked = [
            (max(_tail(parts, one) for one in _spelled(row)), row.number) for row in rows[:_MOST_DEFINITIONS]
        ]
        most = max((shared for shared, _ in ranked), default=0)
        if most < min(2, len(parts)):
            return None
        best = [number for shared, number in ranked if shared == most]
        if len(best) > 1:
            self.ambiguous[".".join(parts)] = len(best)
            return None
        found: Sequence[Item] = self._ask(lambda reader: reader.items(best))
        return found[0] if found else None

    def _test(self, name: str) -> Item | None:
        told = [part for part in name.split("|") if part and part not in _PHASES]
        named = next((part for part in told if "::" in part), told[-1] if told else "")
        path, _, inside = named.partition("::")
        bare = re.sub(r"\[.*", "", inside or path)
        parts = name_parts(bare)
        if not parts:
            return None
        if inside and (known := self._roots.of(path)) is not None:
            return self._inside(known, parts, 0)
        return self._anywhere(parts)


def name_parts(name: str) -> tuple[str, ...]:
    """Return the parts of a name as any language writes it: `pkg.(*Cart).Total` is pkg, Cart, Total."""
    return tuple(part for part in _BETWEEN.split(_WRITTEN.sub("", name)) if part)


def _tail(first: Sequence[str], second: Sequence[str]) -> int:
    count = 0
    for one, other in zip(reversed(first), reversed(second), strict=False):
        if one != other:
            break
        count += 1
    return count


def _spelled(row: Definition) -> Iterator[Sequence[str]]:
    """Yield the full names that a symbol may go by: below its package, and below its file or folder."""
    own = name_parts(row.qualified)
    yield (*name_parts(row.package), *own)
    path = name_parts(row.path.rpartition(".")[0])
    yield (*path, *own)
    yield (*path[:-1], *own)
