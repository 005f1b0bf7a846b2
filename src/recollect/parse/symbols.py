"""Symbols: what the @def captures say, put in order and into each other."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from tree_sitter import Node

from recollect.facts import Symbol
from recollect.parse.clauses import count_parameters, join_clauses
from recollect.parse.comments import document
from recollect.parse.grammars import Grammar
from recollect.parse.matches import Captures, Matches
from recollect.parse.naming import split_top
from recollect.parse.settings import Settings
from recollect.parse.text import SIGNATURE_LIMIT, Source, one_line, unquote
from recollect.parse.visibility import given_by_place, visibility
from recollect.types import CALLABLE_KINDS, TYPE_KINDS

Wraps = dict[int, tuple[int, int, int, str, bool]]
"""For what is wrapped: its start, to its end, its wrapper's span and type, and whether a decorator begins it."""
OWNING = TYPE_KINDS | {"module", "namespace"}
VALUES = frozenset({"variable", "field", "constant"})
BASE_WORDS = re.compile(r"^\s*(?:extends|implements|with|:|<(?!\w)|\()\s*")
WITH = re.compile(r"\s+with\s+")
BASE_NOISE = re.compile(r"^(?:public|protected|private|virtual|extends|implements|with)\s+")


@dataclass(slots=True)
class Draft:
    """A symbol, or a nameless scope, on its way to being one."""

    kind: str
    start: int
    end: int
    name: str
    name_start: int
    declared: int
    """Where the declaration itself begins, after decorators and wrappers."""
    captures: Captures
    pattern: int = 0
    instance: bool = False
    wrapped: str = ""
    parent: Draft | None = None
    owner: str = ""
    qualified: str = ""
    index: int = -1
    decorators: list[str] = field(default_factory=list)
    bases: list[str] = field(default_factory=list)
    test: bool = False
    joined: int = 0
    """Where the first of several joined clauses ends."""
    access: str = ""
    """The visibility that its place gives it: that of its section, or of all members of such a type."""


class Outline:
    """The symbols of a file in order, and which one encloses any byte."""

    def __init__(self, drafts: list[Draft], scopes: list[Draft]) -> None:
        self.drafts = drafts
        self.named: frozenset[int] = frozenset(draft.name_start for draft in drafts)
        """Where the names of all definitions begin, also of those that were joined to another."""
        self.borders: list[int] = [0]
        """Where the innermost symbol changes; `nearest` and `indexes` tell which it is from there on."""
        self._inside: list[Draft | None] = [None]
        self._nest(sorted([*drafts, *scopes], key=lambda d: (d.start, -d.end, d.kind != "")))
        for index, draft in enumerate(drafts):
            draft.index = index
        self.nearest = [_symbol_around(draft) for draft in self._inside]
        self.indexes = [-1 if draft is None else draft.index for draft in self.nearest]

    def _nest(self, drafts: list[Draft]) -> None:
        stack: list[Draft] = []
        for draft in drafts:
            while stack and stack[-1].end <= draft.start:
                self._leave(stack)
            draft.parent = stack[-1] if stack else None
            if stack and draft.kind != "field" and _in_type_of(draft, stack[-1]):
                draft.parent = stack[-1].parent
            if draft.instance:
                continue
            if (
                draft.kind in VALUES
                and stack
                and (stack[-1].start, stack[-1].end) == (draft.start, draft.end)
            ):
                draft.parent = stack[-1].parent
                continue
            self.borders.append(draft.start)
            self._inside.append(draft)
            stack.append(draft)
        while stack:
            self._leave(stack)

    def _leave(self, stack: list[Draft]) -> None:
        self.borders.append(stack.pop().end)
        self._inside.append(stack[-1] if stack else None)

    def around(self, offset: int) -> Draft | None:
        """Return the innermost symbol at a byte, passing over nameless scopes."""
        return self.nearest[bisect_right(self.borders, offset) - 1]

    def outermost(self, start: int, end: int) -> int:
        """Return the index of the one outermost symbol that touches a span, or -1 when there are none or several."""
        low = max(0, bisect_right(self.borders, start) - 1)
        seen: Draft | None = None
        while low < len(self.borders) and self.borders[low] < end:
            draft = self._inside[low]
            low += 1
            top = None
            while draft is not None:
                top = draft if draft.kind else top
                draft = draft.parent
            if top is None:
                continue
            if seen is not None and top is not seen:
                return -1
            seen = top
        return seen.index if seen is not None else -1

    def container(self, offset: int) -> Draft | None:
        """Return the innermost symbol or scope at a byte."""
        return self._inside[bisect_right(self.borders, offset) - 1]


def _symbol_around(draft: Draft | None) -> Draft | None:
    while draft is not None and not draft.kind:
        draft = draft.parent
    return draft


