"""What a question is after, told by its words, and words that mean the same as some of them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

PLAIN = "what"


@cache
def _tables() -> tuple[Mapping[str, re.Pattern[str]], Mapping[str, tuple[str, ...]]]:
    place = files("recollect.retrieve").joinpath("vocabulary", "intents.toml")
    table = tomllib.loads(place.read_text("utf-8"))
    patterns = {name: re.compile(text, re.IGNORECASE) for name, text in table["patterns"].items()}
    return patterns, {word: tuple(others.split()) for word, others in table["synonyms"].items()}


def intent_of(text: str) -> str:
    """Return why, when, who or how, whichever most words tell; what when none does."""
    counts = {name: len(pattern.findall(text)) for name, pattern in _tables()[0].items()}
    most = max(counts.values())
    return next(name for name, count in counts.items() if count == most) if most else PLAIN


def synonyms(words: Sequence[str], most: int) -> list[str]:
    """Return at most so many words that mean the same as some of these."""
    known = _tables()[1]
    found = (other for word in words for other in known.get(word, ()) if other not in words)
    return list(dict.fromkeys(found))[:most]
