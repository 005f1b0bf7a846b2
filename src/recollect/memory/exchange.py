"""Memories as lines of JSON: everything out, and in again without loss."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from recollect.errors import UsageError
from recollect.memory.note import FIELDS, tags
from recollect.memory.show import facts, is_id, public_id
from recollect.store.memories import KINDS, MemoryRow
from recollect.store.memory_port import MemoryKeeper, MemoryReader

_PAGE = 1000
_OWN = {*FIELDS, "text", "content", "speaker", "date", "category"}
KINDS_ELSEWHERE = {"conversation": "narrative", "note": "fact", "memory": "fact", "rule": "procedure"}
"""What other systems call a kind."""


def exported(store: MemoryKeeper) -> Iterator[dict[str, Any]]:
    """Yield a line for each memory, in the order of writing."""
    last = 0
    while True:
        lines, last = store.read(partial(_page, last))
        if not lines:
            return
        yield from lines


def _page(last: int, reader: MemoryReader) -> tuple[list[dict[str, Any]], int]:
    rows = reader.memories_after(last, _PAGE)
    return [_line(reader, row) for row in rows], rows[-1].number if rows else last


def _line(reader: MemoryReader, row: MemoryRow) -> dict[str, Any]:
    links: dict[str, list[str]] = {}
    for link in reader.links(row.uid):
        if link.source == row.uid and link.type != "mentions":
            links.setdefault(link.type, []).append(public_id(link.target))
    line = {"id": public_id(row.uid), "text": row.text, "kind": row.kind, **facts(row)}
    return line | ({"links": links} if links else {})


def lines(texts: Iterable[str], name: str) -> Iterator[dict[str, Any]]:
    """Yield the object of each line of a JSONL file; raise UsageError with the number of a bad line."""
    for number, text in enumerate(texts, start=1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
        except ValueError as error:
            raise UsageError(f"Line {number} of {name} is not JSON ({error}).") from error
        if not isinstance(row, dict):
            raise UsageError(f"Line {number} of {name} is not an object.")
        yield row


def rows(given: Iterable[Mapping[str, Any]], source: str) -> Iterator[dict[str, Any]]:
    """Return lines of our own export or of another program as what remember_many takes.

    What is not known to us goes into the metadata; links are left out, since their targets may come later.
    """
    for line in given:
        own = {key: value for key, value in line.items() if key in _OWN and key != "sensitive"}
        metadata = line.get("metadata")
        more = {
            key: value for key, value in line.items() if key not in _OWN and key not in {"metadata", "links"}
        }
        own["metadata"] = {**(metadata if isinstance(metadata, Mapping) else {}), **_plain(more)}
        own.pop("links", None)
        if line.get("sensitive") or own["metadata"].pop("is_sensitive", False):
            own["sensitive"] = True
        if not is_id(line.get("id")):
            own.setdefault("source", source)
        _name_session(own, line)
        _name_kind(own)
        _tag_keywords(own)
        if "id" in own and not is_id(own["id"]):
            own["metadata"]["id"] = own.pop("id")
        yield own


def _plain(more: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in more.items() if value not in (None, "", [], {})}


def _name_session(own: dict[str, Any], line: Mapping[str, Any]) -> None:
    """Sessions of different conversations are different sessions."""
    conversation = line.get("conversation")
    if conversation and own.get("session") is not None:
        own["session"] = f"{conversation}/{own['session']}"


def _name_kind(own: dict[str, Any]) -> None:
    named = own.pop("category", None)
    if "kind" in own or not named:
        return
    kind = KINDS_ELSEWHERE.get(str(named), str(named))
    if kind in KINDS:
        own["kind"] = kind
    else:
        own["metadata"]["category"] = named


def _tag_keywords(own: dict[str, Any]) -> None:
    """What another program searches beside the text is searched here as tags."""
    keywords = own["metadata"].pop("expanded_keywords", "")
    if keywords:
        words = keywords.split() if isinstance(keywords, str) else list(keywords)
        own["tags"] = [*tags(own.get("tags") or ()), *words]


def links(given: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Yield source, type and target of every link in lines of our own export."""
    for line in given:
        for name, targets in (line.get("links") or {}).items():
            for target in targets:
                yield str(line.get("id", "")), name, str(target)