def outline(grammar: Grammar, source: Source, matches: Matches) -> Outline:
    """Order and nest what the query found, and give everything its qualified name."""
    before = _leading(grammar, source, matches)
    wraps = _wraps(source, matches)
    drafts: dict[int, Draft] = {}
    for kind, pattern, captures in matches.defs:
        draft = _draft(source, kind, captures, wraps, before)
        if not draft.name:
            continue
        draft.pattern = pattern
        known = drafts.get(draft.name_start)
        if known is None or pattern < known.pattern:
            drafts[draft.name_start] = draft
    scopes = [_scope(grammar, source, captures) for captures in matches.scopes]
    for captures in matches.imports:
        for node in (*captures.get("import.alias", ()), *captures.get("import.name", ())):
            drafts.pop(node.start_byte, None)
    ordered = sorted(drafts.values(), key=lambda d: (d.start, -d.end))
    found = Outline(ordered, scopes)
    whole = join_clauses(source, ordered) if grammar.settings.clauses else ordered
    joined = found.named - {draft.name_start for draft in whole}
    ordered = _drop_repeats(grammar, whole)
    if len(ordered) != len(found.drafts):
        found = Outline(ordered, scopes)
        found.named |= joined
    _qualify(grammar, source, found, scopes, matches)
    _inherit(grammar, source, found, matches)
    given_by_place(grammar.settings, source, found, matches)
    for captures in matches.documents:
        inside = found.around(captures["document"][0].start_byte)
        if inside is not None and "doc" not in inside.captures:
            inside.captures = {**inside.captures, "doc": captures["doc"]}
    return found


def finish(
    grammar: Grammar,
    source: Source,
    found: Outline,
    matches: Matches,
    shingles: dict[int, tuple[int, ...]],
    test: bool,
) -> tuple[Symbol, ...]:
    """Turn the drafts into symbols once references have added their decorators."""
    names = {
        source.take(c["name"][0].start_byte, c["name"][0].end_byte) for c in matches.exports if "name" in c
    }
    for draft in found.drafts:
        if draft.name in names and draft.parent is None:
            draft.wrapped = draft.wrapped if draft.wrapped.startswith("export") else "export"
    exported = any(draft.wrapped.startswith("export") for draft in found.drafts)
    return tuple(_symbol(grammar, source, draft, shingles, test, exported) for draft in found.drafts)


def _symbol(
    grammar: Grammar,
    source: Source,
    draft: Draft,
    shingles: dict[int, tuple[int, ...]],
    test: bool,
    exported: bool,
) -> Symbol:
    settings, captures = grammar.settings, draft.captures
    signature = _signature(settings, source, draft)
    if draft.kind == "method" and any(
        name.rpartition(".")[2] in settings.properties for name in draft.decorators
    ):
        draft.kind = "property"
    above = draft.parent
    while above is not None and not above.kind:
        above = above.parent
    draft.test = (
        test or (above is not None and above.test) or draft.kind == "test" or _is_test(grammar, draft)
    )
    returns = captures.get("returns")
    return Symbol(
        name=draft.name,
        qualified=draft.qualified,
        kind=draft.kind,
        start_line=source.line(draft.start),
        end_line=source.last_line(draft.start, draft.end),
        start_byte=draft.start,
        end_byte=draft.end,
        signature=signature,
        doc=_document(grammar, source, draft),
        parent=above.index if above is not None else -1,
        owner=draft.owner,
        visibility=visibility(settings, draft, signature, exported and above is None and not draft.owner),
        test=draft.test,
        decorators=tuple(dict.fromkeys(draft.decorators)),
        returns=grammar.naming.type(source.take(returns[0].start_byte, returns[-1].end_byte))
        if returns
        else "",
        bases=tuple(dict.fromkeys(draft.bases)),
        shingles=shingles.get(draft.index, ()),
        parameters=count_parameters(source, captures),
    )


def _document(grammar: Grammar, source: Source, draft: Draft) -> str:
    if draft.instance:
        return ""
    doc = document(grammar.settings, source, draft.start, draft.captures)
    if doc or draft.start == draft.declared or grammar.settings.docs != "above":
        return doc
    return document(grammar.settings, source, draft.declared, draft.captures)


def _leading(grammar: Grammar, source: Source, matches: Matches) -> dict[int, tuple[int, list[Node]]]:
    """Where a decorator ends just before something: that something's start, to the decorator's start and its text."""
    before: dict[int, tuple[int, list[Node]]] = {}
    marks = "|".join(re.escape(mark) for mark in grammar.settings.line_comments)
    space = re.compile(rf"(?:\s+|(?:{marks})[^\n]*\n)*".encode() if marks else rb"\s*")
    for kind, captures in matches.named:
        if kind == "decorate":
            node = captures["ref.decorate"][0]
            found = space.match(source.content, node.end_byte)
            before[found.end() if found else node.end_byte] = (node.start_byte, captures.get("doc", []))
    return before


