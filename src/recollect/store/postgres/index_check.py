"""Looks through an index on a server for what contradicts itself."""

from __future__ import annotations

import numpy as np

from recollect.store.postgres.index_reader import PostgresReader
from recollect.store.postgres.index_texts import FAMILIES


def findings(reader: PostgresReader) -> list[str]:
    """Return a sentence for each thing that is wrong; raise CorruptError for what cannot even be read."""
    sql = "SELECT number FROM code_item WHERE space = $1 AND tree = $2"
    items = np.fromiter((row[0] for row in reader.rows(sql)), np.int64)
    found = []
    for table, family in FAMILIES.items():
        texts = reader.texts(table)
        stray = np.setdiff1d(np.flatnonzero(texts.home >= 0), items)
        if len(stray):
            found.append(
                f"{reader.place.shown}: {len(stray)} texts of {table} belong to no item; "
                "run 'recollect index --full' to make the index anew."
            )
        for place, part in enumerate(texts.parts):
            reader.pages(family, texts.numbers, [(place, page) for page in range(len(part.firsts))])
    reader.graph()
    homeless = (
        "SELECT count(*) FROM code_item i LEFT JOIN code_file f ON f.space = i.space AND f.tree = i.tree "
        "AND f.number = i.file WHERE i.space = $1 AND i.tree = $2 AND f.number IS NULL"
    )
    ((count,),) = reader.rows(homeless)
    if count:
        found.append(f"{reader.place.shown}: {count} items belong to no file; run 'recollect index --full'.")
    return found
