"""Whether code that was shortened still parses: what was sound is never shown broken."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from recollect.errors import RecollectError

if TYPE_CHECKING:
    from tree_sitter import Language


def is_sound(whole: str, shorter: str, language: str) -> bool:
    """Say whether a shortened text has no more mistakes than the whole one; true where no grammar can tell."""
    grammar = _grammar(language)
    if grammar is None or shorter == whole:
        return True
    found = mistakes(shorter, grammar)
    return not found or found <= mistakes(whole, grammar)


def mistakes(text: str, grammar: Language) -> int:
    """Count what a parser could not read, and what it missed."""
    from tree_sitter import Parser

    count, waiting = 0, [Parser(grammar).parse(text.encode("utf-8", "replace")).root_node]
    while waiting:
        node = waiting.pop()
        count += node.is_error or node.is_missing
        waiting.extend(node.children if node.has_error else ())
    return count


@cache
def _grammar(language: str) -> Language | None:
    # Only who shortens code pays for loading what parses it.
    from recollect.parse.grammars import load_wheel
    from recollect.parse.settings import QUERIES, read_query

    path = QUERIES / f"{language}.scm"
    if not path.is_file():
        return None
    try:
        settings, _ = read_query(path)
        return load_wheel(settings.grammar, settings.entry)
    except RecollectError:
        return None
