"""Finds the files here that paths of another machine, folder or installation mean."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

_SOURCE_ROOTS = frozenset({"src", "lib", "source", "python"})
"""Folders that installing leaves out: `src/flask/app.py` runs as `site-packages/flask/app.py`."""
INSTALLED = re.compile(
    r"(^|[/\\])(site-packages|dist-packages|node_modules|python3\.\d+|pkg/mod|registry/src)[/\\]"
)
"""Folders of libraries; what has run there is not looked for here by its name alone."""

Parts = tuple[str, ...]


class Roots:
    """Maps paths by their ends; what one path taught about the two trees helps with the next."""

    def __init__(self, root: Path, paths: Iterable[str]) -> None:
        self._tops = tuple(dict.fromkeys((_parts(str(root)), _parts(os.path.realpath(root)))))
        self._known = {_parts(path): path for path in paths}
        self._by_name: dict[str, list[Parts]] = defaultdict(list)
        for parts in self._known:
            self._by_name[parts[-1]].append(parts)
        self._learned: Counter[tuple[Parts, Parts]] = Counter()
        self._flat: Counter[Parts] = Counter()
        self._found: dict[str, str | None] = {}
        self.ambiguous: dict[str, tuple[str, ...]] = {}
        """Paths that several files fit."""
        self.strange: dict[str, None] = {}
        """Paths that no file fits."""

    def of(self, path: str) -> str | None:
        """Return the indexed file that a path means, None when there is none or several fit."""
        if path not in self._found:
            parts = _parts(path)
            self._found[path] = self._exact(parts) or self._by_end(path, parts)
            if self._found[path] is None and path not in self.ambiguous:
                self.strange[path] = None
        return self._found[path]

    def named_here(self, path: str) -> bool:
        """Say whether any indexed file has the name of a path, so that it may be found when more is known."""
        parts = _parts(path)
        return bool(parts) and parts[-1] in self._by_name

    def likely(self, path: str) -> str | None:
        """Return the one file of that name, which has to be confirmed by what it holds."""
        parts = _parts(path)
        named = self._by_name.get(parts[-1], ()) if parts and not INSTALLED.search(path) else ()
        return self._known[named[0]] if len(named) == 1 and not self._is_inside(parts) else None

    def confirm(self, path: str, known: str) -> None:
        """Take a path for a file because of what the file holds."""
        self._found[path] = known
        self._learned[_parts(path)[:-1], _parts(known)[:-1]] += 1
        self.strange.pop(path, None)

    def again(self) -> None:
        """Look anew for the paths that were not found, with what the others have taught."""
        for path in (*self.ambiguous, *filter(self.named_here, self.strange)):
            self._found.pop(path, None)
        folder, votes = next(iter(self._flat.most_common(1)), ((), 0))
        if votes > 1 and not self._learned:
            # Files of the top folder have nothing but their names to be known by; several of one folder are enough.
            self._learned[folder, ()] = votes
        self.ambiguous.clear()
        self.strange = {path: None for path in self.strange if path in self._found}

    def foreign(self) -> str:
        """Return the folder elsewhere that most paths were taken to stand in, empty when all were found as they are."""
        for (above, _), _ in self._learned.most_common(1):
            return "/".join(above) or "."
        return ""

    def _exact(self, parts: Parts) -> str | None:
        for top in self._tops:
            if parts[: len(top)] == top:
                return self._known.get(parts[len(top) :])
        return self._known.get(parts)

    def _by_end(self, path: str, parts: Parts) -> str | None:
        if not parts or self._is_inside(parts):
            return None
        fitting = [
            (shared, one)
            for one in self._by_name.get(parts[-1], ())
            if (shared := _shared(parts, one)) and _fits(parts, one, shared)
        ]
        most = max((shared for shared, _ in fitting), default=0)
        best = [one for shared, one in fitting if shared == most]
        if len(best) == 1 and (most > 1 or parts[0] != ""):
            self._learned[parts[: len(parts) - most], best[0][: len(best[0]) - most]] += 1
            return self._known[best[0]]
        if len(best) == 1 and not INSTALLED.search(path):
            self._flat[parts[:-1]] += 1
        for (above, lead), _ in self._learned.most_common():
            meant = lead + parts[len(above) :]
            if parts[: len(above)] == above and meant in best:
                return self._known[meant]
        if len(best) > 1:
            self.ambiguous[path] = tuple(sorted(self._known[one] for one in best))
        return None

    def _is_inside(self, parts: Parts) -> bool:
        return any(parts[: len(top)] == top for top in self._tops)


def _parts(path: str) -> Parts:
    """Return the parts of a path as any system writes it; the first is empty when it is absolute."""
    text = re.sub(r"^(file://|[A-Za-z]:(?=[\\/]))", "", path.strip()).replace("\\", "/")
    parts: list[str] = []
    for place, part in enumerate(text.split("/")):
        if part == ".." and parts and parts[-1] not in {"", ".."}:
            parts.pop()
        elif part not in {"", "."} or (place == 0 and part == "" and text.startswith("/")):
            parts.append(part)
    return tuple(parts)


def _shared(first: Parts, second: Parts) -> int:
    count = 0
    for one, other in zip(reversed(first), reversed(second), strict=False):
        if one != other:
            break
        count += 1
    return count


def _fits(parts: Parts, one: Parts, shared: int) -> bool:
    """Say whether one path is the end of the other, but for a folder of sources that an installation leaves out."""
    whole = shared == len(one) or (shared == len(parts) and parts[0] != "")
    return whole or (shared > 1 and len(one) == shared + 1 and one[0] in _SOURCE_ROOTS)
