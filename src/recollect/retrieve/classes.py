"""Equivalence classes: phrases people say, and the names that code gives to what they mean."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from recollect.errors import ConfigError
from recollect.retrieve.words import phrase_tokens

GENERIC_TARGETS = frozenset({"get", "set", "do", "new", "run", "put", "post", "call", "add", "pop"})
SHORTEST_TARGET = 4
LAYERS = ("universal", "language", "framework")


@dataclass(frozen=True, slots=True)
class EquivalenceClass:
    """One concept: how people say it, and how code calls it."""

    concept: str
    phrases: tuple[tuple[str, ...], ...]
    """Each phrase as its words, lower case."""
    targets: tuple[str, ...]
    weight: float
    source: str
    """universal, language, framework, project, graph or learned."""
    languages: frozenset[str] = frozenset()
    """Languages it speaks of; empty for all."""


@dataclass(frozen=True, slots=True)
class Match:
    """A class that a text speaks of, with the phrases that do not overlap."""

    matched: EquivalenceClass
    phrases: tuple[tuple[str, ...], ...]

    @property
    def strong(self) -> bool:
        """Say whether two phrases matched, or one of several words."""
        return len(self.phrases) >= 2 or any(len(phrase) > 1 for phrase in self.phrases)


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phrases: str | list[str]
    """A list, or one text with semicolons between."""
    targets: str | list[str]
    """A list, or one text with spaces between."""
    weight: float | None = None
    languages: list[str] = []


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    classes: dict[str, _Row]
    weight: float = 0.8
    languages: list[str] = []
    verbs: list[str] = []
    """Verbs that may stand before every phrase."""


def read_classes(table: Mapping[str, Any], source: str, place: str) -> tuple[EquivalenceClass, ...]:
    """Read the classes of one TOML file."""
    try:
        read = msgspec.convert(table, _File)
    except msgspec.ValidationError as error:
        raise ConfigError(
            f"The class file {place} cannot be used: {error}. It has weight, languages, verbs, and [classes.NAME] "
            "with phrases, targets, weight and languages."
        ) from error
    return tuple(
        EquivalenceClass(
            concept=name,
            phrases=tuple(
                dict.fromkeys(
                    phrase_tokens(phrase) for phrase in _spoken(_listed(row.phrases, ";"), read.verbs)
                )
            ),
            targets=tuple(target for target in _listed(row.targets, None) if usable_target(target)),
            weight=read.weight if row.weight is None else row.weight,
            source=source,
            languages=frozenset(row.languages or read.languages),
        )
        for name, row in read.classes.items()
    )


def project_classes(path: Path) -> tuple[EquivalenceClass, ...]:
    """Read a project's own classes; none when there is no such file."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"The class file {path} cannot be read: {error}. Mend or remove it.") from error
    return read_classes({"weight": 1.0, **table}, "project", str(path))


def shipped_classes(layer: str, languages: frozenset[str] | None = None) -> tuple[EquivalenceClass, ...]:
    """Return the classes of a shipped layer: of all its files, or of those that speak of one of these languages."""
    rows: list[EquivalenceClass] = []
    for name, spoken in _shipped_files(layer).items():
        if languages is None or not spoken or spoken & languages:
            rows += _shipped_file(layer, name)
    return tuple(rows)


@cache
def _shipped_files(layer: str) -> dict[str, frozenset[str]]:
    """Return the files of a layer with the languages that stand in their head, without reading them whole."""
    folder = files("recollect.retrieve").joinpath("vocabulary", layer)
    found = {}
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".toml"):
            head = entry.read_text(encoding="utf-8").partition("[classes")[0]
            found[entry.name] = frozenset(tomllib.loads(head).get("languages", ()))
    return found


@cache
def _shipped_file(layer: str, name: str) -> tuple[EquivalenceClass, ...]:
    text = files("recollect.retrieve").joinpath("vocabulary", layer, name).read_text(encoding="utf-8")
    return read_classes(tomllib.loads(text), layer, name)


def usable_target(target: str) -> bool:
    """Say whether a name is telling enough to be looked up."""
    return len(target) >= SHORTEST_TARGET and target.lower() not in GENERIC_TARGETS


def match_classes(words: Sequence[str], classes: Iterable[EquivalenceClass]) -> tuple[Match, ...]:
    """Return the classes whose phrases stand in a text as whole words, the heaviest first."""
    text = tuple(words)
    starts: dict[str, list[int]] = {}
    for place, word in enumerate(text):
        starts.setdefault(word, []).append(place)
    found = []
    for row in classes:
        phrases = _maximal(text, starts, row.phrases)
        if phrases:
            found.append(Match(row, phrases))
    return tuple(
        sorted(found, key=lambda match: (-match.matched.weight, -_length(match), match.matched.concept))
    )


def for_languages(
    classes: Iterable[EquivalenceClass], languages: frozenset[str]
) -> tuple[EquivalenceClass, ...]:
    """Return the classes that speak of one of these languages, or of all."""
    return tuple(row for row in classes if not row.languages or row.languages & languages)


def lighter(row: EquivalenceClass, weight: float) -> EquivalenceClass:
    """Return a class with another weight."""
    return replace(row, weight=weight)


def _listed(said: str | list[str], separator: str | None) -> list[str]:
    words = said.split(separator) if isinstance(said, str) else said
    return [" ".join(word.split()) for word in words if word.strip()]


def _spoken(phrases: Iterable[str], verbs: Iterable[str]) -> list[str]:
    plain = list(phrases)
    return plain + [f"{verb} {phrase}" for phrase in plain for verb in verbs]


def _length(match: Match) -> int:
    return sum(len(phrase) for phrase in match.phrases)


def _maximal(
    text: tuple[str, ...], starts: Mapping[str, list[int]], phrases: Iterable[tuple[str, ...]]
) -> tuple[tuple[str, ...], ...]:
    """Return the phrases that stand in the text, the longest first, none of them over another."""
    taken: set[int] = set()
    kept: list[tuple[str, ...]] = []
    present = [phrase for phrase in phrases if phrase and phrase[0] in starts]
    for phrase in sorted(present, key=lambda phrase: (-len(phrase), phrase)):
        for start in starts[phrase[0]]:
            span = range(start, start + len(phrase))
            if text[start : start + len(phrase)] == phrase and taken.isdisjoint(span):
                taken.update(span)
                kept.append(phrase)
                break
    return tuple(kept)
