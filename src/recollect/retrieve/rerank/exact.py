"""Puts what bears a name that the query is, or quotes, above everything else."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.allowed import passes
from recollect.retrieve.context import Context
from recollect.retrieve.distinct import places_among
from recollect.retrieve.fts import leaf
from recollect.retrieve.ranking import joined, ranking_of, top_score
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether names in backticks count too, and how many items of a name are raised."""

    quoted: bool = True
    limit: int = 20


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Raise the items of the named, those whose whole qualified name was given first."""
    query = context.query
    wanted = list(query.keywords.exact if parameters.quoted else ())
    if query.shape == "identifier":
        wanted.insert(0, query.text.strip("`").removesuffix("()"))
    closeness = _closeness(context, wanted)
    if not closeness:
        return candidates
    found = ranking_of(candidates)
    order = {number: place for place, number in enumerate(found.numbers.tolist())}
    items = context.items(closeness)
    chosen = [number for number in closeness if number in items and passes(items[number], query.filters)]
    chosen.sort(key=lambda number: (closeness[number], order.get(number, len(order)), items[number].id))
    top = top_score(found, 0.0)
    raised = []
    for place, number in enumerate(chosen[: parameters.limit]):
        old = found[order[number]] if number in order else None
        row = old or Candidate(number, 0.0, f"its name is {items[number].name}", {"walk": 1.0})
        raised.append(row.scored(top + 1.0 / (1.0 + place)))
        context.trace.note(number, "it bears the name that was asked for")
    first = ranking_of(raised)
    rest = found.take(~places_among(found.numbers, np.sort(first.numbers))[1])
    return context.in_order(joined(first, rest)).as_candidates()


def _closeness(context: Context, wanted: list[str]) -> dict[int, int]:
    """Return for every item of one of the names how well it fits: 0 as written, 1 but for case, 2 by its last part."""
    found: dict[int, int] = {}
    names = {name: name.replace("::", ".").replace("#", ".").replace("->", ".") for name in wanted}
    for row in context.reader.named([leaf(name) for name in names.values()], context.query.filters, 200):
        qualified = f".{row.qualified}"
        for name in names.values():
            if qualified.endswith(f".{name}"):
                fit = 0
            elif qualified.lower().endswith(f".{name.lower()}"):
                fit = 1
            else:
                continue
            found[row.number] = min(fit, found.get(row.number, fit))
    return found


STAGE = Stage("exact", "rerank", Parameters, run)
