"""A retriever for LlamaIndex; needs the package llama-index-core."""

from __future__ import annotations

from typing import Any

from recollect.adapters.found import Source, missing, rows
from recollect.engine import Recollect

try:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ImportError as error:
    raise missing("llama-index-core", "llamaindex") from error


class RecollectRetriever(BaseRetriever):
    """Finds code, or with `source="memory"` what was remembered, as nodes with their score and place."""

    def __init__(self, project: Recollect, source: Source = "code", limit: int = 10, **options: Any) -> None:
        super().__init__()
        self._project = project
        self._source = source
        self._limit = limit
        self._options = options

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = rows(self._project, query_bundle.query_str, self._source, self._limit, self._options)
        return [
            NodeWithScore(node=TextNode(id_=row["id"], text=text, metadata=row), score=row["score"])
            for text, row in found
        ]
