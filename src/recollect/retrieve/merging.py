"""What several lists of columns say of the same items, in one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recollect.retrieve.ranking import Array, Ranking
from recollect.retrieve.values import Ranked


def gathered_columns(numbers: Array, lists: Sequence[tuple[Ranked, Ranking]]) -> Ranking:
    """Return for every item the reasons of all channels, its rank in each and its share of each one's best score."""
    signals: dict[str, Array] = {}
    reasons = np.full(len(numbers), "", object)
    for ranked, found in lists:
        at = np.searchsorted(numbers, found.numbers)
        best = found.scores.max()
        more = {name: column for name, column in found.signals.items() if name != "fuse.weight"}
        more[f"rank.{ranked.channel}"] = np.arange(1.0, len(found) + 1)
        more[f"share.{ranked.channel}"] = found.scores / best if best > 0 else np.zeros(len(found))
        for name, values in more.items():
            column = signals.setdefault(name, np.full(len(numbers), np.nan))
            column[at] = np.where(np.isnan(values), column[at], values)
        reasons[at] = joined_reasons(reasons[at], found.reasons)
    return Ranking(numbers, np.zeros(len(numbers)), reasons, signals)


def joined_reasons(said: Array, more: Array) -> Array:
    """Return the reasons so far and one more, unless it was given already; what comes often is put together once."""
    known: dict[tuple[str, str], str] = {}
    joined = np.empty(len(said), object)
    for at, pair in enumerate(zip(said.tolist(), more.tolist(), strict=True)):
        text = known.get(pair)
        if text is None:
            text = known[pair] = "; ".join(
                dict.fromkeys(part for one in pair for part in one.split("; ") if part)
            )
        joined[at] = text
    return joined
