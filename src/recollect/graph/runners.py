"""Tests as the arguments of the programs that run them."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from recollect.errors import UsageError
from recollect.graph.choosing import ChosenTest
from recollect.types import PLACE_KINDS

_GO = re.compile(r"(Test|Benchmark|Example|Fuzz)([^a-z]|$)")


@dataclass(frozen=True, slots=True)
class Runner:
    """A program that runs tests."""

    name: str
    command: str
    form: str
    languages: tuple[str, ...]
    before: tuple[str, ...] = ()
    """Arguments that stand in front of all others."""
    file: str = ""
    mark: str = ""
    """A pattern that a file of this name has in it where the runner is used."""


@dataclass(frozen=True, slots=True)
class RunnerCall:
    """What one runner is to be given."""

    runner: str
    command: str
    arguments: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the call as plain values for JSON."""
        return asdict(self)


@cache
def runners() -> tuple[Runner, ...]:
    """Read the table of runners once."""
    text = files("recollect.graph").joinpath("runners.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["runner"]
    return tuple(msgspec.convert(row, Runner) for row in rows)


def calls(
    tests: Sequence[ChosenTest], text_of: Callable[[str], Iterable[str]], forced: str = ""
) -> tuple[tuple[RunnerCall, ...], tuple[str, ...]]:
    """Return what to give to each runner, and a sentence for tests that none is known for.

    `text_of` gives the texts of all files of a name; a forced runner takes the tests of its languages only.
    """
    chosen = _chosen({test.language for test in tests}, text_of, forced)
    by_runner: dict[Runner, list[ChosenTest]] = {}
    without: dict[str, int] = {}
    for test in tests:
        runner = chosen.get(test.language)
        if runner is None:
            without[test.language] = without.get(test.language, 0) + 1
        else:
            by_runner.setdefault(runner, []).append(test)
    found = tuple(
        RunnerCall(runner.name, runner.command, (*runner.before, *_FORMS[runner.form](rows)))
        for runner, rows in by_runner.items()
    )
    notes = tuple(
        f"No runner is known for {count} {language or 'other'} tests; --json lists them."
        for language, count in sorted(without.items())
    )
    return found, notes


def _chosen(
    languages: set[str], text_of: Callable[[str], Iterable[str]], forced: str
) -> Mapping[str, Runner]:
    if forced:
        named = [runner for runner in runners() if runner.name == forced]
        if not named:
            known = ", ".join(runner.name for runner in runners())
            raise UsageError(f"No runner is called '{forced}'; the runners are {known}.")
        return dict.fromkeys(named[0].languages, named[0])
    found = {}
    for language in languages:
        fitting = [runner for runner in runners() if language in runner.languages]
        used = [runner for runner in fitting if not runner.mark or _marked(runner, text_of)]
        if used:
            found[language] = used[0]
    return found


def _marked(runner: Runner, text_of: Callable[[str], Iterable[str]]) -> bool:
    return any(re.search(runner.mark, text) for text in text_of(runner.file))


def _nodes(tests: Sequence[ChosenTest]) -> list[str]:
    """Name tests as pytest does; what is no test itself stands for its file, and a conftest.py for its folder."""
    whole, single = [], []
    for test in tests:
        node = _node(test)
        if node:
            single.append(node)
        elif posixpath.basename(test.path) == "conftest.py":
            whole.append(posixpath.dirname(test.path) or ".")
        elif re.match(r"test_.*\.py$|.*_test\.py$", posixpath.basename(test.path)):
            whole.append(test.path)
    wide = sorted(set(whole))
    kept = [path for path in wide if not any(path != other and _under(path, other) for other in wide)]
    return [*kept, *dict.fromkeys(node for node in single if not any(_under(node, path) for path in kept))]


def _node(test: ChosenTest) -> str:
    if test.kind in PLACE_KINDS:
        return ""
    parts: list[str] = []
    for part in test.name.split("."):
        parts.append(part)
        if part.startswith("test"):
            return "::".join((test.path, *parts))
    is_class = test.kind == "class" and parts[-1].startswith("Test")
    return "::".join((test.path, *parts)) if is_class else ""


def _under(path: str, other: str) -> bool:
    """Tell whether a path or node lies in a folder, file or class."""
    return other in {".", path} or path.startswith((f"{other}/", f"{other}::"))


def _packages(tests: Sequence[ChosenTest]) -> list[str]:
    """Name packages and functions as `go test` does; a file or helper stands for all tests of its package."""
    folders = dict.fromkeys(f"./{posixpath.dirname(test.path)}".rstrip("/") or "." for test in tests)
    names = [test.name for test in tests if test.kind not in PLACE_KINDS and _GO.match(test.name)]
    if len(names) < len(tests):
        return list(folders)
    return [*folders, "-run", f"^({'|'.join(dict.fromkeys(names))})$"]


def _filters(tests: Sequence[ChosenTest]) -> list[str]:
    """Name tests as libtest filters; with a file or module among them all tests run."""
    if any(test.kind in PLACE_KINDS for test in tests):
        return []
    return ["--", *dict.fromkeys(test.name.rpartition(".")[2] for test in tests)]


def _paths(tests: Sequence[ChosenTest]) -> list[str]:
    return list(dict.fromkeys(test.path for test in tests))


_FORMS: Mapping[str, Callable[[Sequence[ChosenTest]], list[str]]] = {
    "nodes": _nodes,
    "packages": _packages,
    "filters": _filters,
    "paths": _paths,
}
