"""Lets symbols outside the repository count in the statistics of words, although they are never found themselves.

A word that every library uses is rare in a small repository; counted with what the code imports, it is common again.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from recollect.ports import Reader
from recollect.retrieve.context import Context
from recollect.retrieve.words import split_identifier

_LEAST_IDF = 1e-6
_WORD = re.compile(r"\w+")


class Names(Protocol):
    """What the service `outside` knows."""

    def names(self, reader: Reader) -> tuple[str, ...]:
        """Return the name of everything outside that the code uses."""
        ...


class Statistics(NamedTuple):
    """How many names there are, and in how many of them each word stands."""

    names: int
    holding: Mapping[str, int]


def statistics(context: Context) -> Statistics:
    """Return what is known of the names outside, once for a generation."""
    service: Names | None = context.services.get("outside")
    if service is None:
        return Statistics(0, {})
    return context.snapshot.memo("outside", lambda: _count(service.names(context.reader)))


def share(statistics: Statistics, term: str, texts: int, holding: int) -> float:
    """Return what the score of one word is multiplied by when the names outside count as texts."""
    words = _WORD.findall(term.lower())
    if not statistics.names or len(words) != 1 or not 0 < holding <= texts:
        return 1.0
    more = statistics.holding.get(words[0], 0)
    return _idf(texts + statistics.names, holding + more) / _idf(texts, holding)


def _idf(texts: int, holding: int) -> float:
    """Return what full text itself takes for the rarity of a word."""
    idf = math.log((texts - holding + 0.5) / (holding + 0.5))
    return idf if idf > 0.0 else _LEAST_IDF


def _count(names: tuple[str, ...]) -> Statistics:
    holding: Counter[str] = Counter()
    for name in names:
        plain = name.partition("://")[2]
        words = {part.lower() for word in _WORD.findall(plain) for part in (word, *split_identifier(word))}
        holding.update(words)
    return Statistics(len(names), holding)
