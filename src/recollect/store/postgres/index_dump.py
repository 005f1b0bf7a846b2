"""The whole content of an index on a server as the same sorted lines that the dump of SQLite gives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from recollect.store.fulltext.part import COLUMN_SHIFT
from recollect.store.ids import id_of
from recollect.store.postgres.index_reader import PostgresReader
from recollect.store.postgres.index_texts import FAMILIES
from recollect.store.sqlite.dump import edge_lines, line, record_lines
from recollect.store.sqlite.items import qualified_of

_ITEMS = (
    "SELECT i.number, i.uid, f.path, i.kind, i.name, i.container, i.owner, i.visibility, p.uid, i.start_line, i.lines, "
    "i.start_byte, i.bytes, i.test::int, i.tokens, i.texts, i.signature, i.doc, upper(encode(i.shape, 'hex')) "
    "FROM code_item i JOIN code_file f ON f.space = i.space AND f.tree = i.tree AND f.number = i.file "
    "LEFT JOIN code_item p ON p.space = i.space AND p.tree = i.tree AND p.number = i.parent "
    "WHERE i.space = $1 AND i.tree = $2"
)
_EXTERNALS = "SELECT number, uid, kind, name FROM code_external WHERE space = $1 AND tree = $2 AND uses > 0"


def dump(reader: PostgresReader) -> Iterator[str]:
    """Yield sorted lines of all files, items, externals, edges, dependencies and postings, but no times and numbers."""
    items, externals = reader.rows(_ITEMS), reader.rows(_EXTERNALS)
    names = {row[0]: id_of(row[1], reader.domain) for row in (*items, *externals)}
    lines = [*record_lines(reader), *edge_lines(reader, names)]
    for _, uid, path, kind, name, container, owner, visibility, parent, *rest in items:
        lines.append(
            line(
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
        )
    for _, uid, kind, name in externals:
        lines.append(line("external", id_of(uid, reader.domain), reader.word(kind), name))
    for table in FAMILIES:
        lines += _postings(reader, table, names)
    yield from sorted(lines)


def _postings(reader: PostgresReader, table: str, names: dict[int, str]) -> Iterator[str]:
    texts = reader.texts(table)
    terms: dict[int, list[tuple[str, int, str]]] = defaultdict(list)
    columns = _columns(table)
    wanted = [(place, page) for place, part in enumerate(texts.parts) for page in range(len(part.firsts))]
    for (place, _), page in reader.pages(FAMILIES[table], texts.numbers, wanted).items():
        words = np.repeat(np.arange(len(page.words)), np.diff(page.starts)).tolist()
        rows = zip(words, page.places.numbers.tolist(), page.places.places.tolist(), strict=True)
        for word, number, at in rows:
            if texts.home[number] == place:
                offset = at & ((1 << COLUMN_SHIFT) - 1)
                terms[number].append((columns[at >> COLUMN_SHIFT], offset, page.words[word]))
    for number, found in terms.items():
        yield line(
            table, names.get(number, "no item"), [f"{column}:{term}" for column, _, term in sorted(found)]
        )


def _columns(table: str) -> tuple[str, ...]:
    from recollect.store.sqlite.texts import text_table

    return text_table(table).columns
