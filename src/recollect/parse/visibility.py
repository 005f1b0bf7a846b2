"""Who may use a symbol, by the rule of its language."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from recollect.parse.matches import Matches
from recollect.parse.settings import Settings
from recollect.parse.text import Source

if TYPE_CHECKING:
    from recollect.parse.symbols import Draft, Outline

BASES = frozenset({"base.extends", "base.implements"})
ACCESS = frozenset({"private", "protected", "public"})
WORD = re.compile(r"[A-Za-z_]+(?:\([\w ]+\)|\[(?=[\w ]+\]))?")


def given_by_place(settings: Settings, source: Source, found: Outline, matches: Matches) -> None:
    """Tell each symbol what its section (`private:`) or the kind of its type says about who may use it."""
    if not settings.member_visibility:
        return
    sections: dict[int, list[tuple[int, str]]] = {}
    for captures in sorted(matches.sections, key=lambda row: row["section"][0].start_byte):
        node = captures["section"][0]
        words = WORD.findall(source.take(node.start_byte, node.end_byte))
        known = [settings.visibility_words[word] for word in words if word in settings.visibility_words]
        if known:
            sections.setdefault(id(found.container(node.start_byte)), []).append((node.start_byte, known[0]))
    for draft in found.drafts:
        above = draft.parent
        if above is None:
            continue
        kind = "parameter" if "member" in draft.captures else above.kind
        kind = kind or ("scope" if above.captures.keys() & BASES else "")
        rows = sections.get(id(above), [])
        at = bisect_right(rows, (draft.start, "")) - 1
        draft.access = (
            rows[at][1]
            if at >= 0
            else (settings.member_visibility.get(kind) or settings.member_visibility.get(draft.kind, ""))
        )


def visibility(settings: Settings, draft: Draft, signature: str, exporting: bool) -> str:
    """Return public, protected, internal or private; `exporting`: only exported names of this file are public."""
    rule, name, wrapped = settings.visibility, draft.name, draft.wrapped
    if name.startswith("#"):
        return "private"
    if rule == "underscore":
        return (
            "private"
            if name.startswith("_") and not (name.startswith("__") and name.endswith("__"))
            else "public"
        )
    if rule == "capital":
        return "public" if name[:1].isupper() else "internal"
    if rule == "sections" and draft.access:
        own = signature.partition(" ")[0]
        return settings.visibility_words[own] if own in ACCESS else draft.access
    if rule in {"words", "exports", "sections"}:
        for word in WORD.findall(_before(signature, name)):
            if word in settings.visibility_words:
                return settings.visibility_words[word]
        if draft.access:
            return draft.access
        if rule == "exports" and exporting and not wrapped.startswith("export"):
            return "internal"
        return settings.visibility_default
    return settings.visibility_default


def _before(signature: str, name: str) -> str:
    """Return what stands before a name, which may also be a part of another word (`i` in `private int i`)."""
    at = signature.find(name) if name else -1
    while at >= 0:
        end = at + len(name)
        inside = at > 0 and _in_word(signature[at - 1]) and _in_word(name[0])
        if not inside and not (end < len(signature) and _in_word(signature[end]) and _in_word(name[-1])):
            return signature[:at]
        at = signature.find(name, at + 1)
    return signature


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"
