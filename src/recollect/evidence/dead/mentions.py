"""Where names stand in the text of a repository, whatever the edges say of them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from recollect.ports import FileRecord
from recollect.source.read import read_source

_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
_MOST = 200
"""A name that stands in more places says nothing by that."""


class Mention(NamedTuple):
    """A line in which a name stands."""

    path: str
    line: int
    times: int = 1
    """How often it stands in that line."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Where each name stands, and in how many places at least when there are too many to keep."""

    places: Mapping[str, tuple[Mention, ...]]
    often: frozenset[str]
    """Names with more places than are kept."""


def plain(name: str) -> str:
    """Return a name without the mark that some languages let it end in."""
    return name.rstrip("?!")


def find_mentions(
    root: Path, files: Iterable[FileRecord], names: Collection[str], tell: Callable[[str], None]
) -> Mentions:
    """Read every file once and return where the names stand."""
    wanted = {plain(name).encode(): plain(name) for name in names}
    places: dict[str, list[Mention]] = defaultdict(list)
    often: set[str] = set()
    for file in files:
        text = read_source(root, file.path).text
        here = wanted.keys() & set(_WORD.findall(text))
        if here:
            for number, line in enumerate(text.split(b"\n"), 1):
                for word, times in Counter(_WORD.findall(line)).items():
                    if word not in here:
                        continue
                    name = wanted[word]
                    if len(places[name]) < _MOST:
                        places[name].append(Mention(file.path, number, times))
                    else:
                        often.add(name)
        tell(file.path)
    return Mentions({name: tuple(rows) for name, rows in places.items()}, frozenset(often))
