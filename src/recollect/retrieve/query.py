"""Reading a question: its keywords, names, paths, phrases and filters, once, without ever failing."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from recollect.ports import Filters
from recollect.retrieve.keywords import read_keywords
from recollect.retrieve.places import Found, find_places
from recollect.retrieve.values import ChangedLines, Keywords, Query
from recollect.retrieve.words import phrase_tokens, split_identifier, tokens, word_lists

MAX_CHARS = 20_000
MAX_KEYWORDS = 64
MAX_PATH_TERMS = 5
_PHRASE = re.compile(r"\"([^\"\n]{3,120})\"|“([^”\n]{3,120})”")
_IDENTIFIER = re.compile(r"[A-Za-z_$@][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*(?:\(\))?[!?]?")
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)
_URL = re.compile(r"\bhttps?://\S+", re.I)


@dataclass(frozen=True, slots=True)
class Request:
    """What the caller says besides the text."""

    files: tuple[str, ...] = ()
    filters: Filters = field(default_factory=Filters)
    budget: int | None = None
    limit: int | None = None
    seed: int = 0
    session: str = ""
    id: str = ""
    kind: str = ""
    """task, files or change; empty means files when there is no text, else a task."""
    lines: tuple[ChangedLines, ...] = ()
    """Which lines of the files were changed, where that is known."""


def read_query(text: str, request: Request | None = None) -> Query:
    """Read a text of any kind; what cannot be used is said in the notes, never raised."""
    request = request or Request()
    notes: list[str] = []
    clean = _clean(text, notes)
    prose, url_words = _without_urls(clean)
    found = find_places(prose)
    plain = _without_places(prose, found)
    keywords = _keywords(f"{plain} {url_words}".strip(), found, notes)
    if not keywords.all and not request.files and not found.places:
        notes.append("The query has no word to search for.")
    words = tuple(word.lower() for word in tokens(plain))
    return Query(
        text=clean,
        id=request.id or query_id(text, request),
        shape=_shape(clean, found),
        words=words,
        keywords=keywords,
        identifiers=_identifiers(keywords, found),
        phrases=tuple(a or b for a, b in _PHRASE.findall(prose)),
        path_terms=path_terms(words),
        places=found.places,
        about_tests=is_about_tests(prose),
        files=request.files,
        lines=request.lines,
        filters=request.filters,
        budget=request.budget,
        limit=request.limit,
        seed=request.seed,
        session=request.session,
        notes=tuple(notes),
    )


def query_id(text: str, request: Request, profile: str = "") -> str:
    """Return the same short id for the same question, in every process; the profile is named by its digest."""
    filters = request.filters
    parts = (
        text,
        repr((request.kind, request.files, request.budget, request.limit, request.seed, request.session)),
        repr((sorted(filters.languages), sorted(filters.kinds), sorted(filters.path_prefixes))),
        repr((filters.include_tests, sorted(filters.metadata.items()))),
        profile,
        *((repr(request.lines),) if request.lines else ()),
    )
    return "q" + hashlib.blake2b("\1".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def is_about_tests(text: str) -> bool:
    """Say whether a task is about tests, by whole words: `latest` and `specific` are no tests."""
    return not word_lists().test_words.isdisjoint(phrase_tokens(text))


def path_terms(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that may be names of folders or packages, the longest five first."""
    lists = word_lists()
    parts = {part for word in words for part in (word, *word.split("_"))}
    terms = {
        part
        for part in parts
        if len(part) >= 4 and part.isalpha() and part not in lists.path_noise and not lists.is_noise(part)
    }
    return tuple(sorted(terms, key=lambda term: (-len(term), term))[:MAX_PATH_TERMS])


def _clean(text: str, notes: list[str]) -> str:
    clean = _CONTROL.sub(" ", text).strip()
    if len(clean) > MAX_CHARS:
        notes.append(
            f"The query has {len(clean)} characters; the first and the last {MAX_CHARS // 2} were read."
        )
        clean = clean[: MAX_CHARS // 2] + "\n" + clean[-MAX_CHARS // 2 :]
    return clean


def _without_urls(text: str) -> tuple[str, str]:
    urls = [re.sub(r"^https?://[^/\s]*", "", url, flags=re.I) for url in _URL.findall(text)]
    words = " ".join(word for url in urls for word in re.split(r"[/?&=#%.,:\-]+", url) if not word.isdigit())
    return _URL.sub(" ", text), words


def _without_places(prose: str, found: Found) -> str:
    """Return the text with the stems of paths in place of the paths; of a diff nothing is left but its names."""
    if found.shape == "diff":
        return ""
    for place in found.places:
        stem = " ".join(split_identifier(PurePosixPath(place.path).stem))
        prose = prose.replace(place.path, stem)
    return prose


def _keywords(plain: str, found: Found, notes: list[str]) -> Keywords:
    base = Keywords() if found.shape == "diff" else read_keywords(plain)
    names = tuple(dict.fromkeys(name for name in found.names if name not in base.exact))
    compounds = tuple(dict.fromkeys((*_with_leaves(names), *base.compounds)))
    keywords = Keywords(
        base.exact[:MAX_KEYWORDS],
        compounds[:MAX_KEYWORDS],
        base.components[:MAX_KEYWORDS],
        base.speculative[:MAX_KEYWORDS],
    )
    cut = sum(map(len, (base.exact, compounds, base.components, base.speculative))) - len(keywords.all)
    if cut > 0:
        notes.append(f"{cut} keywords were left out; at most {MAX_KEYWORDS} of each tier are searched.")
    return keywords


def _with_leaves(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        part for name in names for part in ((name, name.rsplit(".", 1)[-1]) if "." in name else (name,))
    )


def _shape(clean: str, found: Found) -> str:
    if not clean:
        return "empty"
    if found.shape in {"trace", "diff"}:
        return found.shape
    bare = clean.strip("`")
    if _IDENTIFIER.fullmatch(bare) and bare.lower() not in word_lists().stopwords:
        return "identifier"
    return "words"


def _identifiers(keywords: Keywords, found: Found) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*keywords.exact, *found.names, *keywords.compounds)))
