"""Ignore rules with git's semantics: each ignore file is compiled once, and the last matching rule decides."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from recollect.source.wildcard import literal_prefix, wildcard_regex

IGNORE_FILES = (".gitignore", ".recollectignore")


class AlwaysIgnored(NamedTuple):
    """Names that are left out everywhere."""

    folders: frozenset[str]
    files: frozenset[str]
    markers: frozenset[str]
    """Files whose presence makes their folder a cache or a virtual environment."""


class Rule(NamedTuple):
    """One line of an ignore file; text is bytes seen as latin-1, as git compares bytes."""

    pattern: str
    negated: bool
    folders_only: bool
    by_name: bool


class RuleRun(NamedTuple):
    """Neighbouring rules of one sign, whose order does not matter."""

    negated: bool
    names: frozenset[str]
    folder_names: frozenset[str]
    suffixes: tuple[str, ...]
    by_name: re.Pattern[str] | None
    by_name_folder: re.Pattern[str] | None
    by_path: re.Pattern[str] | None
    by_path_folder: re.Pattern[str] | None


class RuleSet(NamedTuple):
    """The rules of one ignore file and the folder that they are relative to."""

    base: int
    """How many characters of a path stand before what the rules see."""
    runs: tuple[RuleRun, ...]
    """The last run of the file comes first."""


@lru_cache(maxsize=1)
def always_ignored() -> AlwaysIgnored:
    """Read the names that are left out everywhere."""
    data = tomllib.loads(Path(__file__).with_name("ignored.toml").read_text(encoding="utf-8"))
    return AlwaysIgnored(
        frozenset(data["folders"]), frozenset(data["files"]), frozenset(data["marker_files"])
    )


def read_rules(content: bytes) -> Iterator[Rule]:
    """Read the rules of an ignore file in their order."""
    for raw in content.removeprefix(b"\xef\xbb\xbf").decode("latin-1").split("\n"):
        if raw.startswith("#"):
            continue
        line = _without_trailing_spaces(raw.removesuffix("\r").partition("\0")[0])
        negated = line.startswith("!")
        line = line[negated:]
        folders_only = line.endswith("/")
        pattern = line.removesuffix("/")
        if pattern or folders_only:
            yield Rule(pattern, negated, folders_only, "/" not in pattern)


def compile_rules(content: bytes, base: int) -> RuleSet | None:
    """Compile an ignore file for paths of which `base` characters stand before its own folder."""
    runs = _compile_runs(content)
    return RuleSet(base, runs) if runs else None


def verdict(rule_sets: Sequence[RuleSet], path: str, name: str, folder: bool) -> bool | None:
    """Tell whether an entry is ignored (True), kept (False) or not named by any rule (None).

    Rule sets are asked from the last to the first; no folder above the entry may itself be ignored.
    """
    if not (path.isascii()):
        path = path.encode("utf-8", "surrogateescape").decode("latin-1")
        name = path.rpartition("/")[2]
    for base, runs in reversed(rule_sets):
        for run in runs:
            if _run_matches(run, path, name, base, folder):
                return not run.negated
    return None


def _run_matches(run: RuleRun, path: str, name: str, base: int, folder: bool) -> bool:
    if name in run.names or (run.suffixes and name.endswith(run.suffixes)):
        return True
    if (run.by_name and run.by_name.fullmatch(name)) or (run.by_path and run.by_path.fullmatch(path, base)):
        return True
    return folder and (
        name in run.folder_names
        or bool(run.by_name_folder and run.by_name_folder.fullmatch(name))
        or bool(run.by_path_folder and run.by_path_folder.fullmatch(path, base))
    )


def _without_trailing_spaces(line: str) -> str:
    end = position = 0
    while position < len(line):
        if line[position] == "\\":
            position += 1
            if position == len(line):
                return line
            end = position + 1
        elif line[position] != " ":
            end = position + 1
        position += 1
    return line[:end]


@lru_cache(maxsize=4096)
def _compile_runs(content: bytes) -> tuple[RuleRun, ...]:
    runs = [
        _compile_run(negated, tuple(rules))
        for negated, rules in groupby(read_rules(content), lambda rule: rule.negated)
    ]
    return tuple(reversed(runs))


def _compile_run(negated: bool, rules: tuple[Rule, ...]) -> RuleRun:
    names: set[str] = set()
    folder_names: set[str] = set()
    suffixes: set[str] = set()
    regexes: dict[tuple[bool, bool], list[str]] = {}
    for pattern, _, folders_only, by_name in rules:
        if by_name and literal_prefix(pattern) == len(pattern):
            (folder_names if folders_only else names).add(pattern)
        elif (
            by_name
            and not folders_only
            and pattern[0] == "*"
            and literal_prefix(pattern[1:]) == len(pattern) - 1
        ):
            suffixes.add(pattern[1:])
        else:
            regex = wildcard_regex(pattern, by_name)
            if regex is not None:
                regexes.setdefault((by_name, folders_only), []).append(regex)
    return RuleRun(
        negated,
        frozenset(names),
        frozenset(folder_names),
        tuple(sorted(suffixes)),
        _any_of(regexes.get((True, False))),
        _any_of(regexes.get((True, True))),
        _any_of(regexes.get((False, False))),
        _any_of(regexes.get((False, True))),
    )


def _any_of(regexes: list[str] | None) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{regex})" for regex in regexes), re.DOTALL) if regexes else None
