"""Everything recollect raises on purpose; every message is a sentence with the cure in it.

RecollectError
├── UsageError          the call was wrong: an argument, a query, a path that cannot be indexed
│   ├── ConfigError     a configuration or profile file has a wrong key, type or stage
│   └── NotFoundError   an item, symbol or file that was named does not exist
├── StoreError          the data on disk cannot be used
│   ├── BusyError       another process held the writer lock for longer than we may wait
│   ├── CorruptError    a database file is damaged
│   ├── NewerSchemaError  a newer recollect wrote this database
│   ├── ReadOnlyError   the folder or file cannot be written
│   ├── DiskFullError   the disk is full; what was written before is intact
│   └── AwayError       the server of a shared store does not answer
├── ParseError          a file or grammar could not be used at all
├── ModelError          an embedder or reranker failed or does not fit the stored vectors
└── SecretError         a text holds a secret and must not be stored
"""

from __future__ import annotations


class RecollectError(Exception):
    """The base of every error that recollect raises on purpose; catch it to catch them all."""

    exit_code = 3


class UsageError(RecollectError):
    """The caller asked for something that cannot be done as asked."""

    exit_code = 2


class ConfigError(UsageError):
    """A configuration or profile file has an unknown key, a wrong type or a missing stage."""


class NotFoundError(UsageError):
    """An item, symbol or file that was named does not exist."""

    exit_code = 1


class StoreError(RecollectError):
    """The data on disk cannot be used as it is."""


class BusyError(StoreError):
    """Another process held the writer lock for longer than we may wait."""


class CorruptError(StoreError):
    """A database file is damaged."""


class NewerSchemaError(StoreError):
    """A database was written by a newer recollect than this one."""


class ReadOnlyError(StoreError):
    """The folder or file that must be written is read-only."""


class DiskFullError(StoreError):
    """The disk is full."""


class AwayError(StoreError):
    """The server of a shared store does not answer."""


class ParseError(RecollectError):
    """A file or a grammar could not be used at all."""


class ModelError(RecollectError):
    """An embedder or reranker failed, or does not fit the vectors that are stored."""


class SecretError(RecollectError):
    """A text holds a secret and must not be stored."""
