"""Symbols that are called what the query says, wholly or in most parts, and the chunks that define them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from recollect.retrieve import fts
from recollect.retrieve.allowed import passes
from recollect.retrieve.chunks import chunk_numbers
from recollect.retrieve.context import Context
from recollect.retrieve.sparse.terms import rules
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.retrieve.words import split_identifier
from recollect.types import EXTERNAL_KINDS, PLACE_KINDS, Item

PARTIAL = 0.8
_ONLY_NAMES = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """From which score on a name counts, how many names are compared, and whether chunks stand for symbols."""

    least: float = 0.5
    compared: int = 200
    chunks: bool = True
    limit: int = 60


def identifiers(text: str) -> tuple[str, ...]:
    """Return the words of a query that may be names."""
    chosen = rules()
    found = dict.fromkeys(re.findall(chosen.token, text))
    return tuple(word for word in found if word.lower() not in chosen.stopwords)


def name_score(name: str, terms: Sequence[str]) -> float:
    """Return 1 for an equal name, else the common parts as a share of the longer side, times 0.8."""
    if name.lower() in {term.lower() for term in terms}:
        return 1.0
    own = _parts(name)
    best = 0.0
    for asked in ({part for term in terms for part in _parts(term)}, *map(_parts, terms)):
        longest = max(len(own), len(asked))
        best = max(best, len(own & asked) / longest * PARTIAL if longest else 0.0)
    return best


def run(context: Context, parameters: Parameters) -> Candidates:
    """Compare the names of symbols with the words of the query."""
    terms = identifiers(context.query.text)
    scored: dict[int, tuple[float, Item]] = {}
    for item in _named(context, terms, parameters).values():
        score = name_score(item.name.rpartition(".")[2], terms)
        if score >= parameters.least and item.kind not in (*PLACE_KINDS, *EXTERNAL_KINDS):
            scored[item.number] = (score, item)
    homes: Mapping[int, int] = {}
    if parameters.chunks:
        homes = chunk_numbers(context, (item for _, item in scored.values()))
    best: dict[int, Candidate] = {}
    for score, item in sorted(scored.values(), key=lambda row: (-row[0], row[1].id)):
        number = homes.get(item.number, item.number)
        reason = f"it defines {item.name}" if number != item.number else f"its name is {item.name}"
        best.setdefault(number, Candidate(number, score, reason, {"symbol": score}))
    return tuple(best.values())[: parameters.limit]


def _named(context: Context, terms: Sequence[str], parameters: Parameters) -> dict[int, Item]:
    if not terms:
        return {}
    filters = context.query.filters
    rows = context.reader.named(list(terms), filters, parameters.compared)
    numbers = dict.fromkeys(row.number for row in rows)
    parts = {part for term in terms for part in _parts(term)}
    match = fts.any_of(f"name : {fts.quoted(part)}" for part in sorted(parts))
    if match:
        hits = context.reader.search("text_symbol", match, _ONLY_NAMES, parameters.compared, filters)
        numbers.update(dict.fromkeys(hit.number for hit in hits))
    found = context.items(numbers)
    return {number: item for number, item in found.items() if passes(item, filters)}


@lru_cache(maxsize=65536)
def _parts(name: str) -> frozenset[str]:
    return frozenset(part.lower() for part in split_identifier(name) if len(part) > 1)


STAGE = Stage("symbol", "channel", Parameters, run)
