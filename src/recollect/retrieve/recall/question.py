"""What a question says: its search words, whom it names, and which words say nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from recollect import moments
from recollect.retrieve.recall.words import lists
from recollect.store.view import Cut

MOST_WORDS = 256
"""What a longer question says after so many words is not searched for."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question as ranking reads it."""

    text: str
    terms: Mapping[str, float]
    """Stems to search for, and how often they were said."""
    times: bool
    """Whether it names a month or a year; those words are compared as times and not searched for."""
    written: Mapping[str, str]
    """A word of the question for each stem."""
    authors: frozenset[str]
    """Known authors that it names."""
    silent: frozenset[str]
    """Stems that say nothing here: question words, the names of authors, and dates."""


def read(text: str, stem: Cut, cut: Cut, authors: Callable[[], Mapping[str, frozenset[str]]]) -> Question:
    """Read a question; when all of its words say nothing, they are searched for after all."""
    words, stems = cut(text), stem(text)
    named, names = _named(frozenset(words), authors())
    dates = frozenset(
        word for moment in moments.find(text, 0) if moment.dated for word in cut(moment.written)
    )
    silent = lists().question | dates
    kept = [pair for pair in zip(words, stems, strict=True) if pair[0] not in silent]
    telling = [pair for pair in kept if pair[0] not in names]
    if not telling and not named and not dates:
        telling = kept or list(zip(words, stems, strict=True))
    telling = telling[:MOST_WORDS]
    return Question(
        text,
        Counter(stem for _, stem in telling),
        bool(dates),
        {stem: word for word, stem in reversed(telling)},
        named,
        silent_stems(stem) | frozenset(stem(" ".join(names | dates))),
    )


def names_of(author: str, cut: Cut) -> frozenset[str]:
    """Return the words by which a question may name an author; a role has none."""
    words = cut(author)
    known = lists()
    return frozenset(
        word for word in words if len(word) > 1 and word not in known.roles and word not in known.question
    )


def silent_stems(stem: Cut) -> frozenset[str]:
    """Return the stems of all question words."""
    return _silent(stem)


@cache
def _silent(stem: Cut) -> frozenset[str]:
    return frozenset(stem(" ".join(sorted(lists().question))))


def _named(
    words: frozenset[str], authors: Mapping[str, frozenset[str]]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the authors whose name is in the question, and their names."""
    named = {author: names & words for author, names in authors.items() if names & words}
    return frozenset(named), frozenset().union(*named.values())
