"""Translates the wildcards of git's ignore files into regular expressions, byte for byte as git reads them."""

from __future__ import annotations

import re
import string

_SPECIAL = frozenset("*?[\\")
_CLASSES = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "blank": " \t",
    "cntrl": "".join(map(chr, (*range(32), 127))),
    "digit": string.digits,
    "graph": "".join(map(chr, range(33, 127))),
    "lower": string.ascii_lowercase,
    "print": "".join(map(chr, range(32, 127))),
    "punct": string.punctuation,
    "space": " \t\n\r",
    "upper": string.ascii_uppercase,
    "xdigit": string.hexdigits,
}


def literal_prefix(pattern: str) -> int:
    """Return how many characters at the start of a pattern stand for themselves."""
    return next(
        (position for position, character in enumerate(pattern) if character in _SPECIAL), len(pattern)
    )


def wildcard_regex(pattern: str, by_name: bool) -> str | None:
    """Translate a pattern, to be matched against a name or a whole path; None when it can match nothing.

    git compares the literal prefix first and hands only the rest to its matcher, which then takes `**` behind
    the prefix for the start of a path: the translation keeps that.
    """
    if by_name:
        return _translate(pattern, paths=False)
    pattern = pattern.removeprefix("/")
    prefix = literal_prefix(pattern)
    rest = _translate(pattern[prefix:], paths=True)
    return None if rest is None else re.escape(pattern[:prefix]) + rest


def _translate(pattern: str, paths: bool) -> str | None:
    parts: list[str] = []
    position = 0
    while position < len(pattern):
        character = pattern[position]
        if character == "*":
            part, position = _stars(pattern, position, paths)
        elif character == "?":
            part, position = "[^/]" if paths else ".", position + 1
        elif character == "[":
            found = _bracket(pattern, position + 1, paths)
            if found is None:
                return None
            part, position = found
        else:
            position += character == "\\"
            if position == len(pattern):
                return None
            part, position = re.escape(pattern[position]), position + 1
        parts.append(part)
    return _joined(parts, ".*" if not paths else "[^/]*")


def _joined(parts: list[str], star: str) -> str:
    """Join parts so that of several stars only the last one tries more than its first match; it can stand for the rest.

    Where a part between them spans folders that does not hold, and all of them stay free.
    """
    pieces: list[list[str]] = [[]]
    for part in parts:
        if part == star:
            pieces.append([])
        else:
            pieces[-1].append(part)
    first, *inner = ["".join(piece) for piece in pieces]
    if not inner:
        return first
    spans = any(part.startswith(("(?:.*/)", ".*")) for piece in pieces for part in piece)
    opening, closing = (star, "") if spans else (f"(?>{star}?", ")")
    return first + "".join(f"{opening}{piece}{closing}" for piece in inner[:-1]) + star + inner[-1]


def _stars(pattern: str, start: int, paths: bool) -> tuple[str, int]:
    end = start
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    if not paths:
        return ".*", end
    whole_segments = end - start > 1 and (start == 0 or pattern[start - 1] == "/")
    if whole_segments and end == len(pattern):
        return ".*", end
    if whole_segments and pattern[end] == "/":
        return "(?:.*/)?", end + 1
    if whole_segments and pattern.startswith("\\/", end):
        return ".*", end
    return "[^/]*", end


def _bracket(pattern: str, position: int, paths: bool) -> tuple[str, int] | None:
    negated = pattern[position : position + 1] in {"!", "^"}
    position += negated
    members: set[str] = set()
    previous = ""
    first = True
    while first or pattern[position : position + 1] != "]":
        first = False
        step = _bracket_member(pattern, position, previous)
        if step is None:
            return None
        added, previous, position = step
        members |= added
    if negated:
        members = {chr(code) for code in range(256)} - members
    if paths:
        members.discard("/")
    text = "".join(f"\\x{ord(member):02x}" for member in sorted(members))
    return (f"[{text}]" if text else "(?!)"), position + 1


def _bracket_member(pattern: str, position: int, previous: str) -> tuple[set[str], str, int] | None:
    """Read one member: the characters it adds, what a following dash starts from, and where to go on."""
    if position >= len(pattern):
        return None
    character = pattern[position]
    following = pattern[position + 1 : position + 2]
    if character == "\\":
        return ({following}, following, position + 2) if following else None
    if character == "-" and previous and following and following != "]":
        position += 1
        if following == "\\":
            position += 1
            following = pattern[position : position + 1]
            if not following:
                return None
        return {chr(code) for code in range(ord(previous), ord(following) + 1)}, "", position + 1
    if character == "[" and following == ":":
        end = pattern.find("]", position + 2)
        if end < 0:
            return None
        if end - position - 3 < 0 or pattern[end - 1] != ":":
            return {"["}, "[", position + 1
        characters = _CLASSES.get(pattern[position + 2 : end - 1])
        return None if characters is None else (set(characters), "", end + 1)
    return {character}, character, position + 1
