"""Orders by value per token: what is said twice or everywhere counts less, named code counts double."""

from __future__ import annotations

import math
from hashlib import blake2b

from msgspec import Struct

from recollect.retrieve.boilerplate import boilerplate_ratio
from recollect.retrieve.chunks import is_structured
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates
from recollect.types import Item


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What boilerplate takes and named code gives, and the least boilerplate of some kinds of files."""

    boilerplate: float = 0.5
    structured: float = 2.0
    prose_suffixes: tuple[str, ...] = (".html", ".css", ".md", ".txt")
    prose: float = 0.85
    test_folders: tuple[str, ...] = ("tests/", "test/")
    tests: float = 0.5


def value_density(
    score: float, tokens: int, boilerplate: float, structured: bool, parameters: Parameters | None = None
) -> float:
    """Return a score by what its text costs and how much of it is new."""
    chosen = parameters or Parameters()
    relevance = score * (1.0 - chosen.boilerplate * boilerplate) * (chosen.structured if structured else 1.0)
    return relevance / (1.0 + math.log1p(max(1, tokens)))


def least_boilerplate(path: str, structured: bool, parameters: Parameters | None = None) -> float:
    """Return the boilerplate that a file has by its path alone."""
    chosen = parameters or Parameters()
    prose = chosen.prose if not structured and path.lower().endswith(chosen.prose_suffixes) else 0.0
    return max(prose, chosen.tests if path.startswith(chosen.test_folders) else 0.0)


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Score every candidate anew and order them."""
    items = context.items(row.number for row in candidates)
    rows = []
    for row in candidates:
        item = items[row.number]
        tokens, ratio = _measured(context, item)
        structured = is_structured(context, item)
        ratio = max(ratio, least_boilerplate(item.path, structured, parameters))
        score = value_density(row.score, tokens, ratio, structured, parameters)
        terms = {
            "score": row.score,
            "tokens": float(tokens),
            "boilerplate": ratio,
            "structured": float(structured),
        }
        context.trace.detail(row.number, terms)
        rows.append(row.scored(score, boilerplate=ratio))
    return context.ordered(rows)


def _measured(context: Context, item: Item) -> tuple[int, float]:
    """Return the tokens and the boilerplate of an item, measured once for its text."""
    text_of = context.services.get("text")
    text = text_of(item) if text_of is not None else None
    if text is None:
        return item.tokens, 0.0
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    key = ("boilerplate", context.count_tokens, item.language, digest)
    return context.snapshot.memo(
        key, lambda: (context.count_tokens(text), boilerplate_ratio(text, item.language))
    )


STAGE = Stage("cost", "rerank", Parameters, run)
