"""Words, identifiers and the lists that tell them apart."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

_IRREGULAR = (
    "SQLite|GraphQL|PostgreSQL|MySQL|NoSQL|OAuth|OpenID|GitHub|GitLab"  # names that their capitals would break
    "|iOS|macOS|JavaScript|TypeScript|gRPC|IPv|LaTeX"
)
_PARTS = re.compile(
    rf"(?:(?:{_IRREGULAR})(?![a-z])|[A-Z]+s?(?=[A-Z][a-z]|[0-9_\W]|$)|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_A-Za-z]+)[0-9]*"
    r"|[0-9]+"
)
_PLAIN_PARTS = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class WordLists:
    """Every list of words that the reading of a query uses."""

    stopwords: frozenset[str]
    program_words: frozenset[str]
    verbs: frozenset[str]
    pure_verbs: frozenset[str]
    fillers: frozenset[str]
    filler_nouns: frozenset[str]
    code_keep: frozenset[str]
    test_words: frozenset[str]
    path_noise: frozenset[str]
    vocabulary_noise: frozenset[str]
    alias_noise: frozenset[str]
    suffixes: frozenset[str]
    code_words: frozenset[str]
    abbreviations: Mapping[str, str]

    def is_noise(self, word: str) -> bool:
        """Say whether a lower-case word tells nothing of what is searched."""
        return (
            word in self.stopwords
            or word in self.program_words
            or word in self.verbs
            or word in self.pure_verbs
        )


@cache
def word_lists() -> WordLists:
    """Read the shipped word lists once."""
    text = files("recollect.retrieve").joinpath("vocabulary", "words.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(text)
    sets = {key: frozenset(value.split()) for key, value in raw.items() if isinstance(value, str)}
    return WordLists(**sets, abbreviations=raw["abbreviations"])


@lru_cache(65536)
def split_identifier(identifier: str) -> tuple[str, ...]:
    """Split on case, digits and separators, keeping runs of capitals whole: `SQLiteStore` is SQLite, Store."""
    if not identifier.isascii():
        return tuple(_PLAIN_PARTS.findall(identifier))
    return tuple(_PARTS.findall(identifier))


def is_compound(word: str) -> bool:
    """Say whether a word is an identifier of several parts."""
    return "_" in word.strip("_") or "." in word.strip(".") or len(split_identifier(word)) > 1


def tokens(text: str) -> tuple[str, ...]:
    """Return every run of letters, digits and underscores, in order, as written."""
    return tuple(_TOKEN.findall(text))


def phrase_tokens(text: str) -> tuple[str, ...]:
    """Return the lower-case words of a text, with identifiers split, for matching phrases at word borders."""
    return tuple(part.lower() for token in _TOKEN.findall(text) for part in split_identifier(token))
