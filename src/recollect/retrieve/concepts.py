"""Which equivalence classes a query speaks of, and the symbols that their targets name."""

from __future__ import annotations

from collections.abc import Iterable

from recollect.retrieve.classes import EquivalenceClass, Match, for_languages, match_classes, shipped_classes
from recollect.retrieve.context import Context
from recollect.retrieve.words import phrase_tokens

LEAST_SHARE = 0.05
"""A language counts as one of the project's from this share of its files."""


def project_languages(context: Context) -> frozenset[str]:
    """Return the languages that make up a fair part of the project."""

    def count() -> frozenset[str]:
        files = context.reader.languages()
        total = sum(files.values())
        return frozenset(name for name, number in files.items() if number >= LEAST_SHARE * total)

    return context.snapshot.memo("languages", count)


def matches(context: Context, layers: Iterable[str]) -> tuple[Match, ...]:
    """Return the classes of some layers that the query's words speak of, once for a run."""
    wanted = tuple(layers)

    def find() -> tuple[Match, ...]:
        languages = project_languages(context)
        rows: list[EquivalenceClass] = []
        for layer in wanted:
            rows += context.classes if layer == "project" else shipped_classes(layer, languages)
        words = phrase_tokens(context.query.text)
        return match_classes(words, for_languages(rows, languages))

    return context.once(("classes", wanted), find)


def symbols_of(context: Context, found: Iterable[Match], per_target: int) -> list[tuple[int, str, Match]]:
    """Return the symbols that the targets name, in the order of the classes and of their targets."""
    rows = list(found)
    targets = list(dict.fromkeys(target for match in rows for target in match.matched.targets))
    if not targets:
        return []
    named: dict[str, list[int]] = {}
    for row in context.reader.named(targets, context.query.filters, 50 * len(targets)):
        named.setdefault(row.name.lower(), []).append(row.number)
    made: dict[int, tuple[int, str, Match]] = {}
    for match in rows:
        for target in match.matched.targets:
            for number in named.get(target.lower(), ())[:per_target]:
                made.setdefault(number, (number, target, match))
    return list(made.values())


def spoken(match: Match) -> str:
    """Return the phrases that matched, for a reason."""
    return ", ".join(f'"{" ".join(phrase)}"' for phrase in match.phrases)
