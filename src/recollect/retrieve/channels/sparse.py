"""Chunks that share rare terms with the query, by weighted terms."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from recollect.errors import ReadOnlyError
from recollect.retrieve.allowed import passes
from recollect.retrieve.chunks import chunks_of
from recollect.retrieve.context import Context
from recollect.retrieve.sparse.corpus import Corpus
from recollect.retrieve.sparse.index import SparseIndex, Vocabulary
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates

FILE = "sparse.terms"


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Which terms count, how many results, and whether long chunks are kept from winning by length."""

    vocabulary: Vocabulary = Vocabulary()
    normalize_docs: bool = True
    rebuild: bool = True
    """Whether a vocabulary that was made by other rules is made anew; otherwise it finds nothing and says so."""
    limit: int = 60


def run(context: Context, parameters: Parameters) -> Candidates:
    """Search the sparse vectors of this generation, which are made when they are first asked for."""
    text_of = context.services.get("text")
    if text_of is None:
        context.trace.degrade("nobody can read the files, so there are no sparse vectors")
        return ()
    index = context.snapshot.memo(
        ("sparse", parameters.vocabulary, parameters.rebuild), lambda: _index(context, parameters)
    )
    if index.stale:
        context.trace.degrade(
            "the sparse vocabulary was made by other rules; set rebuild=true to make it anew"
        )
        return ()
    found = index.search(context.query.text, 3 * parameters.limit, parameters.normalize_docs)
    items = context.items(number for number, _ in found)
    rows = [
        Candidate(number, score, "rare words of the query are in it")
        for number, score in found
        if number in items and passes(items[number], context.query.filters)
    ]
    return context.ordered(rows)[: parameters.limit]


def _index(context: Context, parameters: Parameters) -> SparseIndex:
    folder: Path | None = context.services.get("folder")
    corpus = Corpus() if folder is None else Corpus.load(folder / FILE)
    if corpus.stale and parameters.rebuild:
        corpus = Corpus()
    if not corpus.stale:
        contents = {record.path: record.content for record in context.reader.files() if record.content}
        read = corpus.refresh(contents, lambda path: chunks_of(context, path), context.services["text"])
        if read and folder is not None:
            _save(context, corpus, folder / FILE)
    return SparseIndex(corpus, parameters.vocabulary)


def _save(context: Context, corpus: Corpus, path: Path) -> None:
    try:
        corpus.save(path)
    except ReadOnlyError as error:
        context.trace.summarise(str(error))


STAGE = Stage("sparse", "channel", Parameters, run)
