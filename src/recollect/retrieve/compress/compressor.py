"""Four stages: keep the structure, collapse boilerplate, prune what tells least, drop what was said before."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from msgspec import Struct

from recollect.retrieve.compress.boilerplate import collapse
from recollect.retrieve.compress.rows import Row
from recollect.retrieve.compress.similar import drop_repeated
from recollect.retrieve.compress.sound import is_sound
from recollect.retrieve.compress.syntax import Syntax, syntax_of
from recollect.retrieve.compress.units import Unit, cut, indent
from recollect.retrieve.sparse.terms import terms_of

Count = Callable[[str], int]
WHOLE = "Shortened it would not parse, so it is whole."


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How much is aimed at, what is never touched, and how much may go at most."""

    target_ratio: float = 0.4
    preserve_signatures: bool = True
    preserve_docstrings: bool = True
    collapse_imports: bool = True
    collapse_boilerplate: bool = True
    max_prune_ratio: float = 0.7
    strict_for_symbols: bool = True


@dataclass(frozen=True, slots=True)
class Compressed:
    """A shortened text."""

    text: str
    ratio: float
    """Its length as a share of the whole."""
    notes: tuple[str, ...] = ()
    """What was wrong with the text already: it begins or ends inside a block or a string."""


def compress(
    text: str,
    language: str,
    count: Count,
    parameters: Parameters | None = None,
    idf: Mapping[str, float] | None = None,
    strict: bool = False,
) -> Compressed:
    """Shorten a text; with `strict` nothing is pruned by how little it tells.

    Code that would no longer parse is shortened strictly instead, and if that breaks it too, not at all.
    """
    chosen = parameters or Parameters()
    made = _shortened(text, language, (count, chosen, idf, strict))
    if is_sound(text, made.text, language):
        return made
    if not strict:
        made = _shortened(text, language, (count, chosen, idf, True))
    return made if is_sound(text, made.text, language) else Compressed(text, 1.0, (*made.notes, WHOLE))


def _shortened(
    text: str, language: str, how: tuple[Count, Parameters, Mapping[str, float] | None, bool]
) -> Compressed:
    count, chosen, idf, strict = how
    syntax = syntax_of(language)
    found = cut(text, syntax, chosen.preserve_docstrings, chosen.preserve_signatures)
    rows = collapse(found.units, syntax, chosen.collapse_imports, chosen.collapse_boilerplate)
    if not strict:
        rows = prune(rows, count, chosen, idf)
    rows = drop_repeated(rows)
    shorter = "\n".join(row.text for row in _filled(rows, found.units, syntax))
    if len(shorter) >= len(text):
        return Compressed(text, 1.0, found.notes)
    return Compressed(shorter, len(shorter) / len(text), found.notes)


def prune(
    rows: Sequence[Row], count: Count, parameters: Parameters, idf: Mapping[str, float] | None
) -> list[Row]:
    """Take out the rows of least importance until the target is reached, and never more than the cap allows."""
    costs = [count(f"{row.text}\n") for row in rows]
    total = remaining = sum(costs)
    removable = [at for at, row in enumerate(rows) if not row.kept and not row.remark]
    weights = idf or own_idf([row.text for row in rows])
    order = sorted(removable, key=lambda at: (importance(rows[at].text, weights), at))
    left = math.floor(sum(rows[at].lines for at in removable) * parameters.max_prune_ratio + 1e-9)
    gone = set()
    for at in order:
        if remaining <= total * parameters.target_ratio:
            break
        if rows[at].lines <= left:
            left -= rows[at].lines
            remaining -= costs[at]
            gone.add(at)
    return [row for at, row in enumerate(rows) if at not in gone]


def importance(text: str, idf: Mapping[str, float]) -> float:
    """Return the sum of the weights of a text's terms."""
    return sum(idf.get(term, 0.0) for term in terms_of(text))


def own_idf(texts: Sequence[str], asked: Sequence[str] = ()) -> dict[str, float]:
    """Return how rare each term is among some texts; what was asked for weighs as much as the rarest."""
    frequency: dict[str, int] = {}
    for text in texts:
        for term in dict.fromkeys(terms_of(text)):
            frequency[term] = frequency.get(term, 0) + 1
    weights = {term: math.log((len(texts) + 1) / (df + 1)) + 1.0 for term, df in frequency.items()}
    rarest = max(weights.values(), default=1.0)
    return weights | dict.fromkeys(asked, rarest)


def preserved(text: str, language: str, docs: bool = True) -> tuple[str, ...]:
    """Return the lines that no compression removes."""
    units = cut(text, syntax_of(language), docs).units
    return tuple(line for unit in units if unit.kept for line in unit.text.split("\n"))


def _filled(rows: Sequence[Row], units: Sequence[Unit], syntax: Syntax) -> list[Row]:
    """Give every header whose block went away a body that says so."""
    if not syntax.filler:
        return list(rows)
    had = {above.text for above, below in _code_pairs(units, syntax) if _deeper(below.bare, above.bare)}
    out: list[Row] = []
    after: Row | None = None
    for row in reversed(rows):
        hollow = after is None or not _deeper(after.bare, row.bare)
        if row.text in had and syntax.hollow.search(row.bare) and hollow:
            out.append(Row(f"{' ' * (indent(row.text) + 4)}{syntax.filler}", syntax.filler, True))
        out.append(row)
        if row.bare.strip():
            after = row
    return out[::-1]


def _code_pairs(units: Sequence[Unit], syntax: Syntax) -> list[tuple[Unit, Unit]]:
    code = [unit for unit in units if unit.sort not in {"blank", "comment"}]
    return [(above, below) for above, below in pairwise(code) if syntax.hollow.search(above.bare)]


def _deeper(below: str, above: str) -> bool:
    return indent(below) > indent(above)
