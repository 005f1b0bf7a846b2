"""Which items may be candidates: the query's filters, and what is noise or a test by its path and name."""

from __future__ import annotations

import re

from recollect.ports import Filters
from recollect.types import EXTERNAL_KINDS, Item

_BUILT = ("/dist/", "/build/", "/vendor/", "/node_modules/")
_MINIFIED = (".min.", ".bundle.")
_FIXTURES = ("conftest.py", "fixtures.py", "/testutil", "/testhelper", "test_helper")
_SHORT_NAMES = frozenset({"ID", "OK", "DB", "IP", "IO", "Go", "Do"})
_MOCK = re.compile(r"mock|fake|stub", re.I)
_TEST_PATH = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?)/|/src/test/|(?:^|/)test_[^/]*\.py$|_test\.(?:go|py|rb|cc|cpp|exs?)$"
    r"|_spec\.rb$|\.(?:test|spec)\.[a-z]+$|(?:^|/)[^/]*(?:Test|Tests|Spec)\.(?:java|kt|scala|cs|swift|php)$"
)
_PATH_BORDER = "/"


def passes(item: Item, filters: Filters) -> bool:
    """Say whether an item passes the query's filters."""
    return not against(item, filters)


def against(item: Item, filters: Filters) -> str:
    """Return which of the query's filters leaves an item out, or nothing."""
    if filters.languages and item.language not in filters.languages:
        return f"its language is {item.language or 'unknown'}, not {' or '.join(sorted(filters.languages))}"
    if filters.kinds and item.kind not in filters.kinds:
        return f"it is a {item.kind}, not a {' or a '.join(sorted(filters.kinds))}"
    if filters.path_prefixes and not item.path.startswith(filters.path_prefixes):
        return f"it does not lie in {' or '.join(sorted(filters.path_prefixes))}"
    if not filters.include_tests and (item.test or is_test_path(item.path)):
        return "it is test code"
    return ""


def is_test_path(path: str) -> bool:
    """Say whether a file is test code, by its path alone."""
    return _TEST_PATH.search(path) is not None


def is_test(item: Item) -> bool:
    """Say whether an item is test code."""
    return item.test or is_test_path(item.path)


def noise(item: Item, about_tests: bool = False) -> str:
    """Return why an item is noise, or nothing."""
    if is_phantom(item):
        return "it stands for something outside the source"
    path = _PATH_BORDER + item.path
    if any(part in path for part in _BUILT):
        return "it is built or vendored code"
    if any(part in path for part in _MINIFIED):
        return "it is minified code"
    name = item.name.rpartition(".")[2]
    if len(name) <= 2 and name.isascii() and name not in _SHORT_NAMES:
        return "its name is too short to tell anything"
    if about_tests:
        return ""
    if any(part in path for part in _FIXTURES):
        return "it is a helper of tests"
    if _is_mock(item):
        return "it belongs to a mock"
    return ""


def is_phantom(item: Item) -> bool:
    """Say whether an item has no source here."""
    return item.kind in EXTERNAL_KINDS or item.name.startswith(("external://", "stdlib://"))


def _is_mock(item: Item) -> bool:
    head = item.owner.rpartition(".")[2] or (item.name if item.kind in _TYPES else "")
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", head)
    return any(_MOCK.fullmatch(word) for word in words)


_TYPES = frozenset({"class", "struct", "interface", "type", "trait", "object"})
