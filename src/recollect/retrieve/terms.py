"""The words of a question as full text is searched by them: everything but stopwords, identifiers also in parts."""

from __future__ import annotations

import re

from recollect.retrieve.values import Query
from recollect.retrieve.words import split_identifier, word_lists

MAX_TERMS = 64
_NAME = re.compile(r"[^\W\d]\w*|\d+")
_SHAPED = re.compile(r"[a-z][A-Z]|_|[A-Z]\w*[a-z]\w*[A-Z]|\d")


def names_in(query: Query) -> tuple[str, ...]:
    """Return the words of a question as they were written, without stopwords unless there is nothing else."""
    written = tuple(dict.fromkeys(_NAME.findall(query.text)))
    stopwords = word_lists().stopwords
    telling = tuple(word for word in written if word.lower() not in stopwords)
    return (telling or written)[:MAX_TERMS]


def terms_of(query: Query) -> tuple[str, ...]:
    """Return what full text is searched for: each word in lower case, followed by its parts."""
    found: dict[str, None] = {}
    for name in names_in(query):
        found[name.lower()] = None
        found.update(dict.fromkeys(part.lower() for part in split_identifier(name)))
    return tuple(found)[:MAX_TERMS]


def is_shaped(name: str) -> bool:
    """Say whether a word can only be an identifier: `sendAll`, `max_size`, `HTTPServer`."""
    return _SHAPED.search(name) is not None
