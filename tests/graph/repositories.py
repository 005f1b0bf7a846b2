"""Small repositories for the tests of edges."""

from __future__ import annotations

from collections.abc import Mapping

from tests.graph.tree import Tree

from recollect.parse import parse
from recollect.source.languages import language_of


def python(files: Mapping[str, str]) -> Tree:
    """Return a tree of Python files."""
    return Tree({path: parse(path, "python", text.encode()) for path, text in files.items()})


def mixed(files: Mapping[str, str]) -> Tree:
    """Return a tree of files whose languages are told by their names."""
    return Tree(
        {path: parse(path, language_of(path, text.encode()), text.encode()) for path, text in files.items()}
    )


def resolved(tree: Tree, kind: str) -> set[tuple[str, str]]:
    """Return source and target of the resolved edges of a type."""
    return {(source, target) for source, _, target, known in tree.edges(kind) if known == "resolved"}
