"""The door of this package for the index: what a file offers, what it says to others, and its edges."""

from __future__ import annotations

from recollect.graph.calls import add_calls
from recollect.graph.contributions import SINGLETONS, contributions
from recollect.graph.edges import Edges
from recollect.graph.effects import add_effects
from recollect.graph.imports import add_imports
from recollect.graph.keys import folder_of
from recollect.graph.manifests import add_manifest, add_owners, add_remote_calls
from recollect.graph.names import FileNames, FileView
from recollect.graph.prose import add_prose
from recollect.graph.scope import Scope
from recollect.graph.shape import shape
from recollect.graph.similar import add_similar
from recollect.graph.structure import add_structure
from recollect.graph.testing import add_tests
from recollect.graph.uses import add_uses
from recollect.ports import EdgeRow

__all__ = ["SINGLETONS", "FileView", "Scope", "contributions", "resolve_file", "resolve_folder", "shape"]

_STEPS = (
    add_structure,
    add_imports,
    add_calls,
    add_uses,
    add_effects,
    add_tests,
    add_manifest,
    add_owners,
    add_remote_calls,
    add_prose,
)


def resolve_file(view: FileView, scope: Scope) -> list[EdgeRow]:
    """Return the edges of one file; call `scope.start()` before and `scope.asked()` after it."""
    edges = Edges(scope)
    names = FileNames(view, scope)
    for step in _STEPS:
        step(names, edges)
    return edges.rows()


def resolve_folder(folder: str, files: list[FileView], scope: Scope) -> list[EdgeRow]:
    """Return the similar_to edges between the functions of one folder's files."""
    edges = Edges(scope)
    add_similar([view for view in files if folder_of(view.path) == folder], edges)
    return edges.rows()
