"""Makes a data set of a repository's own history: later commits are asked of the code as it was before them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from recollect import plugins
from recollect.bench import history
from recollect.bench.checkout import git
from recollect.errors import NotFoundError, UsageError
from recollect.ports import Parser
from recollect.source.git import run_git
from recollect.source.languages import language_of
from recollect.types import Progress

LIMIT = 50
MOST_FILES = 8
"""A commit that changes more is a sweep, and its message says little about each file."""
SCANNED = 40
"""How many commits are looked at for each one that is wanted, before giving up."""
_PROSE = frozenset({"section"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which commits are asked, of which snapshots."""

    since: str = ""
    """The snapshot; empty for the one that leaves `limit` questions after it."""
    limit: int = LIMIT
    each: bool = False
    """One snapshot for each commit, its parent, instead of one for all."""
    body: bool = False
    """Ask the whole message, not only its first line."""
    tests: bool = False
    """Count changed test files as answers too."""
    name: str = ""
    """What the data set is called; empty for replay-REPOSITORY."""


class Source(NamedTuple):
    """What the parser says of one version of a file."""

    spans: tuple[tuple[int, int, str], ...]
    """First line, last line and qualified name of every symbol."""
    test: bool


class Asked(NamedTuple):
    """A commit that became a question."""

    commit: history.Commit
    snapshot: str
    paths: tuple[str, ...]
    symbols: tuple[tuple[str, str], ...]
    """Path and qualified name."""


def build(
    repositories: Path | Sequence[Path],
    into: Path,
    wanted: Wanted,
    progress: Callable[[Progress], None] | None = None,
) -> int:
    """Write a data set of the later commits of one or more repositories and return how many questions it has."""
    _refuse_foreign(into)
    folders = [repositories] if isinstance(repositories, Path) else repositories
    tops = dict.fromkeys(map(_top, folders))
    asked = {top: list(_questions(top, wanted, progress)) for top in tops}
    for top, some in asked.items():
        if not some:
            raise NotFoundError(
                f"No commit of {top} after {wanted.since or 'the snapshot'} changes source files that were there "
                "before; give an older --since."
            )
    write(asked, into, wanted)
    return sum(map(len, asked.values()))


def _top(folder: Path) -> Path:
    top = run_git(folder, "rev-parse", "--show-toplevel")
    if not top:
        raise UsageError(f"{folder} is not in a git repository; name one with --path.")
    if not run_git(folder, "rev-parse", "--verify", "HEAD~1"):
        shallow = (run_git(folder, "rev-parse", "--is-shallow-repository") or "").strip() == "true"
        cure = f"fetch it with: git -C {folder} fetch --unshallow" if shallow else "commit more first."
        raise UsageError(f"{folder} has no history to replay; {cure}")
    return Path(top.strip())


def write(asked: Mapping[Path, Sequence[Asked]], into: Path, wanted: Wanted) -> None:
    """Write repos.json, queries.jsonl and the note that it is a replay."""
    into.mkdir(parents=True, exist_ok=True)
    specs: dict[str, dict[str, str]] = {}
    bases: set[str] = set()
    known: set[str] = set()
    rows = []
    for top, some in asked.items():
        base = top.name if top.name not in bases else f"{top.name}-{len(bases)}"
        bases.add(base)
        for one in some:
            name = f"{base}-{one.snapshot[:10]}" if wanted.each else base
            specs[name] = {
                "name": name,
                "url": history.address(top),
                "revision": one.snapshot,
                "path": str(top),
            }
            row = _row(name, one, wanted)
            if row["query_id"] in known:
                # Two clones of one repository ask the same commits.
                row["query_id"] = f"{base}-{row['query_id']}"
            known.add(row["query_id"])
            rows.append(row)
    called = next(iter(asked)).name if len(asked) == 1 else "all"
    _dump(into / "dataset.json", {"kind": "replay", "name": wanted.name or f"replay-{called}"})
    _dump(into / "repos.json", list(specs.values()))
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (into / "queries.jsonl").write_text(lines, encoding="utf-8")


def _refuse_foreign(into: Path) -> None:
    """Refuse a folder whose questions were not made by a replay: they would be overwritten."""
    mark = into / "dataset.json"
    theirs = [name for name in ("queries.jsonl", "repos.json") if (into / name).exists()]
    if theirs and not (mark.is_file() and b'"replay"' in mark.read_bytes()):
        raise UsageError(
            f"{into} holds {' and '.join(theirs)} that no replay made and that would be overwritten; name a new folder."
        )


