"""Runs a language's one query over a syntax tree and sorts what it found by role."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial

from tree_sitter import Node, Parser, QueryCursor, Tree

from recollect.parse.grammars import Grammar

DEEPEST = 300
"""Below so many levels nothing is looked for: chains of thousands of calls would cost the square of their length."""
MOST_ERRORS = 1000
PROBED = 65536
"""Longer files are first tried on half as many bytes: error recovery on what is no code takes minutes."""
MOST_PROBE_ERRORS = 200
Captures = dict[str, list[Node]]
NAMED = frozenset({"call", "decorate", "throw"})
MATCH_LIMIT = 512
"""How many unfinished matches a query may hold, which bounds its time on hostile nesting."""


@dataclass(slots=True)
class Matches:
    """The captures of each role, in the order in which the query found them."""

    defs: list[tuple[str, int, Captures]] = field(default_factory=list)
    named: list[tuple[str, Captures]] = field(default_factory=list)
    """Calls, decorators and throws."""
    types: list[Node] = field(default_factory=list)
    others: list[tuple[str, Captures]] = field(default_factory=list)
    """Fields and values."""
    binds: list[tuple[str, Captures]] = field(default_factory=list)
    """Each with the type of the node that binds."""
    imports: list[Captures] = field(default_factory=list)
    exports: list[Captures] = field(default_factory=list)
    wraps: list[Captures] = field(default_factory=list)
    scopes: list[Captures] = field(default_factory=list)
    inherits: list[Captures] = field(default_factory=list)
    packages: list[Captures] = field(default_factory=list)
    sections: list[Captures] = field(default_factory=list)
    documents: list[Captures] = field(default_factory=list)
    skips: list[Captures] = field(default_factory=list)
    complete: bool = True
    """False when the nesting was so deep that some matches were given up."""


def _padded(found: re.Match[bytes], replacement: bytes) -> bytes:
    return found.expand(replacement).ljust(len(found[0]))


def _rewritten(grammar: Grammar, content: bytes) -> bytes:
    """Spell what the grammar does not know in as many bytes of what it knows; what is shorter is filled with blanks."""
    for pattern, replacement in grammar.settings.rewrites:
        changed = re.sub(pattern.encode(), partial(_padded, replacement=replacement.encode()), content)
        content = changed if len(changed) == len(content) else content
    return content


def read_tree(grammar: Grammar, content: bytes) -> Tree | None:
    """Parse the bytes in one piece, or give nothing when a long file is not of this language at all.

    Progress callbacks and Points are never used, as tree-sitter 0.26.0 crashes with them.
    """
    content = _rewritten(grammar, content)
    parser = Parser(grammar.language)
    if len(content) > PROBED:
        probe = parser.parse(content[: content.rfind(b"\n", 0, PROBED // 2) + 1 or PROBED // 2])
        if count_errors(probe) > MOST_PROBE_ERRORS:
            return None
    return parser.parse(content)


def count_errors(tree: Tree) -> int:
    """Count what the grammar could not read, following only branches that hold an error."""
    count = 0
    todo: list[Node] = [tree.root_node] if tree.root_node.has_error else []
    while todo and count < MOST_ERRORS:
        node = todo.pop()
        if node.is_error or node.is_missing:
            count += 1
        if node.has_error and node.child_count:
            todo.extend(child for child in node.children if child.has_error or child.is_missing)
    return count


def collect(grammar: Grammar, root: Node) -> Matches:
    """Run the query once and sort its matches by role."""
    found = Matches()
    cursor = QueryCursor(grammar.query, match_limit=MATCH_LIMIT)
    cursor.set_max_start_depth(DEEPEST)
    roles = grammar.roles
    keep_named, keep_type, keep_other = found.named.append, found.types.append, found.others.append
    others = {
        "import": found.imports, "export": found.exports, "wrap": found.wraps,
        "scope": found.scopes, "inherits": found.inherits, "package": found.packages,
        "section": found.sections, "document": found.documents,
        "skip": found.skips,
    }  # fmt: skip
    for pattern, captures in cursor.matches(root):
        role, kind = roles[pattern]
        if role == "ref":
            if kind == "type":
                keep_type(captures["ref.type"][0])
            elif kind in NAMED:
                keep_named((kind, captures))
            else:
                keep_other((kind, captures))
        elif role == "bind":
            found.binds.append((kind, captures))
        elif role == "def":
            found.defs.append((kind, pattern, captures))
        elif role in others:
            others[role].append(captures)
    found.complete = not cursor.did_exceed_match_limit
    return found