def _wraps(source: Source, matches: Matches) -> Wraps:
    wraps: Wraps = {}
    for captures in matches.wraps:
        node, inner = captures["wrap"][0], captures["wrapped"][0]
        decorated = source.content[node.start_byte : node.start_byte + 1] == b"@"
        wraps[inner.start_byte] = (inner.end_byte, node.start_byte, node.end_byte, node.type, decorated)
    return wraps


def _draft(
    source: Source,
    kind: str,
    captures: Captures,
    wraps: Wraps,
    before: dict[int, tuple[int, list[Node]]],
) -> Draft:
    node = captures[f"def.{kind}"][0]
    start = declared = node.start_byte
    end = max(node.end_byte, captures["body"][0].end_byte) if "body" in captures else node.end_byte
    name_node = captures["name"][0] if "name" in captures else node
    name = source.take(name_node.start_byte, min(name_node.end_byte, name_node.start_byte + 300))
    name = name if name[:1] == "<" else unquote(name).strip().rstrip(": ")
    wrapped = node.type
    while (outer := wraps.get(start)) and outer[0] >= end and outer[1] < start:
        _, start, end, kind_of, decorated = outer
        wrapped = wrapped if wrapped.startswith("export") else kind_of
        declared = declared if decorated else start
    while start in before and before[start][0] < start:
        start, doc = before[start]
        if doc and "doc" not in captures:
            captures = {**captures, "doc": doc}
    return Draft(
        kind,
        start,
        end,
        name,
        name_node.start_byte,
        declared,
        captures,
        0,
        "instance" in captures or "member" in captures,
        wrapped,
    )


def _scope(grammar: Grammar, source: Source, captures: Captures) -> Draft:
    node, name = captures["scope"][0], captures.get("name")
    text = grammar.naming.type(source.take(name[0].start_byte, name[0].end_byte)) if name else ""
    start = name[0].start_byte if name else node.start_byte
    return Draft("", node.start_byte, node.end_byte, text, start, node.start_byte, captures)


def _drop_repeats(grammar: Grammar, drafts: list[Draft]) -> list[Draft]:
    """Keep the first of several assignments to one variable or field, and only instance fields of real instances."""
    kept: list[Draft] = []
    seen: set[tuple[int, str]] = set()
    types = _types(drafts)
    for draft in drafts:
        if "toplevel" in draft.captures and _is_local(draft):
            continue
        if draft.instance:
            inside = _type_around(draft, types)
            if inside is None or not _own(grammar, draft.captures):
                continue
            draft.parent = inside
        if draft.kind in VALUES:
            key = (id(draft.parent), draft.name)
            if key in seen:
                continue
            seen.add(key)
        kept.append(draft)
    return kept


def _is_local(draft: Draft) -> bool:
    above = draft.parent
    while above is not None and above.kind not in CALLABLE_KINDS:
        above = above.parent
    return above is not None


def _own(grammar: Grammar, captures: Captures) -> bool:
    if "member" in captures:
        return True
    word = (captures["instance"][0].text or b"").decode()
    return word in grammar.settings.self_words or word.startswith(grammar.settings.field_sigils or "\0")


def _types(drafts: list[Draft]) -> dict[str, Draft]:
    return {draft.name: draft for draft in drafts if draft.kind in TYPE_KINDS and draft.parent is None}


def _type_around(draft: Draft, types: dict[str, Draft]) -> Draft | None:
    """Return the type around a place, or the one of the file whose member is written apart from it (`Disk:save`)."""
    above = draft.parent
    while above is not None and above.kind not in TYPE_KINDS and above.kind != "module":
        owner = above.captures.get("owner", ())
        if len(owner) == 1 and (found := types.get((owner[0].text or b"").decode())):
            return found
        above = above.parent
    return above


def _qualify(grammar: Grammar, source: Source, found: Outline, scopes: list[Draft], matches: Matches) -> None:
    settings = grammar.settings
    spaces = {
        part
        for captures in matches.packages
        for part in grammar.naming.type(
            source.take(captures["package"][0].start_byte, captures["package"][0].end_byte)
        ).split(".")
    }
    for scope in scopes:
        scope.qualified = scope.name
    types = _types(found.drafts)
    for draft in found.drafts:
        if draft.instance:
            draft.parent = _type_around(draft, types)
        for sigil in (*settings.field_sigils, *settings.sigils):
            draft.name = draft.name.removeprefix(sigil) or draft.name
        above = draft.parent
        while above is not None and not above.kind and not above.name and above.parent is not None:
            above = above.parent
        if "owner" in draft.captures:
            draft.owner = _written_owner(grammar, source, draft, spaces, types)
            draft.qualified = f"{draft.owner}.{draft.name}" if draft.owner else draft.name
        elif above is not None:
            draft.qualified = f"{above.qualified}.{draft.name}" if above.qualified else draft.name
            inline = draft.kind == above.kind == "field" or _in_type_of(draft, above)
            owns = above.kind in OWNING or not above.kind or inline
            draft.owner = above.qualified if owns else ""
        else:
            draft.qualified = draft.name
        # `defmodule Shop.Disk`: it is looked up by the last part, as it is used.
        if draft.kind in OWNING and "." in draft.name:
            draft.name = draft.name.rpartition(".")[2]
        draft.kind = _kind(settings.constructors, settings.constants, draft)