def _row(name: str, one: Asked, wanted: Wanted) -> dict[str, Any]:
    message = f"{one.commit.subject}\n{one.commit.body}" if wanted.body else one.commit.subject
    targets: list[dict[str, Any]] = [{"path": path} for path in one.paths]
    targets += [{"path": path, "symbol": symbol} for path, symbol in one.symbols]
    return {
        "query_id": one.commit.id[:12],
        "repo": name,
        "text": history.clean(message),
        "stratum": "one file" if len(one.paths) == 1 else "several files",
        "targets": targets,
    }


def _questions(top: Path, wanted: Wanted, progress: Callable[[Progress], None] | None) -> Iterator[Asked]:
    snapshot = _snapshot(top, wanted)
    found = 0
    for number, commit in enumerate(history.later_commits(top, snapshot), start=1):
        if found >= wanted.limit or number > SCANNED * wanted.limit:
            return
        base = commit.parent if wanted.each else snapshot
        asked = _ask(top, commit, base, wanted)
        if asked:
            found += 1
            yield asked
        if progress:
            progress(Progress("Reading history", found, wanted.limit, commit.id[:10]))


def _snapshot(top: Path, wanted: Wanted) -> str:
    """Return the commit whose code is asked; without a wish, one after which there are enough commits."""
    if wanted.since:
        return history.resolve(top, wanted.since)
    last = None
    kept = 0
    for number, commit in enumerate(history.later_commits(top), start=1):
        last = commit
        kept += _may_count(top, commit)
        if kept >= wanted.limit or number >= SCANNED * wanted.limit:
            break
    if last is None:
        raise NotFoundError(f"{top} has no commit that says what it changes; there is nothing to replay.")
    return history.snapshot_before(top, last)


def _may_count(top: Path, commit: history.Commit) -> bool:
    """Tell by names alone whether a commit changes a few source files."""
    listing = git(
        top,
        "diff-tree",
        "-r",
        "-z",
        "--no-renames",
        "--diff-filter=M",
        "--name-only",
        commit.parent,
        commit.id,
    )
    return 1 <= sum(history.is_source(name) for name in listing.split("\0") if name) <= MOST_FILES


def _ask(top: Path, commit: history.Commit, snapshot: str, wanted: Wanted) -> Asked | None:
    paths: list[str] = []
    symbols: list[tuple[str, str]] = []
    known = _files_at(top, snapshot)
    for path, hunks in history.changed_lines(top, commit).items():
        if path not in known or not history.is_source(path):
            continue
        there = _read(top, snapshot, path)
        if there.test and not wanted.tests:
            continue
        paths.append(path)
        names = {name for *_, name in there.spans}
        changed = _names_of(_read(top, commit.parent, path), hunks)
        symbols += [(path, name) for name in changed if name in names]
    return Asked(commit, snapshot, tuple(paths), tuple(symbols)) if 1 <= len(paths) <= MOST_FILES else None


def _names_of(source: Source, hunks: Iterable[history.Hunk]) -> list[str]:
    """Return the innermost symbols that the hunks touch, in the order of the file."""
    found: dict[str, None] = {}
    for hunk in hunks:
        insides = [_innermost(source, line) for line in hunk.lines]
        # An insertion belongs to a symbol only when the lines on both sides of it do.
        names = insides if hunk.count else insides[:1] if insides[0] == insides[1] else []
        found |= dict.fromkeys(name for name in names if name)
    return list(found)


def _innermost(source: Source, line: int) -> str:
    around = [(last - first, name) for first, last, name in source.spans if first <= line <= last]
    return min(around)[1] if around else ""


@lru_cache(maxsize=64)
def _files_at(top: Path, commit: str) -> frozenset[str]:
    return history.files_at(top, commit)


@lru_cache(maxsize=4096)
def _read(top: Path, commit: str, path: str) -> Source:
    command = ["git", "-C", str(top), "cat-file", "blob", f"{commit}:{path}"]
    done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode or b"\0" in done.stdout[:8192]:
        return Source((), test=False)
    facts = _parser().parse(path, language_of(path, done.stdout), done.stdout)
    symbols = [symbol for symbol in facts.symbols if symbol.kind not in _PROSE]
    spans = tuple((symbol.start_line, symbol.end_line, symbol.qualified) for symbol in symbols)
    return Source(spans, test=facts.test)


@lru_cache(maxsize=1)
def _parser() -> Parser:
    parser: Parser = plugins.load("parsers", "default")()
    return parser


def _dump(file: Path, value: Mapping[str, Any] | list[Any]) -> None:
    file.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
