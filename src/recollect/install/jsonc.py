"""Edits JSON as text: comments, order, indentation and trailing commas stay as they were."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_COMMENT = re.compile(r"[ \t]*(?://[^\n]*|/\*[^\n]*?\*/)")
_ATOM = re.compile(r"[^\s,\]}/]+")


@dataclass(frozen=True, slots=True)
class Member:
    """Where one member of an object stands in the text."""

    key: str
    start: int
    """Where its key begins."""
    value: int
    end: int
    """After its value."""
    comma: int
    """After the comma behind it, 0 when there is none."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where an object stands in the text, with its members."""

    start: int
    end: int
    members: tuple[Member, ...]

    def member(self, key: str) -> Member | None:
        """Return the member with a key; of several the last, as readers do."""
        return next((one for one in reversed(self.members) if one.key == key), None)


def read(text: str) -> Any:
    """Return what the text says; raise ValueError when it is no JSON, comments and trailing commas aside."""
    at = _skip(text, 0)
    value, end = _value(text, at)
    if _skip(text, end) != len(text):
        raise ValueError(f"something stands behind the end, at character {end}")
    return value


def root_of(text: str) -> Found:
    """Return the outermost object."""
    return object_at(text, _skip(text, 0))


def object_at(text: str, at: int) -> Found:
    """Return the object that begins there."""
    if text[at : at + 1] != "{":
        raise ValueError(f"an object was expected at character {at}")
    members: list[Member] = []
    here = _skip(text, at + 1)
    while text[here : here + 1] != "}":
        if members and not members[-1].comma:
            raise ValueError(f"a comma is missing at character {here}")
        key, after = _string(text, here)
        colon = _skip(text, after)
        if text[colon : colon + 1] != ":":
            raise ValueError(f"a colon is missing at character {colon}")
        value = _skip(text, colon + 1)
        end = _value(text, value)[1]
        comma = _skip(text, end)
        has = text[comma : comma + 1] == ","
        members.append(Member(key, here, value, end, comma + 1 if has else 0))
        here = _skip(text, comma + 1 if has else end)
    return Found(at, here + 1, tuple(members))


def list_at(text: str, at: int) -> Found:
    """Return the list that begins there, its entries as members without a key."""
    if text[at : at + 1] != "[":
        raise ValueError(f"a list was expected at character {at}")
    members: list[Member] = []
    here = _skip(text, at + 1)
    while text[here : here + 1] != "]":
        if members and not members[-1].comma:
            raise ValueError(f"a comma is missing at character {here}")
        end = _value(text, here)[1]
        comma = _skip(text, end)
        has = text[comma : comma + 1] == ","
        members.append(Member("", here, here, end, comma + 1 if has else 0))
        here = _skip(text, comma + 1 if has else end)
    return Found(at, here + 1, tuple(members))


def insertion(text: str, found: Found, key: str, value: Any) -> tuple[int, str]:
    """Return where a new last member goes and the text that makes it one; in a list it has no key."""
    step = _step(text)
    outer = _indent(text, found.start)
    inner = _indent(text, found.members[-1].start) if _own_line(text, found) else outer + step
    written = json.dumps(value, indent=step, ensure_ascii=False).replace("\n", f"\n{inner}")
    named = f"{json.dumps(key, ensure_ascii=False)}: " if text[found.start] == "{" else ""
    line = f"\n{inner}{named}{written}"
    if not found.members:
        return found.start + 1, f"{line}\n{outer}"
    last = found.members[-1]
    comment = _COMMENT.match(text, last.comma or last.end)
    if last.comma:
        return (comment.end() if comment else last.comma), f"{line},"
    # A comment behind the last member belongs to it, and only what goes first needs no comma before that comment.
    return (found.start + 1, f"{line},") if comment else (last.end, f",{line}")


def without(text: str, found: Found, member: Member) -> str:
    """Return the text without a member and the comma that it needed."""
    at = found.members.index(member)
    start = len(text[: member.start].rstrip(" \t"))
    start = len(text[:start].removesuffix("\n").removesuffix("\r"))
    rest = text[member.comma or member.end :]
    comma = found.members[at - 1].comma if at and not member.comma else 0
    return text[: comma - 1] + text[comma:start] + rest if comma else text[:start] + rest


def _step(text: str) -> str:
    indented = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return indented[1] if indented else "  "


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _own_line(text: str, found: Found) -> bool:
    """Tell whether the last member begins a line."""
    if not found.members:
        return False
    start = found.members[-1].start
    return not text[text.rfind("\n", 0, start) + 1 : start].strip()


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _string(text: str, at: int) -> tuple[str, int]:
    found = _STRING.match(text, at)
    if found is None:
        raise ValueError(f"a text in quotes was expected at character {at}")
    return str(json.loads(found[0])), found.end()


def _value(text: str, at: int) -> tuple[Any, int]:
    first = text[at : at + 1]
    if first == "{":
        found = object_at(text, at)
        return {one.key: _value(text, one.value)[0] for one in found.members}, found.end
    if first == "[":
        found = list_at(text, at)
        return [_value(text, one.value)[0] for one in found.members], found.end
    if first == '"':
        return _string(text, at)
    atom = _ATOM.match(text, at)
    if atom is None:
        raise ValueError(f"a value was expected at character {at}")
    return json.loads(atom[0]), atom.end()
