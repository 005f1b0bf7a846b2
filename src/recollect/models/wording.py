"""Text as the words that token vectors are kept for: identifiers in their parts, in lower case."""

from __future__ import annotations

import re

_PART = re.compile(r"(?:[A-Z]+(?=[A-Z][a-z]|[0-9]|\b|_)|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_A-Za-z]+)[0-9]*")
_BREAKS = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum()})
SHORTEST, LONGEST = 2, 24


def words(text: str) -> list[str]:
    """Return the words of a text in order, as `split_run` takes apart each run of letters and digits."""
    return [word for run in runs(text) for word in split_run(run)]


def runs(text: str) -> list[str]:
    """Return what stands between signs and spaces."""
    return text.translate(_BREAKS).split()


def split_run(run: str) -> tuple[str, ...]:
    """Return the words of one run of letters and digits: `parseHTTP2Frame` is parse, http2 and frame."""
    if run.islower() and run.isalpha():
        return (run,) if SHORTEST <= len(run) <= LONGEST else ()
    return tuple(part.lower() for part in _PART.findall(run) if SHORTEST <= len(part) <= LONGEST)
