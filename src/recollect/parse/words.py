"""Identifiers as words: `SQLiteStore` is sqlite and store, `getUserById` is get, user, by and id."""

from __future__ import annotations

import functools
import re

CACHED = 100_000
IDENTIFIER = re.compile(r"[^\W_][\w$]*")
BORDER = re.compile(
    r"""_+|\$+
    |(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])
    |(?<=[a-z])(?=[A-Z])
    |(?<=[A-Z])(?=[A-Z](?!s(?:[A-Z\d_]|$))[a-z])""",
    re.X,
)
NAMES = (
    "SQLite",
    "GraphQL",
    "OAuth",
    "JavaScript",
    "TypeScript",
    "PostgreSQL",
    "MySQL",
    "GitHub",
    "GitLab",
    "YouTube",
    "IPv",
    "iOS",
    "macOS",
)
"""Names that are one word although their capitals say otherwise."""
WHOLE = re.compile("|".join(sorted(NAMES, key=len, reverse=True)))


@functools.lru_cache(maxsize=CACHED)
def split(identifier: str) -> tuple[str, ...]:
    """Return the lower-case words of one identifier, in order."""
    if identifier.islower() and identifier.isalpha():
        return (identifier,)
    text = WHOLE.sub(lambda found: f"_{found.group().capitalize()}_", identifier)
    return tuple(word.lower() for word in BORDER.split(text) if word)


@functools.lru_cache(maxsize=CACHED)
def forms(identifier: str) -> tuple[str, ...]:
    """Return the words of one identifier, and the whole of it in lower case when that is another word."""
    words = split(identifier)
    whole = identifier.lower()
    return words if len(words) == 1 and words[0] == whole else (*words, whole)


def words_of(text: str) -> list[str]:
    """Return the words of all identifiers in a text, in order."""
    found: list[str] = []
    for identifier in IDENTIFIER.findall(text):
        found.extend(split(identifier))
    return found


def spread(text: str) -> str:
    """Return a text in which every identifier is followed by its words, for full-text columns and queries."""
    found: list[str] = []
    for identifier in IDENTIFIER.findall(text):
        found.extend(forms(identifier))
    return " ".join(found)
