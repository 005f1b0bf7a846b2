"""From the bytes of one file to its facts, without a look at any other file."""

from __future__ import annotations

from recollect.facts import FileFacts
from recollect.parse.codec import decode, encode, grammar_version
from recollect.parse.reader import languages, parse
from recollect.parse.settings import Settings

__all__ = [
    "GRAMMAR_VERSION",
    "FileFacts",
    "Settings",
    "decode",
    "encode",
    "grammar_version",
    "languages",
    "parse",
]


def __getattr__(name: str) -> str:
    if name == "GRAMMAR_VERSION":
        return grammar_version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
