"""The code that a memory names: found in the index when there is one, and compared with what it was then."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, TypeVar

from recollect.memory.entities import Mention
from recollect.ports import Filters, Reader
from recollect.store.ids import id_of, uid_of
from recollect.store.memories import LinkRow
from recollect.types import Item

Answer = TypeVar("Answer")
Ask = Callable[[Callable[[Reader], Answer]], Answer]
_MOST_MEANINGS = 3
"""A name that stands for more things than this says too little."""


class Named(NamedTuple):
    """An item of the index that a memory names."""

    uid: int
    detail: str
    """JSON with its name, its path and the stamp of its text."""


class Code:
    """The index of a project, as far as memories need it."""

    def __init__(self, root: Path, ask: Callable[[Callable[[Reader], object]], object]) -> None:
        self._root = root
        self._ask = ask
        self._known: dict[Mention, tuple[Named, ...]] = {}

    def named(self, mentions: Iterable[Mention]) -> list[Named]:
        """Return the items that paths and symbols stand for, without those that could be many things."""
        wanted = [mention for mention in mentions if mention[0] in {"path", "symbol"}]
        new = [mention for mention in wanted if mention not in self._known]
        if new:
            self._ask(lambda reader: self._look_up(reader, new))
        return list({named.uid: named for mention in wanted for named in self._known[mention]}.values())

    def news(self, links: Sequence[LinkRow]) -> list[str]:
        """Return a sentence for each named item that changed or went since the memory was written."""
        said: list[str] = []
        if links:
            self._ask(
                lambda reader: said.extend(filter(None, (self._compare(reader, link) for link in links)))
            )
        return said

    def _look_up(self, reader: Reader, mentions: Sequence[Mention]) -> None:
        for mention in mentions:
            found = reader.find(mention[1], Filters(), _MOST_MEANINGS + 1)
            exact = [item for item in found if _means(mention[1], item)]
            few = exact if len(exact) <= _MOST_MEANINGS else []
            self._known[mention] = tuple(Named(uid_of(item.id), self._detail(item)) for item in few)

    def _detail(self, item: Item) -> str:
        stamp = _stamp(self._root, item)
        return json.dumps({"name": item.name, "path": item.path, "stamp": stamp}, ensure_ascii=False)

    def _compare(self, reader: Reader, link: LinkRow) -> str:
        then = json.loads(link.detail) if link.detail else {}
        name = then.get("name", "")
        item = reader.item(id_of(link.target))
        if item is None:
            return f"{name} ({then.get('path', '')}) is no longer in the code"
        changed = then.get("stamp") and _stamp(self._root, item) != then["stamp"]
        return f"{name} ({item.path}) changed since" if changed else ""


def _means(name: str, item: Item) -> bool:
    """Tell whether an item is exactly what was named."""
    plain = name.replace("::", ".").replace("#", ".").strip("./")
    return (
        item.name == plain
        or item.path == name
        or item.name.endswith(f".{plain}")
        or item.path.endswith(f"/{name}")
    )


def _stamp(root: Path, item: Item) -> str:
    """Return a short hash of an item's text as it is on disk, empty when it cannot be read."""
    try:
        content = (root / item.path).read_bytes()
    except OSError:
        return ""
    span = content[item.start_byte : item.end_byte] if item.end_byte else content
    return blake2b(span, digest_size=6).hexdigest()
