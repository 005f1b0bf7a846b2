"""recollect as the retriever of a framework: python retrievers.py langchain, or llamaindex."""

import sys

import recollect


def with_langchain(project: recollect.Recollect, question: str) -> list[str]:
    """Ask through LangChain; needs recollect[langchain]."""
    from recollect.adapters.langchain import RecollectRetriever

    retriever = RecollectRetriever(project=project, limit=3)
    found = retriever.invoke(question)
    return [f"{document.metadata['path']}: {document.metadata['name']}" for document in found]


def with_llamaindex(project: recollect.Recollect, question: str) -> list[str]:
    """Ask through LlamaIndex; needs recollect[llamaindex]."""
    from recollect.adapters.llamaindex import RecollectRetriever

    retriever = RecollectRetriever(project, limit=3)
    found = retriever.retrieve(question)
    return [f"{node.metadata['path']}: {node.metadata['name']}" for node in found]


if __name__ == "__main__":
    ask = {"langchain": with_langchain, "llamaindex": with_llamaindex}[sys.argv[1]]
    with recollect.open() as opened:
        print("\n".join(ask(opened, "waiting between attempts")))
