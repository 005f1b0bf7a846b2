"""How much of a text is the same in every file: imports, logging, plain assignments, blanks, comments, repetition."""

from __future__ import annotations

from itertools import groupby

from recollect.retrieve.compress.syntax import Syntax, syntax_of
from recollect.retrieve.compress.units import Unit, cut

REPEATED = 0.3
"""What a text of nothing but repetition adds."""
RUN = 2
_PLAIN = frozenset({"import", "log", "assignment", "blank", "comment", "decorator", "placeholder"})


def boilerplate_ratio(text: str, language: str) -> float:
    """Return the share of boilerplate, from 0 to 1: lines in runs of one kind, and three tenths of the repetition."""
    lines = text.split("\n")
    if not text.strip():
        return 1.0
    return min(1.0, boilerplate_lines(text, language) / len(lines) + REPEATED * repetition(lines))


def boilerplate_lines(text: str, language: str) -> int:
    """Count the lines in runs of at least two that are boilerplate of the same kind."""
    syntax = syntax_of(language)
    units = cut(text, syntax, docs=False).units
    count = 0
    for sort, group in groupby(units, key=lambda unit: _sort(unit, syntax)):
        lines = sum(unit.text.count("\n") + 1 for unit in group)
        count += lines if sort in _PLAIN and lines >= RUN else 0
    return count


def repetition(lines: list[str]) -> float:
    """Return the share of lines that are there already."""
    said = [line.strip() for line in lines if line.strip()]
    return 1.0 - len(set(said)) / len(said) if said else 0.0


def _sort(unit: Unit, syntax: Syntax) -> str:
    if unit.sort == "comment":
        return "code" if unit.kept else "comment"
    if syntax.placeholder.match(unit.text):
        return "placeholder"
    return "decorator" if syntax.decorator.match(unit.text) else unit.sort
