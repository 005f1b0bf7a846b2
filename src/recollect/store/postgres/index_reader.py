"""One consistent snapshot of an index on a server, made of the readers of every family of tables."""

from __future__ import annotations

from recollect.store.postgres.index_edges import EdgeReading
from recollect.store.postgres.index_events import EventReading
from recollect.store.postgres.index_files import FileReading
from recollect.store.postgres.index_items import ItemReading
from recollect.store.postgres.index_names import NameReading
from recollect.store.postgres.index_texts import TextReading
from recollect.store.postgres.index_vectors import VectorReading


class PostgresReader(
    TextReading, FileReading, ItemReading, NameReading, EdgeReading, EventReading, VectorReading
):
    """Reads one generation, however much is written meanwhile."""
