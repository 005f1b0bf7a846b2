"""Cuts texts into words exactly as the full-text tables of SQLite do: by SQLite's own tokenizers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import apsw

from recollect.errors import UsageError
from recollect.store.sqlite.texts import text_table

_TOKENIZERS = {
    "text_symbol": ("unicode61", ("remove_diacritics", "2", "tokenchars", "_")),
    "text_chunk": ("porter", ("unicode61", "remove_diacritics", "2")),
}
"""What the migrations say after `tokenize`; a test compares every table with SQLite's."""
_local = threading.local()


def words_of(table: str, text: str, asked: bool = False) -> list[str]:
    """Return the words of a text, or of a question, in their order."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError(
            f"The text {text!r} cannot be stored as UTF-8; leave out what it stands for."
        ) from error
    reason = apsw.FTS5_TOKENIZE_QUERY if asked else apsw.FTS5_TOKENIZE_DOCUMENT
    found: list[str] = _tokenizer(table)(data, reason, None, include_offsets=False, include_colocated=False)
    return found


def _tokenizer(table: str) -> Callable[..., Any]:
    # A connection belongs to one thread at a time.
    known: dict[str, Callable[..., Any]] | None = getattr(_local, "tokenizers", None)
    if known is None:
        _local.connection = apsw.Connection(":memory:")
        known = _local.tokenizers = {}
    if table not in known:
        name, arguments = _TOKENIZERS[text_table(table).name]
        known[table] = _local.connection.fts5_tokenizer(name, list(arguments))
    return known[table]
