"""Secrets in a memory: those of any text, and those that people tell in a sentence, which no source file does."""

from __future__ import annotations

import re

from recollect.source.secrets import Finding, entropy, redact_text, tables

_TOLD = re.compile(
    r"\b(?:pass(?:word|phrase|wd|code)|pwd|pin[ _-]?code|token|secret|(?:api|access|secret|private|license)[ _-]?key|"
    r"passwor[td]|contraseña|mot de passe|kennwort)\b(?:\s+(?!is\b|was\b|to\b)[\w.@'-]+){0,5}?\s*"
    r"(?:\bis(?: now| still)?\b|\bwas\b|\bist\b|\bes\b|\best\b|:|=)\s*[:=]?\s*[\"'`“«]?(?P<value>[^\s\"'`”»]{8,200})",
    re.IGNORECASE,
)
_AROUND = ".,;:!?)]}>"
_NO_SECRET = re.compile(
    r"://|^[~./]|^[a-z]+\d*(?:[-_/.][a-z]+\d*)+$|^\w+\(|^\w*\d(?:[.:-]\d+)+\w*$|[=<>]=", re.IGNORECASE
)
"""Addresses, paths, names of several words, calls, versions and times."""
_RANDOM = 2.75
"""Bits a letter that what nobody can guess has at least."""


def blotted(text: str) -> tuple[str, tuple[Finding, ...]]:
    """Return a text with its secrets blotted out, and what they were; offsets count bytes of UTF-8."""
    plain, findings = redact_text(text)
    told = [span for span in (_span(found) for found in _TOLD.finditer(plain)) if span]
    for start, end in told:
        plain = plain[:start] + "*" * (end - start) + plain[end:]
        line = text.count("\n", 0, start) + 1
        first, last = (len(text[:at].encode("utf-8", "surrogatepass")) for at in (start, end))
        findings = (*findings, Finding("told-secret", first, last, line, 0.6))
    return plain, findings


def _span(found: re.Match[str]) -> tuple[int, int] | None:
    value = found["value"].rstrip(_AROUND)
    mixed = any(sign.isdigit() for sign in value) and any(sign.isalpha() for sign in value)
    if len(value) < 8 or not mixed or "*" in value or _NO_SECRET.search(value):
        return None
    content = value.encode("utf-8", "surrogatepass")
    if tables().placeholder.search(content) or entropy(content) < _RANDOM:
        return None
    return found.start("value"), found.start("value") + len(value)
