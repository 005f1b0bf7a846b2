"""The one open write transaction, made of the writers of every family of tables."""

from __future__ import annotations

from recollect.store.sqlite.events import EventWriting
from recollect.store.sqlite.put_edges import EdgeWriting
from recollect.store.sqlite.put_files import FileWriting
from recollect.store.sqlite.put_vectors import VectorWriting


class SqliteWriter(FileWriting, EdgeWriting, VectorWriting, EventWriting):
    """Writes inside one transaction; its own reads see that at once, others once it is committed."""
