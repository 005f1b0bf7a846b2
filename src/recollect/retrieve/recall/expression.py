"""Questions into full-text expressions: words joined with OR, or what the asker wrote in its own syntax."""

from __future__ import annotations

import re
from collections.abc import Sequence

_EXPERT = re.compile(r"\"[^\"]*\w[^\"]*\"|(?<!\S)(?:AND|OR|NOT)(?!\S)|\w\*(?![\w*])")
_WORD = re.compile(r"\w+")


def is_expert(text: str, columns: Sequence[str]) -> bool:
    """Tell whether a question holds a quoted phrase, AND, OR, NOT, a word with a star, or the filter of a column."""
    return bool(_EXPERT.search(text) or _filter(columns).search(text))


def bare(text: str) -> str:
    """Return the words joined with OR; every sign parts words, and none is an operator."""
    return any_word(dict.fromkeys(_WORD.findall(text)))


def any_word(words: Sequence[str] | dict[str, None]) -> str:
    """Return an expression for texts that hold any of some words."""
    return " OR ".join(f'"{word}"' for word in words)


def expert(text: str, columns: Sequence[str]) -> str:
    """Return what was written, with nothing left of it that is neither a word nor an operator."""
    pattern = re.compile(
        rf"(?P<column>{_filter(columns).pattern})|(?P<phrase>\"[^\"]*\")|(?P<operator>\b(?:AND|OR|NOT)\b)"
        r"|(?P<bracket>[()])|(?P<word>\w+)(?P<star>\*?)"
    )
    parts: list[str] = []
    for match in pattern.finditer(text):
        if match["operator"] == "NOT" and parts[-1:] == ["AND"]:
            parts.pop()
        parts.append(_part(match))
    return " ".join(part for part in parts if part)


def _part(match: re.Match[str]) -> str:
    if match["column"]:
        return f"{match['column'].rstrip(': ')} :"
    if match["word"]:
        return f'"{match["word"]}"' + (" *" if match["star"] else "")
    if match["phrase"]:
        return match["phrase"] if _WORD.search(match["phrase"]) else ""
    return match["operator"] or match["bracket"]


def _filter(columns: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(columns)})\s*:(?=\s*[\w\"(])")
