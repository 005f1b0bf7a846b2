"""Grammars by language name: the wheel's parser, the compiled query and the settings, each loaded when first asked."""

from __future__ import annotations

import functools
import importlib
import re
from dataclasses import dataclass

from tree_sitter import Language, Query, QueryError

from recollect.errors import ParseError
from recollect.parse.naming import Naming
from recollect.parse.settings import QUERIES, Settings, read_query
from recollect.types import SYMBOL_KINDS

ROLE = re.compile(
    r"@(?:(def|ref)\.(\w+)|(bind|import|export|wrap|scope|inherits|package|section|document|skip))(?![\w.])"
)
NODE = re.compile(r"\((\w+)")
UNREAD = frozenset({"ref.call", "ref.throw", "ref.field", "bind"})
"""Captures of whole nodes of which nothing but the role of their pattern is used."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """Everything that reading one language needs."""

    name: str
    settings: Settings
    language: Language
    query: Query
    roles: tuple[tuple[str, str], ...]
    """For each pattern: its role and kind, such as ("def", "class"), or for a binding the node that makes it."""
    naming: Naming
    test_path: re.Pattern[str] | None
    test_name: re.Pattern[str] | None
    test_decorator: re.Pattern[str] | None


def names() -> tuple[str, ...]:
    """Return the names of all languages that have a query file, sorted."""
    return tuple(sorted(path.stem for path in QUERIES.glob("*.scm") if path.stem[0] != "_"))


@functools.cache
def load(name: str) -> Grammar:
    """Load the grammar and query of one language; raises ParseError naming what is wrong."""
    settings, text = read_query(QUERIES / f"{name}.scm")
    language = load_wheel(settings.grammar, settings.entry)
    try:
        query = Query(language, text)
    except QueryError as error:
        raise ParseError(f"The query of {name}.scm does not fit its grammar: {error}. Correct it.") from error
    _drop_unread(query)
    return Grammar(
        name,
        settings,
        language,
        query,
        tuple(_role(name, text, query, index) for index in range(query.pattern_count)),
        Naming(settings),
        _any_of(settings.test_paths),
        _any_of(settings.test_names),
        _any_of(settings.test_decorators),
    )


@functools.cache
def load_wheel(module: str, entry: str) -> Language:
    """Return one grammar of an installed wheel."""
    try:
        return Language(getattr(importlib.import_module(module), entry)())
    except (ImportError, AttributeError) as error:
        raise ParseError(
            f"The grammar {module}.{entry} cannot be loaded: {error}. Reinstall recollect."
        ) from error


def _drop_unread(query: Query) -> None:
    """Switch off the captures that only say what a pattern is for; each would be made a node at every match."""
    for index in range(query.capture_count):
        if query.capture_name(index) in UNREAD:
            query.disable_capture(query.capture_name(index))


def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else None


def _role(name: str, text: str, query: Query, index: int) -> tuple[str, str]:
    encoded = text.encode()
    pattern = encoded[query.start_byte_for_pattern(index) : query.end_byte_for_pattern(index)].decode()
    found = ROLE.search(pattern)
    if not found:
        raise ParseError(
            f"A pattern of {name}.scm has no role: `{pattern.strip()[:80]}`. Capture its whole node as @def.<kind>, "
            "@ref.<kind>, @bind, @import, @wrap, @scope, @inherits, @section, @document, @skip or @package."
        )
    if found[1] == "def" and found[2] not in SYMBOL_KINDS:
        raise ParseError(
            f"A pattern of {name}.scm defines the unknown kind `{found[2]}`. Use one of SYMBOL_KINDS."
        )
    if found[3] == "bind":
        node = NODE.search(pattern)
        return "bind", node[1] if node else ""
    return (found[1], found[2]) if found[1] else (found[3], "")
