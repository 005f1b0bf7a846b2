"""One consistent snapshot, made of the readers of every family of tables."""

from __future__ import annotations

from recollect.store.sqlite.events import EventReading
from recollect.store.sqlite.files import FileReading
from recollect.store.sqlite.items import ItemReading
from recollect.store.sqlite.meta import MetaReading
from recollect.store.sqlite.names import NameReading
from recollect.store.sqlite.segments import EdgeReading
from recollect.store.sqlite.texts import TextReading
from recollect.store.sqlite.vectors import VectorReading


class SqliteReader(
    VectorReading, MetaReading, FileReading, ItemReading, NameReading, TextReading, EdgeReading, EventReading
):
    """Reads one generation, however much is written meanwhile."""
