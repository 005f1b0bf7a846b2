"""The arrays of a graph in the form that many small lookups want."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from recollect.ports import Graph


@dataclass(slots=True, eq=False)
class Arrays:
    """A graph whose arrays are plain views of the mapped ones, which cost far less to index."""

    root: bytes
    numbers: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    types: np.ndarray
    provenances: np.ndarray
    confidences: np.ndarray
    lines: np.ndarray
    reverse_offsets: np.ndarray
    reverse_edges: np.ndarray
    sources: np.ndarray


def in_memory(graph: Graph) -> Arrays:
    """Return plain views of a graph's arrays; nothing is copied."""
    names = [name for name in Arrays.__slots__ if name != "root"]
    return Arrays(graph.root, *(np.asarray(getattr(graph, name)).view(np.ndarray) for name in names))
