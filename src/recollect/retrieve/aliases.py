"""Words that the callers and callees of a symbol lend it: a query may describe it by its neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from recollect.retrieve.context import Context
from recollect.retrieve.neighbours import neighbours
from recollect.retrieve.words import phrase_tokens, split_identifier, word_lists

MAX_NEIGHBOURS = 20


def aliases(context: Context, numbers: Sequence[int]) -> dict[int, str]:
    """Return the symbols that the query describes by words of their neighbours, with the words."""
    if not numbers:
        return {}
    near = _neighbours(context, numbers)
    items = context.items([*numbers, *(other for row in near.values() for other in row)])
    words = phrase_tokens(context.query.text)
    spoken = set(words) - word_lists().stopwords
    pairs = set(pairwise(words))
    found: dict[int, str] = {}
    for number in numbers:
        if number not in items:
            continue
        own = {part.lower() for part in split_identifier(items[number].name)}
        lent = _lent((items[other].name for other in near[number] if other in items), own)
        phrase = next((pair for pair in lent if len(pair) == 2 and pair in pairs), None) or next(
            (word for word in lent if len(word) == 1 and word[0] in spoken), None
        )
        if phrase:
            found[number] = " ".join(phrase)
    return found


def _lent(names: Iterable[str], own: set[str]) -> list[tuple[str, ...]]:
    """Return the telling words of some names, and neighbouring pairs of them, that the symbol's own name lacks."""
    lent: dict[tuple[str, ...], None] = {}
    generic = word_lists().alias_noise
    for name in names:
        words = [part.lower() for part in split_identifier(name.rpartition(".")[2])]
        telling = [word for word in words if len(word) > 2 and word not in generic]
        for word in telling:
            if word not in own:
                lent.setdefault((word,))
        for pair in pairwise(telling):
            if not own.issuperset(pair):
                lent.setdefault(pair)
    return list(lent)


def _neighbours(context: Context, numbers: Sequence[int]) -> dict[int, list[int]]:
    """Return the callers and callees of each symbol."""
    near: dict[int, list[int]] = {number: [] for number in numbers}
    for incoming in (True, False):
        for row in neighbours(context, numbers, ("calls",), incoming, MAX_NEIGHBOURS):
            near[row.of].append(row.number)
    return near
