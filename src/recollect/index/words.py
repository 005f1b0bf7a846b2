"""Splits the compound identifiers of a text, so that full-text search finds them by their parts too."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

_IRREGULAR = (
    "SQLite|GraphQL|PostgreSQL|MySQL|NoSQL|OAuth|OpenID|GitHub|GitLab|iOS|macOS|"
    "JavaScript|TypeScript|gRPC|IPv|LaTeX"
)
_PART = re.compile(
    rf"(?:(?:{_IRREGULAR})(?![a-z])|[A-Z]+s?(?=[A-Z][a-z]|[0-9_\W]|$)|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_A-Za-z]+)[0-9]*|[0-9]+"
)
_JOINED = re.compile(r"\b[A-Za-z_$][a-z0-9]*+[A-Z_0-9]\w*")
"""Identifiers of several parts, however they are joined."""
_HUMPED = re.compile(r"\b[A-Za-z_$][a-z0-9_]*+[A-Z]\w*")
"""Identifiers of several parts that no tokeniser takes apart at underscores."""
_WORDS = bytes(
    code if chr(code).isascii() and (chr(code).isalnum() or code in b"_$") else 32 for code in range(256)
)
_LONGEST = 80
_REMEMBERED = 50_000


@lru_cache(maxsize=_REMEMBERED)
def parts_of(word: str) -> tuple[str, ...]:
    """Return the parts of an identifier in order, nothing when it has only one."""
    if len(word) > _LONGEST:
        return ()
    parts = tuple(_PART.findall(word))
    return parts if parts != (word,) else ()


@lru_cache(maxsize=_REMEMBERED // 10)
def with_parts(text: str) -> str:
    """Return names followed by the parts of those that are compound."""
    return _extended(text, _JOINED)


def with_humps(code: bytes) -> str:
    """Return code followed by the parts of its camel-case identifiers, each once."""
    text = code.decode("utf-8", "replace")
    if not text.isascii():
        return _extended(text, _HUMPED)
    found = dict.fromkeys(chain.from_iterable(map(_HUMPS.__getitem__, code.translate(_WORDS).split())))
    return f"{text} {' '.join(found)}" if found else text


class _Humps(dict[bytes, tuple[str, ...]]):
    """The parts of what is camel-case in a run of letters, remembered because code repeats itself."""

    def __missing__(self, word: bytes) -> tuple[str, ...]:
        if len(self) > _REMEMBERED:
            self.clear()
        named = _HUMPED.findall(word.decode("ascii"))
        parts = self[word] = tuple(part for name in named for part in parts_of(name))
        return parts


_HUMPS = _Humps()


def _extended(text: str, pattern: re.Pattern[str]) -> str:
    found = dict.fromkeys(chain.from_iterable(map(parts_of, pattern.findall(text))))
    return f"{text} {' '.join(found)}" if found else text
