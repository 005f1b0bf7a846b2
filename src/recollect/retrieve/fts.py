"""Keywords into full-text expressions; every word is quoted, so no operator of the user's survives."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

from recollect.retrieve.values import Keywords
from recollect.retrieve.words import split_identifier

PHRASE_PAIRS = 5
THESAURUS_CAP = 10
_BREAKS = re.compile(r"[/.:(),\s*#>\-]+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def quoted(text: str) -> str:
    """Return a text as one string of the query language; scripts without spaces match by prefix."""
    clean = text.replace('"', " ").replace("\0", " ").strip()
    return f'"{clean}" *' if _UNSPACED.search(clean) else f'"{clean}"'


def beginning(text: str) -> str:
    """Return an expression for words that begin so."""
    return f"{quoted(text).removesuffix(' *')} *"


def leaf(name: str) -> str:
    """Return the last part of a dotted name."""
    return [part for part in _BREAKS.split(name) if part][-1:][0] if _BREAKS.split(name) else name


@cache
def thesaurus() -> Mapping[str, tuple[str, ...]]:
    """Return for each word the words that code uses for the same."""
    text = files("recollect.retrieve").joinpath("vocabulary", "thesaurus.toml").read_text(encoding="utf-8")
    near: dict[str, dict[str, None]] = {}
    for words in tomllib.loads(text)["clusters"].values():
        cluster = words.split()
        for word in cluster:
            near.setdefault(word, {}).update(dict.fromkeys(other for other in cluster if other != word))
    return {word: tuple(others) for word, others in near.items()}


def expansions(words: Iterable[str], cap: int = THESAURUS_CAP) -> tuple[str, ...]:
    """Return the words that mean the same as some of these, at most `cap`, fairly shared."""
    given = list(dict.fromkeys(words))
    lists = [thesaurus().get(word, ()) for word in given]
    found: dict[str, None] = {}
    for place in range(max((len(row) for row in lists), default=0)):
        for row in lists:
            if place < len(row) and row[place] not in given:
                found.setdefault(row[place])
    return tuple(found)[:cap]


def compound_terms(keywords: Keywords) -> tuple[str, ...]:
    """Return an expression for every identifier: a phrase in the column of names."""
    rows: dict[str, None] = {}
    for word in keywords.primary:
        last = leaf(word)
        if last:
            rows.setdefault(f"name : {quoted(last)}")
        if last != word and "." in word:
            rows.setdefault(f"qualified : {quoted(word.replace('.', ' '))}")
    return tuple(rows)


def phrase_terms(components: Sequence[str], phrases: Iterable[str]) -> tuple[str, ...]:
    """Return neighbouring components, and what the user put in quotes, as phrases."""
    pairs = list(pairwise(components))[:PHRASE_PAIRS]
    joined = [f"{a} {b}" for a, b in pairs if len(a) >= 3 and len(b) >= 3]
    spoken = [" ".join(_BREAKS.split(phrase)).strip() for phrase in phrases]
    return tuple(dict.fromkeys(quoted(text) for text in (*spoken, *joined) if re.search(r"\w", text)))


def path_terms(terms: Iterable[str]) -> tuple[str, ...]:
    """Return a prefix in the column of paths for every term."""
    return tuple(f"path : {beginning(term)}" for term in terms if re.search(r"\w", term))


def word_terms(words: Iterable[str]) -> tuple[str, ...]:
    """Return single words that any column may have."""
    return tuple(dict.fromkeys(quoted(word) for word in words if re.search(r"\w", word)))


def leaf_segments(words: Iterable[str]) -> tuple[str, ...]:
    """Decompose compounds: the last two segments of dotted names, then their parts, without dunders, in the names."""
    rows: dict[str, None] = {}
    for word in words:
        segments = [part for part in _BREAKS.split(word) if part][-2:]
        for segment in segments:
            if segment.startswith("__") and segment.endswith("__"):
                continue
            for part in (segment, *split_identifier(segment)):
                if len(part) >= 3:
                    rows.setdefault(f"name : {quoted(part.lower())}")
    return tuple(rows)


def any_of(terms: Iterable[str]) -> str:
    """Join expressions so that each of them is enough."""
    return " OR ".join(f"({term})" if " : " in term else term for term in dict.fromkeys(terms))
