"""What kind of place a path is, by its names alone."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from recollect.retrieve.allowed import is_test_path
from recollect.retrieve.words import split_identifier


@dataclass(frozen=True, slots=True)
class Sites:
    """Patterns of paths, languages that are not code, and words that open a question."""

    example: re.Pattern[str]
    compatibility: re.Pattern[str]
    declaration: re.Pattern[str]
    facade: re.Pattern[str]
    prose: frozenset[str]
    openers: frozenset[str]


@cache
def sites() -> Sites:
    """Read the shipped patterns once."""
    text = files("recollect.retrieve").joinpath("vocabulary", "sites.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(text)
    patterns = {key: re.compile(raw[key]) for key in ("example", "compatibility", "declaration", "facade")}
    return Sites(**patterns, prose=frozenset(raw["prose"].split()), openers=frozenset(raw["openers"].split()))


ABOUT_PATH = ("example", "compatibility", "declaration", "facade", "stem_is_folder", "depth", "test_path")


def about_path(path: str) -> tuple[float, ...]:
    """Return which patterns a path meets, if its stem is its folder's name, how deep it lies, if it is a test's."""
    at, known = "/" + path, sites()
    patterns = (known.example, known.compatibility, known.declaration, known.facade)
    stem = stem_letters(path)
    folder = path.rpartition("/")[0].rpartition("/")[2]
    return (
        *(float(pattern.search(at) is not None) for pattern in patterns),
        float(bool(stem) and stem == letters(folder)),
        min(path.count("/") + 1, 10) / 10,
        float(is_test_path(path)),
    )


def stem_letters(path: str) -> str:
    """Return the letters and digits of a file's stem in lower case."""
    name = path.rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    return letters(stem if stem and dot else name)


def letters(text: str) -> str:
    """Return the letters and digits of a text in lower case."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


@lru_cache(maxsize=262_144)
def name_words(text: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, each once."""
    return tuple(dict.fromkeys(part.lower() for part in split_identifier(text)))
