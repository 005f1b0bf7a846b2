"""engrava without an embedding provider: what its store and `recall` do on their own."""

import asyncio
import tempfile
from pathlib import Path

from recollect.bench import NotInstalledError


class Lexical:
    """One store a split, written with `create_thought` and asked with `recall`, as its command line does."""

    name = "engrava lexical"

    def __init__(self):
        try:
            import aiosqlite
            import engrava
        except ImportError as error:
            raise NotInstalledError("engrava is not installed here; pip install engrava.") from error
        self._engrava, self._aiosqlite = engrava, aiosqlite
        self._folder = tempfile.TemporaryDirectory(prefix="engrava-peer-")
        self._file = Path(self._folder.name) / "engrava.db"
        self._loop = asyncio.new_event_loop()

    def build_index(self, corpus):
        """Store every memory."""
        self._loop.run_until_complete(self._fill(corpus))

    def index_size_bytes(self):
        """Return the size of the database and its log."""
        return sum(file.stat().st_size for file in Path(self._folder.name).iterdir())

    def retrieve(self, query, k):
        """Return the ids that `recall` gives."""
        found = self._loop.run_until_complete(self._store.recall(query, top_k=k))
        return [int(name) for name, _ in found.results if name.isdigit()]

    def close(self):
        """Close the store and remove it."""
        self._loop.run_until_complete(self._store.close())
        self._loop.run_until_complete(self._connection.close())
        self._loop.close()
        self._folder.cleanup()

    async def _fill(self, corpus):
        kinds = self._engrava
        self._connection = await self._aiosqlite.connect(str(self._file))
        self._connection.row_factory = self._aiosqlite.Row
        self._store = kinds.SqliteEngravaCore(self._connection)
        await self._store.ensure_schema()
        await self._store.bulk_store(
            [
                kinds.ThoughtRecord(
                    thought_id=str(memory.id),
                    thought_type=kinds.ThoughtType.OBSERVATION,
                    essence=memory.content[:200],
                    content=memory.content,
                    priority=kinds.Priority.P3,
                    lifecycle_status=kinds.LifecycleStatus.ACTIVE,
                    source="benchmark",
                    source_type=kinds.KnowledgeSource.EXPERIENCE,
                )
                for memory in corpus
            ]
        )
