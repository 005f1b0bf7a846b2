"""A retriever for LangChain; needs the package langchain-core."""

from __future__ import annotations

from typing import Any

from recollect.adapters.found import Source, missing, rows

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import Field
except ImportError as error:
    raise missing("langchain-core", "langchain") from error


class RecollectRetriever(BaseRetriever):
    """Finds code, or with `source="memory"` what was remembered, as documents with their place as metadata."""

    project: Any
    """An open project, as `recollect.open` returns it."""
    source: Source = "code"
    limit: int = 10
    options: dict[str, Any] = Field(default_factory=dict)
    """Further arguments of `search` or `recall`, such as filters."""

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002  LangChain hands it over
    ) -> list[Document]:
        found = rows(self.project, query, self.source, self.limit, self.options)
        return [Document(id=row["id"], page_content=text, metadata=row) for text, row in found]
