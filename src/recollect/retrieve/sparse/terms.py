"""Text into terms: identifiers whole and in parts, without words that tell nothing, cut to their stems."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from recollect.retrieve.sparse.stems import stem

_HUMP = re.compile(r"([a-z])([A-Z])")
_STEMMERS: dict[str, Callable[[str], str]] = {"porter": stem, "none": str}


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides which terms a text has."""

    token: str
    shortest_part: int
    stemmer: str
    stopwords: frozenset[str]
    code_keep: frozenset[str]

    @property
    def version(self) -> str:
        """Return a hash that changes with any of the rules."""
        kept = " ".join(sorted(self.code_keep))
        parts = (
            " ".join(sorted(self.stopwords)),
            kept,
            self.token,
            str(self.shortest_part),
            f"stemmer:{self.stemmer}",
        )
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def rules() -> Rules:
    """Read the shipped rules once."""
    raw = tomllib.loads(
        files("recollect.retrieve").joinpath("sparse", "rules.toml").read_text(encoding="utf-8")
    )
    words = {key: frozenset(raw[key].split()) for key in ("stopwords", "code_keep")}
    return Rules(raw["token"], raw["shortest_part"], raw["stemmer"], **words)


def terms_of(text: str) -> list[str]:
    """Return every term of a text, as often as it occurs."""
    found: list[str] = []
    for token in _tokens().findall(text):
        found.extend(token_terms(token))
    return found


@cache
def _tokens() -> re.Pattern[str]:
    return re.compile(rules().token)


@lru_cache(maxsize=100_000)
def token_terms(token: str) -> tuple[str, ...]:
    """Return a token in lower case, then its parts: `getUserById` gives getuserbyid, get, user, id."""
    chosen = rules()
    shorten = _STEMMERS[chosen.stemmer]
    whole = token.lower()
    parts = [part.lower() for part in _HUMP.sub(r"\1_\2", token).split("_")]
    useful = [
        part
        for part in parts
        if len(part) >= chosen.shortest_part and (part not in chosen.stopwords or part in chosen.code_keep)
    ]
    if useful == [whole] or len(parts) == 1:
        return (shorten(whole),) if whole not in chosen.stopwords else ()
    return tuple(dict.fromkeys(shorten(term) for term in (whole, *useful)))
