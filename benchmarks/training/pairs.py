"""Collects what public repositories say of their own code: pairs of a text and the code that it is about.

    .venv/bin/python benchmarks/training/pairs.py --mirrors FOLDER --into FOLDER OWNER+NAME...

Each line of FOLDER/OWNER+NAME.tsv is kind, text, title and code, all as words. The kinds: doc (documentation comment,
symbol), comment (comment, the function around it), name (name, body without it), commit (message, the lines before the
change), section (documentation, a symbol that it names), test (name of a test, a symbol that it calls), head (comment
at the top, file), heading (title, prose under it). Nothing is copied verbatim into what is shipped.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from recollect.facts import FileFacts, Symbol
from recollect.models.wording import words
from recollect.parse import languages, parse
from recollect.source.classify import reason_by_content, reason_by_path
from recollect.source.languages import language_of
from recollect.types import CALLABLE_KINDS, TYPE_KINDS

MOST_FILES, MOST_BYTES, MOST_PROSE, MOST_COMMITS = 450, 4_000_000, 60, 700
LONGEST_TEXT, LONGEST_CODE = 40, 220
_MARKS = re.compile(r"^[\s/*#;!\-\"'|<>{}%=.]+|[\s*/\"'\-=}]+$")
_INLINE = re.compile(r"^\s*(?://+|#+|--+|;+|\*)\s+(\S.*)$")
_TAG = re.compile(
    r"^\s*(?:[@\\:]\w+|Args?:|Arguments:|Parameters|Returns?:|Raises:|Examples?:|#+ |```|>>>|\|)"
)
_LEGAL = re.compile(r"copyright|licen[sc]e|spdx|warrant|all rights", re.I)
_CODE_NAME = re.compile(r"`+[^`\n]*?([A-Za-z_]\w{3,})(?:\(\))?`+")
_TRAILER = re.compile(r"^(?:[A-Z][\w-]+: |\(cherry picked|Merge|---|#)", re.M)


class Pair(NamedTuple):
    kind: str
    text: Sequence[str]
    title: Sequence[str]
    code: Sequence[str]

    def line(self) -> str:
        return "\t".join((self.kind, *(" ".join(part) for part in self[1:])))


class Read(NamedTuple):
    path: str
    text: bytes
    facts: FileFacts


def collect(repository: Path, seed: str) -> Iterator[Pair]:
    files = list(_files(repository, random.Random(seed)))
    defined: dict[str, list[tuple[Read, Symbol]]] = defaultdict(list)
    for file in files:
        for symbol in file.facts.symbols:
            if symbol.kind in CALLABLE_KINDS | TYPE_KINDS and not symbol.test:
                defined[symbol.name].append((file, symbol))
    for file in files:
        if file.facts.language in _prose():
            yield from _of_prose(file, defined)
        else:
            yield from _of_code(file)
            yield from _of_tests(file, defined)
    yield from _of_commits(repository)


def _prose() -> frozenset[str]:
    return frozenset({"markdown", "rst", "asciidoc", "text"})


def _files(repository: Path, rng: random.Random) -> Iterator[Read]:
    told = _git(repository, "ls-tree", "-r", "-l", "HEAD").decode("utf-8", "replace").splitlines()
    rows = [
        (line.split()[2], int(line.split()[3]), line.partition("\t")[2])
        for line in told
        if " blob " in line and line.split()[3].isdigit()
    ]
    known = languages()
    code = [row for row in rows if language_of(row[2]) in known and 200 < row[1] < 150_000]
    prose = [row for row in rows if language_of(row[2]) in {"markdown", "rst"} and 500 < row[1] < 100_000]
    taken, total = [], 0
    for row in rng.sample(code, len(code)):
        if len(taken) < MOST_FILES and total < MOST_BYTES and not reason_by_path(row[2], row[1]):
            taken.append(row)
            total += row[1]
    taken += rng.sample(prose, min(MOST_PROSE, len(prose)))
    asked = "\n".join(row[0] for row in taken).encode()
    answer = subprocess.run(
        ["git", "-C", str(repository), "cat-file", "--batch"], input=asked, capture_output=True, check=True
    ).stdout
    at = 0
    for _, _, path in taken:
        end = answer.index(b"\n", at)
        size = int(answer[at:end].split()[2])
        text = answer[end + 1 : end + 1 + size]
        at = end + 2 + size
        if reason_by_content(path, text):
            continue
        text = text.decode("utf-8", "replace").encode()
        facts = parse(path, language_of(path, text), text)
        if not facts.generated:
            yield Read(path, text, facts)


def _of_code(file: Read) -> Iterator[Pair]:
    place = words(file.path)[-5:]
    head = _header(file)
    if len(head) >= 5:
        names = [word for symbol in file.facts.symbols for word in words(symbol.name)]
        body = words(file.text.decode("utf-8", "replace"))
        yield Pair("head", head[:LONGEST_TEXT], place, (names + body[len(head) :])[:LONGEST_CODE])
    for symbol in file.facts.symbols:
        if symbol.kind not in CALLABLE_KINDS | TYPE_KINDS:
            continue
        lines = _body(file, symbol)
        code = words("\n".join(lines))[:LONGEST_CODE]
        title = [*place, *words(symbol.qualified)]
        if len(code) < 8:
            continue
        text = _said(symbol.doc)
        if len(text) >= 4:
            yield Pair("doc", text[:LONGEST_TEXT], title, code)
        own = words(symbol.name)
        if len(own) >= 2 and not symbol.test and symbol.kind in CALLABLE_KINDS:
            yield Pair("name", own, place, [word for word in code if word not in own])
        if symbol.kind in CALLABLE_KINDS:
            yield from _comments(lines, title)


def _comments(lines: Sequence[str], title: Sequence[str]) -> Iterator[Pair]:
    found, at = 0, 0
    while at < len(lines) and found < 3:
        start, said = at, []
        while at < len(lines) and (met := _INLINE.match(lines[at])):
            said.append(met[1])
            at += 1
        text = words(" ".join(said))
        if len(text) >= 5 and sum(mark in "();={}" for mark in " ".join(said)) < 3:
            code = words("\n".join([*lines[at : at + 12], *lines[max(0, start - 4) : start]]))
            if len(code) >= 8:
                found += 1
                yield Pair("comment", text[:LONGEST_TEXT], title, code[:LONGEST_CODE])
        at += not said


def _of_tests(file: Read, defined: dict[str, list[tuple[Read, Symbol]]]) -> Iterator[Pair]:
    symbols = file.facts.symbols
    seen: dict[int, int] = defaultdict(int)
    for reference in file.facts.references:
        if reference.kind != "call" or reference.symbol < 0 or not symbols[reference.symbol].test:
            continue
        text = [
            word for word in words(symbols[reference.symbol].name) if word not in {"test", "should", "it"}
        ]
        where = defined.get(reference.name, ())
        if len(text) >= 2 and 1 <= len(where) <= 2 and seen[reference.symbol] < 2:
            seen[reference.symbol] += 1
            yield _about("test", text, *where[0])


def _of_prose(file: Read, defined: dict[str, list[tuple[Read, Symbol]]]) -> Iterator[Pair]:
    for symbol in file.facts.symbols:
        text = file.text[symbol.start_byte : symbol.end_byte].decode("utf-8", "replace")
        own, prose = words(symbol.name), words(re.sub(r"```.*?```", " ", text, flags=re.S))
        if len(own) >= 2 and len(prose) >= 25:
            yield Pair("heading", own, words(file.path)[-3:], prose[len(own) :][:LONGEST_CODE])
        for name in list(dict.fromkeys(_CODE_NAME.findall(text)))[:4]:
            where = defined.get(name, ())
            if 1 <= len(where) <= 2 and len(prose) >= 6:
                at = text.index(name)
                near = words(text[max(0, text.rfind("\n\n", 0, at)) : at + 300])
                yield _about("section", own + near, *where[0])


def _of_commits(repository: Path) -> Iterator[Pair]:
    how = (
        "log",
        "--no-merges",
        f"-n{MOST_COMMITS}",
        "-p",
        "-U6",
        "--no-color",
        "--no-ext-diff",
        "-M",
        "--format=%x01%B%x02",
    )
    told = _git(repository, *how).decode("utf-8", "replace")
    known = languages()
    for commit in told.split("\x01")[1:]:
        message, _, changes = commit.partition("\x02")
        subject, _, rest = message.strip().partition("\n")
        text = words(subject) + words(_TRAILER.split(rest)[0])[: LONGEST_TEXT // 2]
        parts = [part for part in changes.split("\ndiff --git ")[:9] if len(part) < 60_000]
        parts = [part for part in parts if language_of(_old_path(part)) in known]
        if len(words(subject)) < 3 or not 1 <= len(parts) <= 6:
            continue
        for part in parts[:3]:
            lines = [line[1:] for line in part.split("\n") if line[:1] in " -" and line[:4] != "--- "]
            hunks = re.findall(r"^@@ [^@]*@@ ?(.*)$", part, re.M)
            code = words("\n".join(lines))[:LONGEST_CODE]
            if len(code) >= 15:
                yield Pair(
                    "commit",
                    text[:LONGEST_TEXT],
                    words(_old_path(part))[-5:] + words(" ".join(hunks[:2])),
                    code,
                )


def _old_path(part: str) -> str:
    found = re.search(r"^--- a/(.+)$", part, re.M)
    return found[1] if found else ""


def _about(kind: str, text: Sequence[str], file: Read, symbol: Symbol) -> Pair:
    title = [*words(file.path)[-5:], *words(symbol.qualified)]
    return Pair(kind, text[:LONGEST_TEXT], title, words("\n".join(_body(file, symbol)))[:LONGEST_CODE])


def _body(file: Read, symbol: Symbol) -> list[str]:
    """Return the lines of a symbol without those of its documentation."""
    lines = (
        file.text[symbol.start_byte : min(symbol.end_byte, symbol.start_byte + 6000)]
        .decode("utf-8", "replace")
        .split("\n")
    )
    if not symbol.doc:
        return lines
    return [line for line in lines if len(bare := _MARKS.sub("", line)) < 4 or bare not in symbol.doc]


def _said(doc: str) -> list[str]:
    """Return the words of the first paragraphs of a documentation comment, without what describes parameters."""
    kept: list[str] = []
    for line in doc.split("\n"):
        if _TAG.match(line):
            break
        kept.append(line)
    text = " ".join(kept)
    return [] if _LEGAL.search(text) else words(text)


def _header(file: Read) -> list[str]:
    lines = file.text[:3000].decode("utf-8", "replace").split("\n")
    said = []
    for line in lines[:40]:
        if not line.strip() and said:
            break
        if line.strip() and not re.match(r"\s*(?://|#|--|/?\*|\"\"\"|\{-|%|;|\w[^(=;{]*[.\w]$)", line):
            break
        said.append(_MARKS.sub("", line))
    text = " ".join(said)
    return [] if _LEGAL.search(text) or "!/" in text else words(text)


def _git(repository: Path, *arguments: str) -> bytes:
    """Return what git prints; some mirrors lack old blobs, and then what was printed before counts."""
    return subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=False).stdout


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("repositories", nargs="+")
    chosen = parser.parse_args()
    for name in chosen.repositories:
        target = chosen.into / f"{name}.tsv"
        if target.exists():
            continue
        lines = [pair.line() for pair in collect(chosen.mirrors / name / "repo", name)]
        target.write_text("\n".join(dict.fromkeys(lines)) + "\n", encoding="utf-8")
        print(name, len(lines), flush=True)


if __name__ == "__main__":
    main()
