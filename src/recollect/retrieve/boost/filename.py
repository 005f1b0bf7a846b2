"""What lies in a file that is called like a word of the query counts half as much again; no file is brought in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.sparse.terms import rules
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """The factor, and how long a common beginning must be, in letters and as a share of the shorter word."""

    factor: float = 1.5
    letters: int = 5
    coverage: float = 0.6


def file_parts(path: str) -> tuple[str, ...]:
    """Return the parts of a file's name without its extension."""
    name = path.rpartition("/")[2]
    stem = name.rpartition(".")[0] or name
    return tuple(part for part in re.split(r"[-_.]", stem.lower()) if part)


def alike(word: str, part: str, letters: int = 5, coverage: float = 0.6) -> bool:
    """Say whether two words begin alike for long enough."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, part, strict=False)))
    return common >= letters and common >= coverage * min(len(word), len(part))


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Multiply the scores of candidates in matching files."""
    words = _words(context.query.text, parameters.letters)
    items = context.items(row.number for row in candidates)
    rows = []
    for row in candidates:
        path = items[row.number].path if row.number in items else ""
        word = _match(words, file_parts(path), parameters)
        if word:
            context.trace.note(row.number, f"its file is called like {word}, times {parameters.factor:g}")
            row = row.scored(row.score * parameters.factor)  # noqa: PLW2901  # the same row, boosted
        rows.append(row)
    return context.ordered(rows)


def _words(text: str, letters: int) -> tuple[str, ...]:
    stopwords = rules().stopwords
    found = (word.lower() for word in re.findall(r"\w+", text))
    return tuple(dict.fromkeys(word for word in found if len(word) >= letters and word not in stopwords))


def _match(words: Sequence[str], parts: Sequence[str], parameters: Parameters) -> str:
    for word in words:
        if any(alike(word, part, parameters.letters, parameters.coverage) for part in parts):
            return word
    return ""


STAGE = Stage("filename", "boost", Parameters, run)
