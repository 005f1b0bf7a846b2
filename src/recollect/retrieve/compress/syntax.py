"""What the compressor knows of a language, read from data and compiled once."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Blocks = Literal["indent", "braces", "layout", "words", "lines"]
KEPT = ("signature", "exit", "assert", "control", "marked")
_BRACKETS = r"[(\[{}\])]"
_HEREDOC = r"<<[-~<]?[ ]?(?:['\"](?P<quoted>[A-Za-z_]\w*)['\"]|(?P<word>[A-Z_]\w*))"


@dataclass(frozen=True, slots=True)
class Syntax:
    """One language."""

    name: str
    tokens: re.Pattern[str]
    """Everything that a scan stops at; the groups say what it is."""
    ends: tuple[re.Pattern[str], ...]
    """By number of the group `open<n>`: what closes a comment or string of many lines."""
    blocks: Blocks
    words: re.Pattern[str]
    kept: re.Pattern[str]
    """Lines that are never removed."""
    kept_inside: re.Pattern[str]
    """The same without signatures."""
    docs: re.Pattern[str]
    comment: re.Pattern[str]
    """A line that is a comment and nothing else."""
    imports: re.Pattern[str]
    import_names: re.Pattern[str]
    assignment: re.Pattern[str]
    log: re.Pattern[str]
    decorator: re.Pattern[str]
    placeholder: re.Pattern[str]
    continues: re.Pattern[str]
    continued: re.Pattern[str]
    deeper: bool
    """Whether what is indented further than a line that opens no block belongs to that line."""
    unfinished: re.Pattern[str]
    """A line with a word of a block that opens none yet."""
    hollow: re.Pattern[str]
    """A header that needs something below it."""
    filler: str
    mark: tuple[str, str]
    """What a remark of our own begins and ends with."""


@cache
def syntax_of(language: str) -> Syntax:
    """Return what is known of a language; of a programming language that is not known, what all have in common."""
    table = _table()
    name = language if language in table else ("text" if language in _PROSE else "code")
    return _compiled(name, _merged(table, name))


_PROSE = frozenset({"", "text", "markdown", "rst", "asciidoc", "csv"})


@cache
def _table() -> dict[str, Any]:
    text = files("recollect.retrieve").joinpath("compress", "languages.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _merged(table: dict[str, Any], name: str) -> dict[str, Any]:
    own = table[name]
    return {**(_merged(table, own["like"]) if "like" in own else {}), **own}


def _compiled(name: str, raw: dict[str, Any]) -> Syntax:
    pairs = [tuple(pair) for pair in (*raw["block"], *raw["long"])]
    escaped = {tuple(pair) for pair in raw["long"] if len(pair[1]) == 1 and pair[1] in "\"'`"}
    raw_strings = {("`", "`")} if name == "go" else {('@"', '"')}
    return Syntax(
        name=name,
        tokens=_tokens(raw, pairs),
        ends=tuple(_end(pair, pair in escaped - raw_strings) for pair in pairs),
        blocks=raw["blocks"],
        words=_words(raw["words"]),
        kept=_any(raw, KEPT),
        kept_inside=_any(raw, KEPT[1:]),
        docs=re.compile(raw["docs"]),
        comment=re.compile(rf"^\s*(?:{'|'.join(raw['line']) or '(?!)'})"),
        imports=re.compile(raw["import"]),
        import_names=re.compile(raw["import_names"]),
        assignment=re.compile(raw["assignment"]),
        log=re.compile(raw["log"]),
        decorator=re.compile(raw["decorator"]),
        placeholder=re.compile(raw["placeholder"]),
        continues=re.compile(raw["continues"]),
        continued=re.compile(raw["continued"]),
        deeper=raw["deeper"],
        unfinished=re.compile(raw["unfinished"]),
        hollow=re.compile(raw["hollow"]),
        filler=raw["filler"],
        mark=(raw["mark"][0], raw["mark"][1]),
    )


def _any(raw: dict[str, Any], keys: tuple[str, ...]) -> re.Pattern[str]:
    flags = re.IGNORECASE if raw["signature"].startswith("(?i)") else re.NOFLAG
    return re.compile("|".join(f"(?:{raw[key].removeprefix('(?i)')})" for key in keys), flags)


def _tokens(raw: dict[str, Any], pairs: list[tuple[str, ...]]) -> re.Pattern[str]:
    parts = [f"(?P<skip{at}>{skip})" for at, skip in enumerate(raw["skip"])]
    if raw["heredoc"]:
        parts.append(f"(?P<heredoc>{_HEREDOC})")
    order = sorted(range(len(pairs)), key=lambda at: -len(pairs[at][0]))
    parts += [f"(?P<open{at}>{re.escape(pairs[at][0])})" for at in order]
    if raw["line"]:
        parts.append(f"(?P<line>(?:{'|'.join(raw['line'])})[^\\n]*)")
    parts += [
        rf"(?P<short{at}>{quote}(?:\\.|[^{quote}\\\n])*{quote}?)" for at, quote in enumerate(raw["short"])
    ]
    if raw["brackets"]:
        parts.append(f"(?P<bracket>{_BRACKETS})")
    return re.compile("|".join(parts) or "(?!)")


def _end(pair: tuple[str, ...], escapes: bool) -> re.Pattern[str]:
    closing = re.escape(pair[1])
    return re.compile(rf"(?:\\.|[^\\])*?{closing}" if escapes else rf".*?{closing}", re.DOTALL)


def _words(words: list[str]) -> re.Pattern[str]:
    parts = [rf"(?<![\w.:@$]){word}(?![\w?!:])" if word.isalpha() else re.escape(word) for word in words]
    return re.compile("|".join(parts) or "(?!)")
