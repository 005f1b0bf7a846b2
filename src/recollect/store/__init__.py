"""Keeps items, edges, full text, vectors and events; the only part that speaks SQL."""

from recollect.store.arc import ArcCache
from recollect.store.bloom import BloomFilter
from recollect.store.sqlite.dump import dump
from recollect.store.sqlite.facts import SqliteFacts, open_facts
from recollect.store.sqlite.store import SqliteStore, discard_index, open_index, open_memory

__all__ = [
    "ArcCache",
    "BloomFilter",
    "SqliteFacts",
    "SqliteStore",
    "discard_index",
    "dump",
    "open_facts",
    "open_index",
    "open_memory",
]
