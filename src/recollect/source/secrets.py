"""Finds keys, tokens and passwords in text and blots them out without moving a single byte."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from fnmatch import translate
from functools import lru_cache
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recollect.source.anchors import AnchorIndex
from recollect.source.cluster import secret_values
from recollect.source.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DEFAULT_CONFIDENCE = 0.5
"""Findings below it are left alone."""

_UUID = re.compile(rb"\{?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?")
_PATH_OR_NAME = re.compile(
    rb"(?:[a-z]+://|[./~]?/?)?(?:[A-Za-z_][A-Za-z_.-]*/)*[A-Za-z_][A-Za-z_.:-]*|\d+(?:\.\d+)*|(?:~|\.{1,2})?/[\w.-]+/.*"
    rb"|(?:[A-Za-z]+\d{0,3}|\d{1,12})(?:[-_./:](?:[A-Za-z]+\d{0,3}|\d{1,12}))+"
)
_ASSIGNMENT = re.compile(rb"[ \t]*(?:#[ \t]*)?(?:export[ \t]+)?[\w./:@-]*?[\w\]-][ \t]*[=:][ \t]*")
_ENVIRONMENT_LINE = re.compile(rb"[ \t]*(?:export[ \t]+|ENV[ \t]+|-[ \t]+)?[A-Z][A-Z0-9_]*=?$")
_JSON_VALUE = re.compile(rb'[:\[,]\s*"((?:[^"\\]|\\.)*)"(?!\s*:)')
_LOGIN = re.compile(rb"\b(?:password|passwd|account|login)[ \t\r\n]+(\S+)")
_PRINTED = re.compile(rb"[^\r\n]")


class Finding(NamedTuple):
    """A secret in a text: what kind it is and where, never what it is."""

    rule: str
    start: int
    """Byte offset."""
    end: int
    line: int
    """1-based."""
    confidence: float


class Redaction(NamedTuple):
    """A text of the same length and the same lines, with asterisks for secrets."""

    content: bytes
    findings: tuple[Finding, ...]


class Rule(NamedTuple):
    """How one kind of secret looks."""

    name: str
    pattern: re.Pattern[bytes]
    confidence: float
    bits: float
    mixed: bool
    words: bool
    settings: bool


class Tables(NamedTuple):
    """What the data file says, compiled."""

    anchors: AnchorIndex[Rule]
    placeholder: re.Pattern[bytes]
    defaults: frozenset[bytes]
    harmless_name: re.Pattern[bytes]
    settings_languages: frozenset[str]
    files: dict[str, re.Pattern[str]]


class _Span(NamedTuple):
    start: int
    end: int
    rule: str
    confidence: float


def redact(content: bytes, path: str = "", confidence: float = DEFAULT_CONFIDENCE) -> Redaction:
    """Replace secrets by asterisks of the same byte length; lines and all other bytes stay."""
    findings = find_secrets(content, path, confidence)
    if not findings:
        return Redaction(content, ())
    parts: list[bytes] = []
    end = 0
    for finding in findings:
        parts += (content[end : finding.start], _PRINTED.sub(b"*", content[finding.start : finding.end]))
        end = finding.end
    return Redaction(b"".join((*parts, content[end:])), findings)


def redact_text(
    text: str, path: str = "", confidence: float = DEFAULT_CONFIDENCE
) -> tuple[str, tuple[Finding, ...]]:
    """Do the same for a text; offsets count bytes of UTF-8."""
    content, findings = redact(text.encode("utf-8", "surrogatepass"), path, confidence)
    return (content.decode("utf-8", "surrogatepass") if findings else text), findings


def find_secrets(
    content: bytes, path: str = "", confidence: float = DEFAULT_CONFIDENCE
) -> tuple[Finding, ...]:
    """Return the secrets of a text in order, without overlaps."""
    spans = [*_file_spans(content, path), *_cluster_spans(content, path), *_rule_spans(content, path)]
    if not spans:
        return ()
    findings: list[Finding] = []
    line, counted, end = 1, 0, 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.confidence < confidence or span.end <= end:
            continue
        start = max(span.start, end)
        line, counted, end = line + content.count(b"\n", counted, start), start, span.end
        findings.append(Finding(span.rule, start, end, line, span.confidence))
    return tuple(findings)


@lru_cache(maxsize=1)
def tables() -> Tables:
    """Read the rules that come with recollect."""
    data = tomllib.loads(Path(__file__).with_name("secrets.toml").read_text(encoding="utf-8"))
    anchored: list[tuple[bytes, Rule]] = []
    for name, entry in data["rules"].items():
        pattern = re.compile(entry["pattern"].encode())
        flags = (entry.get("mixed", False), entry.get("words", False), entry.get("settings", False))
        rule = Rule(name, pattern, entry["confidence"], entry.get("random", 0.0), *flags)
        anchored += ((anchor.lower().encode(), rule) for anchor in entry["anchors"])
    holders = data["placeholders"]
    parts, words = ("|".join(map(re.escape, holders[key])) for key in ("parts", "words"))
    placeholder = rf"{parts}|(?<![a-z])(?:{words})(?![a-z])|^[<$%{{]|\$\{{|\{{\{{|%\(|(.)\1{{5}}"
    return Tables(
        AnchorIndex(anchored),
        re.compile(placeholder.encode(), re.IGNORECASE),
        frozenset(word.encode() for word in holders["defaults"]),
        re.compile("|".join(map(re.escape, holders["names"])).encode(), re.IGNORECASE),
        frozenset(data["settings"]["languages"]),
        {kind: re.compile("|".join(map(translate, names))) for kind, names in data["files"].items()},
    )


def _rule_spans(content: bytes, path: str) -> Iterator[_Span]:
    table = tables()
    settings: bool | None = None
    for start, rule in table.anchors.candidates(content):
        found = rule.pattern.match(content, start)
        if not found:
            continue
        if rule.settings:
            if settings is None:
                settings = not path or language_of(path, content[:256]) in table.settings_languages
            if not settings and not _is_environment_line(content, start):
                continue
        if _looks_secret(rule, found):
            yield _Span(*found.span("value"), rule.name, rule.confidence)


def _looks_secret(rule: Rule, found: re.Match[bytes]) -> bool:
    table = tables()
    value = found["value"]
    if rule.name == "private-key":
        return entropy(value) >= rule.bits
    if table.placeholder.search(value) or _UUID.fullmatch(value):
        return False
    if rule.words and (value.lower() in table.defaults or _PATH_OR_NAME.fullmatch(value)):
        return _is_password_in_address(rule, found)
    if rule.mixed and not (any(48 <= byte <= 57 for byte in value) and value.upper() != value.lower()):
        return False
    if "name" in rule.pattern.groupindex and table.harmless_name.search(found["name"]):
        return False
    return entropy(value) >= rule.bits


def _is_password_in_address(rule: Rule, found: re.Match[bytes]) -> bool:
    """A password of letters alone stands in many addresses; only short ones are taken for placeholders."""
    value = found["value"]
    return (
        rule.name == "connection-string" and value.lower() not in tables().defaults and entropy(value) >= 2.75
    )


def _is_environment_line(content: bytes, start: int) -> bool:
    line_start = content.rfind(b"\n", max(0, start - 200), start) + 1
    word = content[line_start : start + 4]
    return _ENVIRONMENT_LINE.fullmatch(word) is not None


def entropy(value: bytes) -> float:
    """Return the bits a byte that the distribution of a value's bytes has."""
    size = len(value)
    return -sum(count / size * log2(count / size) for count in Counter(value).values()) if size else 0.0


