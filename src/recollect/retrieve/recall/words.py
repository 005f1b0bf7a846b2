"""The words that questions to memories are made of besides what they ask for, and what they may ask for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

WANTED = ("when", "number", "name", "title")
"""What a question may ask for."""


@dataclass(frozen=True, slots=True)
class Words:
    """The word lists of the data file."""

    question: frozenset[str]
    roles: frozenset[str]
    wanted: Mapping[str, re.Pattern[str]]


@cache
def lists() -> Words:
    """Return the word lists."""
    place = files("recollect.retrieve").joinpath("vocabulary", "questions.toml")
    table = tomllib.loads(place.read_text("utf-8"))
    wanted = {kind: re.compile(rf"\b(?:{''.join(table[kind].split())})\b", re.IGNORECASE) for kind in WANTED}
    return Words(frozenset(table["question"].split()), frozenset(table["roles"].split()), wanted)


def asks_for(question: str, kind: str) -> bool:
    """Tell whether a question asks for a time (when), a number, a name or a title."""
    return lists().wanted[kind].search(question) is not None
