"""The whole content of a store as sorted lines without dense numbers, so that two stores can be compared."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from recollect.store.ids import id_of
from recollect.store.sqlite.items import qualified_of
from recollect.store.sqlite.reader import SqliteReader
from recollect.store.sqlite.texts import TEXT_TABLES
from recollect.types import EDGE_TYPES, PROVENANCES

_ITEMS = (
    "SELECT i.number, i.uid, f.path, i.kind, i.name, i.container, i.owner, i.visibility, p.uid, i.start_line, i.lines, "
    "i.start_byte, i.bytes, i.test, i.tokens, i.texts, i.signature, i.doc, hex(i.shape) "
    "FROM item i JOIN file f ON f.number = i.file LEFT JOIN item p ON p.number = i.parent"
)


def dump(reader: SqliteReader) -> Iterator[str]:
    """Yield sorted lines of all files, items, externals, edges, dependencies and postings, but no times and numbers."""
    names = _names(reader)
    lines = [*record_lines(reader), *_items(reader), *_externals(reader), *edge_lines(reader, names)]
    for table in TEXT_TABLES:
        lines += _postings(reader, table, names)
    yield from sorted(lines)


def line(family: str, *values: object) -> str:
    """Return one line of a dump."""
    return json.dumps([family, *values], ensure_ascii=False)


def _names(reader: SqliteReader) -> dict[int, str]:
    sql = "SELECT number, uid FROM item UNION ALL SELECT number, uid FROM external WHERE uses > 0"
    return {number: id_of(uid, reader.domain) for number, uid in reader.rows(sql)}


def record_lines(reader: Any) -> Iterator[str]:
    """Yield the files, and the units with the keys that they asked."""
    for record in reader.files():
        stable = record._replace(content=b"", mtime_ns=0, number=0)._asdict()
        yield line("file", {**stable, "content": record.content.hex()}, reader.exports(record.path).hex())
    for unit, keys in zip(*reader.dependencies(), strict=True):
        yield line("unit", unit, keys.hex())


def _items(reader: SqliteReader) -> Iterator[str]:
    for row in reader.rows(_ITEMS):
        _, uid, path, kind, name, container, owner, visibility, parent, *rest = row
        yield line(
            "item",
            id_of(uid, reader.domain),
            path,
            reader.word(kind),
            name,
            qualified_of(name, container),
            (container or "") if owner is None else owner,
            reader.word(visibility),
            parent and id_of(parent, reader.domain),
            *rest,
        )


def _externals(reader: SqliteReader) -> Iterator[str]:
    for uid, kind, name in reader.rows("SELECT uid, kind, name FROM external WHERE uses > 0"):
        yield line("external", id_of(uid, reader.domain), reader.word(kind), name)


def edge_lines(reader: Any, names: dict[int, str]) -> Iterator[str]:
    """Yield the edges by the ids of their ends."""
    graph = reader.graph()
    ends = zip(graph.numbers[graph.sources].tolist(), graph.numbers[graph.targets].tolist(), strict=True)
    columns = np.stack(
        [graph.types, graph.provenances, graph.confidences, graph.lines, graph.counts], axis=1, dtype=np.int64
    )
    for (source, target), (kind, provenance, *rest) in zip(ends, columns.tolist(), strict=True):
        yield line("edge", names[source], names[target], EDGE_TYPES[kind], PROVENANCES[provenance], *rest)


def _postings(reader: SqliteReader, table: str, names: dict[int, str]) -> Iterator[str]:
    """Yield the terms of each item in their order, column by column, as the full-text index has them."""
    view = f"temp.{table}_instances"
    reader.change(f"CREATE VIRTUAL TABLE {view} USING fts5vocab('main', '{table}', 'instance')")
    terms: dict[int, list[tuple[str, int, str]]] = defaultdict(list)
    for number, column, offset, term in reader.each(f"SELECT doc, col, offset, term FROM {view}"):
        terms[number].append((column, offset, term))
    reader.change(f"DROP TABLE {view}")
    for number, found in terms.items():
        yield line(
            table, names.get(number, "no item"), [f"{column}:{term}" for column, _, term in sorted(found)]
        )
