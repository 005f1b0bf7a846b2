"""Words in names, paths, signatures and documentation of symbols, weighted by column."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from recollect.ports import TextHit
from recollect.retrieve import fts
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates

COLUMNS = ("name", "concepts", "qualified", "signature", "path", "doc")


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of the columns, how many results, and which parts the query is made of."""

    name: float = 10.0
    concepts: float = 5.0
    qualified: float = 3.0
    signature: float = 1.0
    path: float = 4.0
    doc: float = 3.0
    limit: int = 30
    phrases: bool = True
    path_terms: bool = True
    thesaurus: int = 10
    """How many words of the same meaning are added."""


def run(context: Context, parameters: Parameters) -> Candidates:
    """Search by the compounds, and when they find nothing, by what they are made of."""
    query, keywords = context.query, context.query.keywords
    compounds = fts.compound_terms(keywords)
    words = [fts.word_terms((*keywords.components, *keywords.speculative))]
    if parameters.phrases:
        words.append(fts.phrase_terms(keywords.components, query.phrases))
    if parameters.path_terms:
        words.append(fts.path_terms(query.path_terms))
    words.append(fts.word_terms(fts.expansions(keywords.components, parameters.thesaurus)))
    if compounds and not _search(context, parameters, compounds, 1):
        compounds = fts.leaf_segments(keywords.primary)
        context.trace.summarise("No identifier of the query was found whole; their parts were searched.")
    hits = _search(
        context, parameters, (*compounds, *(term for row in words for term in row)), parameters.limit
    )
    return tuple(
        Candidate(hit.number, hit.score, "words match its name, path or documentation") for hit in hits
    )


def _search(context: Context, parameters: Parameters, terms: Sequence[str], limit: int) -> Sequence[TextHit]:
    if not terms:
        return ()
    weights = [getattr(parameters, column) for column in COLUMNS]
    return context.reader.search("text_symbol", fts.any_of(terms), weights, limit, context.query.filters)


STAGE = Stage("bm25", "channel", Parameters, run)