def _file_spans(content: bytes, path: str) -> Iterable[_Span]:
    name = path.rpartition("/")[2]
    if not name:
        return ()
    files = tables().files
    if files["except"].match(name):
        return ()
    if files["assignments"].match(name):
        return _assigned_values(content)
    if files["json"].match(name):
        return (
            _Span(*found.span(1), "credentials-file", 0.8)
            for found in _JSON_VALUE.finditer(content)
            if found[1]
        )
    if files["logins"].match(name):
        return (_Span(*found.span(1), "login-file", 0.9) for found in _LOGIN.finditer(content))
    return ()


def _cluster_spans(content: bytes, path: str) -> Iterator[_Span]:
    if path and not path.endswith((".yaml", ".yml", ".tpl")):
        return
    placeholder = tables().placeholder
    for start, end in secret_values(content):
        if not placeholder.search(content, start, end):
            yield _Span(start, end, "kubernetes-secret", 0.9)


def _assigned_values(content: bytes) -> Iterator[_Span]:
    """Give the value of each `key = value` line, and the whole of each line that continues one."""
    start = 0
    for line in content.splitlines(keepends=True):
        found = _ASSIGNMENT.match(line)
        text = line.strip()
        if text and not (text.startswith((b"#", b";", b"[")) and not found):
            value = start + (found.end() if found else 0)
            end = start + len(line.rstrip())
            if value < end:
                yield _Span(value, end, "environment-file", 0.9)
        start += len(line)