def _written_owner(
    grammar: Grammar, source: Source, draft: Draft, spaces: set[str], types: dict[str, Draft]
) -> str:
    """Return the type that is written before a symbol's name, without the file's namespaces."""
    nodes = draft.captures["owner"]
    owner = grammar.naming.type(source.take(nodes[0].start_byte, nodes[-1].end_byte))
    while "." in owner and owner.partition(".")[0] in spaces:
        owner = owner.partition(".")[2]
    if owner in grammar.settings.self_words:
        inside = _type_around(draft, types)
        return inside.name if inside is not None else ""
    return owner


def _in_type_of(draft: Draft, value: Draft) -> bool:
    """Say whether something is defined in the type that is written before a value's name: `struct { int x; } point`."""
    return value.kind in VALUES and draft.end <= value.name_start


def _kind(constructors: tuple[str, ...], constants: str, draft: Draft) -> str:
    kind = draft.kind
    in_type = bool(draft.owner) and (
        draft.parent is None or draft.parent.kind in OWNING or not draft.parent.kind
    )
    if (
        kind == "function"
        and in_type
        and not (draft.parent is not None and draft.parent.kind in {"module", "namespace"})
    ):
        kind = "method"
    like_its_type = "*" in constructors and draft.name == draft.owner.rpartition(".")[2]
    if kind == "method" and (draft.name in constructors or like_its_type):
        return "constructor"
    if kind == "variable" and constants == "upper" and draft.name.isupper():
        return "constant"
    return kind


def _inherit(grammar: Grammar, source: Source, found: Outline, matches: Matches) -> None:
    """Give types the bases that their own or other matches captured."""
    for draft in found.drafts:
        draft.bases.extend(base_names(grammar, source, draft.captures))
    for captures in matches.inherits:
        inside = found.around(captures["inherits"][0].start_byte)
        if inside is not None:
            inside.bases.extend(base_names(grammar, source, captures))
    types = {draft.qualified: draft for draft in found.drafts if draft.kind in OWNING}
    for captures in matches.scopes:
        name = captures.get("name")
        if name and (
            known := types.get(grammar.naming.type(source.take(name[0].start_byte, name[0].end_byte)))
        ):
            known.bases.extend(base_names(grammar, source, captures))


def base_names(grammar: Grammar, source: Source, captures: Captures) -> list[str]:
    """Return `extends Name` and `implements Name` entries of one match."""
    bases: list[str] = []
    for word in ("extends", "implements"):
        for node in captures.get(f"base.{word}", ()):
            text = BASE_WORDS.sub(
                "", source.take(node.start_byte, min(node.end_byte, node.start_byte + 4000))
            )
            if text.endswith(")") and text.count(")") > text.count("("):
                text = text[:-1]
            for part in split_top(WITH.sub(",", text), ","):
                name = (
                    grammar.naming.type(BASE_NOISE.sub("", part.strip()).split("(")[0])
                    if "=" not in part
                    else ""
                )
                if name:
                    bases.append(f"{word} {name}")
    return bases


def _signature(settings: Settings, source: Source, draft: Draft) -> str:
    body = draft.captures.get("body")
    whole = draft.joined or draft.end
    end = min(body[0].start_byte, whole) if body and body[0].start_byte > draft.declared else whole
    text = source.take(draft.declared, min(end, draft.declared + 4000))
    if body and "\n" in text:
        text = _without_comments(settings.line_comments, text)
    text = one_line(text)
    if body and draft.name_start >= body[0].end_byte:
        return f"{text} {{...}} {one_line(source.take(body[0].end_byte, whole))}"[:SIGNATURE_LIMIT]
    return text.rstrip("{:=, \t") if body else text


def _without_comments(marks: tuple[str, ...], text: str) -> str:
    """Leave out the lines of a declaration that are comments, such as those between it and its body."""
    lines = text.split("\n")
    kept = [line for line in lines if not line.lstrip().startswith(marks) or line.lstrip().startswith("#[")]
    return "\n".join(kept)


def _is_test(grammar: Grammar, draft: Draft) -> bool:
    if grammar.test_name is not None and grammar.test_name.search(draft.name):
        return True
    rule = grammar.test_decorator
    return rule is not None and any(rule.search(name) for name in draft.decorators)
