"""Reads on after a syntax error that hides what follows: the broken passage is blanked, the rest is parsed again."""

from __future__ import annotations

import re

from tree_sitter import Node, Parser

from recollect.parse.grammars import Grammar
from recollect.parse.matches import Captures, Matches, collect, read_tree

LONGEST = 1 << 20
MOST_BROKEN = 100
DEEPEST = 3
"""How many levels of indentation are searched for the smallest broken passage."""
CLOSING = rb"(?!(?:end|else|elif|elsif|elseif|except|finally|catch|rescue|ensure|after|then|fi|done|esac)\b)"
LINE = re.compile(rb"^([ \t]*)(\S[^\n]*)", re.M)
BEGIN = re.compile(CLOSING + rb"[A-Za-z_@]")
"""What a passage begins with; brackets and closing words belong to the passage before."""
QUOTED = re.compile(rb'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.){1,4}\'|//[^\n]*|/\*.*?\*/', re.S)
PAIRS = (b"()", b"[]", b"{}")
Span = tuple[int, int]


def read_on(grammar: Grammar, content: bytes, root: Node) -> tuple[Node, Matches] | None:
    """Return the tree and the matches without the broken passages, or nothing where that finds no further symbols."""
    if not root.has_error or len(content) > LONGEST:
        return None
    broken: list[Span] = []
    for node in [root] if root.is_error else [child for child in root.children if child.has_error]:
        start = content.rfind(b"\n", 0, node.start_byte) + 1
        for span in _passages(content, start, node.end_byte):
            broken += _broken(grammar, content, span, 0)
    broken = broken[:MOST_BROKEN]
    if not broken:
        return None
    tree = read_tree(grammar, _blanked(content, 0, len(content), broken))
    if tree is None:
        return None
    matches, before = collect(grammar, tree.root_node), collect(grammar, root)
    _keep(matches, before, broken)
    gained, had = _yield(matches, broken), _yield(before, broken)
    better = gained > had or (gained == had and _swallows(before, broken))
    return (tree.root_node, matches) if better else None


def _passages(content: bytes, start: int, end: int) -> list[Span]:
    """Split a part of the file where lines of its least indentation begin something; less indented lines end it."""
    lines = [(found.start(), len(found[1]), found[2]) for found in LINE.finditer(content, start, end)]
    least = min((indent for _, indent, text in lines if BEGIN.match(text)), default=0)
    spans: list[Span] = []
    begun = -1
    for at, indent, text in lines:
        begins = indent == least and BEGIN.match(text) is not None
        if begun >= 0 and (begins or indent < least):
            spans.append((begun, at))
            begun = -1
        begun = at if begins else begun
    return [*spans, (begun, end)] if begun >= 0 else spans


def _broken(grammar: Grammar, content: bytes, span: Span, depth: int) -> list[Span]:
    """Return the smallest passages inside one that leave a bracket open; `namespace x {` alone rightly does."""
    start, end = span
    if not _is_open(content[start:end]):
        return []
    head = content.find(b"\n", start, end) + 1
    inner = _passages(content, head, end) if head and depth < DEEPEST else []
    if inner and not _is_open(_blanked(content, start, end, inner)):
        return [found for one in inner for found in _broken(grammar, content, one, depth + 1)]
    return [span] if Parser(grammar.language).parse(content[start:end]).root_node.has_error else []


def _is_open(passage: bytes) -> bool:
    bare = QUOTED.sub(b"", passage).strip()
    if b"\n" not in bare:
        bare = bare.removesuffix(b"{")
    return any(bare.count(pair[:1]) > bare.count(pair[1:]) for pair in PAIRS)


def _blanked(content: bytes, start: int, end: int, spans: list[Span]) -> bytes:
    """Return a part of the file with spaces for some spans of it, in the same lines."""
    part = bytearray(content[start:end])
    for first, last in spans:
        part[first - start : last - start] = re.sub(rb"[^\n]", b" ", content[first:last])
    return bytes(part)


def _yield(matches: Matches, broken: list[Span]) -> tuple[int, int]:
    """Return how many symbols outside of the broken passages, then how many packages and scopes, were found."""
    names = {captures["name"][0].start_byte for _, _, captures in matches.defs if "name" in captures}
    outside = sum(not any(start <= at < end for start, end in broken) for at in names)
    return outside, len(matches.packages) + len(matches.scopes)


def _swallows(matches: Matches, broken: list[Span]) -> bool:
    """Say whether a symbol that begins in a broken passage reaches beyond it, over what is not part of it."""
    nodes = [captures[f"def.{kind}"][0] for kind, _, captures in matches.defs]
    return any(start <= node.start_byte < end < node.end_byte for node in nodes for start, end in broken)


def _keep(matches: Matches, before: Matches, broken: list[Span]) -> None:
    """Add what was found inside the broken passages at first; a symbol that reaches beyond ends with its head."""

    def around(nodes: list[Node]) -> Span | None:
        first, last = min(node.start_byte for node in nodes), max(node.end_byte for node in nodes)
        return next((span for span in broken if span[0] <= first and last <= span[1]), None)

    def inside(captures: Captures) -> bool:
        return around([node for nodes in captures.values() for node in nodes]) is not None

    for kind, pattern, captures in before.defs:
        if inside(captures):
            matches.defs.append((kind, pattern, captures))
        elif "name" in captures and (span := around(captures["name"])):
            within = {key: nodes for key, nodes in captures.items() if around(nodes) == span}
            within[f"def.{kind}"] = [_head(captures["name"][0], span)]
            matches.defs.append((kind, pattern, within))
    matches.named.extend(row for row in before.named if inside(row[1]))
    matches.others.extend(row for row in before.others if inside(row[1]))
    matches.types.extend(node for node in before.types if around([node]))
    matches.binds.extend(row for row in before.binds if inside(row[1]))


def _head(name: Node, span: Span) -> Node:
    """Return the largest node around a name that lies in the span."""
    while (above := name.parent) is not None and span[0] <= above.start_byte and above.end_byte <= span[1]:
        name = above
    return name
