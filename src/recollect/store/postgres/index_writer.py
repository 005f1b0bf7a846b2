"""The one open write transaction of an index on a server, made of the writers of every family of tables."""

from __future__ import annotations

from recollect.store.postgres.index_events import EventWriting
from recollect.store.postgres.index_put_edges import EdgeWriting
from recollect.store.postgres.index_put_files import FileWriting
from recollect.store.postgres.index_vectors import VectorWriting


class PostgresWriter(FileWriting, EdgeWriting, EventWriting, VectorWriting):
    """Writes inside one transaction; its own reads see that at once, others once it is committed."""
