"""Rank metrics with binary relevance, one question at a time, and their averages.

recall@k      share of the targets that one of the first k results hits
hit@k         1 when any target is hit by the first k; recall_any@k is the same figure under its other name
recall_all@k  1 when every target is hit by the first k
ndcg@10       gain 1 at each rank where a target is hit for the first time, discount log2(rank + 1), over the best
              possible; for symbols every matching result gains, as the public task scorer has it
mrr           1 / rank of the first result that hits anything, in the whole returned list; mrr@10 within the first ten
p@10          share of ten places that hit something
fn_*          replays only, for commits that changed known functions; the other figures are about files, each counted
              once where it first appears
s_*           symbols only: the same last name, and each target claimed once
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from recollect.bench.judge import Judged

K = 10
MAIN = {
    "memory": "recall@10",
    "repository": "ndcg@10",
    "codesearch": "ndcg@10",
    "tasks": "p@10",
    "replay": "recall@5",
}
"""The metric that a kind of data set is quoted by."""
SHOWN = ("recall@5", "recall@10", "ndcg@10", "mrr", "p@10", "hit@1", "hit@10", "recall_all@10")
FUNCTIONS = ("fn_recall@10", "fn_hit@10", "fn_p@10")
STRICT = ("s_p@10", "s_recall@10", "s_ndcg@10")
Hits = Sequence[frozenset[int]]


def measure(judged: Judged) -> dict[str, float]:
    """Return all metrics of one question."""
    hits, targets = judged.hits, judged.targets
    any_hit = judged.strict is not None
    rank = _first(hits)
    values = {
        "recall@5": recall(hits, targets, 5),
        "recall@10": recall(hits, targets, K),
        "ndcg@10": ndcg(hits, targets, K, every=any_hit),
        "mrr": 1 / rank if rank else 0.0,
        "mrr@10": 1 / rank if 0 < rank <= K else 0.0,
        "p@10": precision(hits, K),
        "hit@1": float(rank == 1),
        "hit@5": float(0 < rank <= 5),
        "hit@10": float(0 < rank <= K),
        "recall_any@5": float(0 < rank <= 5),
        "recall_any@10": float(0 < rank <= K),
        "recall_all@5": float(recall(hits, targets, 5) == 1.0),
        "recall_all@10": float(recall(hits, targets, K) == 1.0),
    }
    if judged.strict is not None:
        values["s_p@10"] = precision(judged.strict, K)
        values["s_recall@10"] = recall(judged.strict, targets, K)
        values["s_ndcg@10"] = ndcg(judged.strict, targets, K)
    if judged.function_targets:
        values["fn_recall@10"] = recall(judged.functions, judged.function_targets, K)
        values["fn_hit@10"] = float(any(judged.functions[:K]))
        values["fn_p@10"] = precision(judged.functions, K)
    return values


def recall(hits: Hits, targets: int, k: int) -> float:
    """Return the share of the targets that the first k results hit."""
    return len(frozenset().union(*hits[:k])) / targets if targets else 0.0


def precision(hits: Hits, k: int) -> float:
    """Return the share of k places that hit a target, also when fewer came back."""
    return sum(bool(hit) for hit in hits[:k]) / k


def ndcg(hits: Hits, targets: int, k: int, every: bool = False) -> float:
    """Return the discounted gain over the ideal; with `every`, results that hit known targets again gain too."""
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, targets) + 1))
    seen: set[int] = set()
    gain = 0.0
    for rank, hit in enumerate(hits[:k], start=1):
        if hit and (every or not hit <= seen):
            gain += 1 / math.log2(rank + 1)
        seen |= hit
    return gain / ideal if ideal else 0.0


def tokens_to_recall(
    hits: Hits, tokens: Sequence[int], targets: int, levels: Iterable[float]
) -> dict[str, int | None]:
    """Return how many tokens of results must be read, from the top, to reach each level of recall; None if never."""
    found: dict[str, int | None] = {}
    for level in levels:
        seen: set[int] = set()
        total = 0
        found[f"{level:g}"] = None
        for hit, cost in zip(hits, tokens, strict=True):
            total += cost
            seen |= hit
            if targets and len(seen) / targets >= level:
                found[f"{level:g}"] = total
                break
    return found


def recall_within(
    hits: Hits, tokens: Sequence[int], targets: int, budgets: Iterable[int]
) -> dict[str, float]:
    """Return the recall of the results that fit each token budget from the top."""
    found = {}
    for budget in budgets:
        total, seen = 0, set[int]()
        for hit, cost in zip(hits, tokens, strict=True):
            total += cost
            if total > budget:
                break
            seen |= hit
        found[str(budget)] = len(seen) / targets if targets else 0.0
    return found


def recall_by_budget(rows: Sequence[Mapping[str, float]]) -> dict[float, float]:
    """Return the mean of `recall_within` over questions by budget, the smallest first."""
    budgets = sorted({budget for row in rows for budget in row}, key=float)
    found = {float(budget): [row[budget] for row in rows if budget in row] for budget in budgets}
    return {budget: sum(values) / len(values) for budget, values in found.items()}


def tokens_to_reach(rows: Sequence[Mapping[str, int | None]]) -> dict[str, tuple[float | None, float]]:
    """Return the tokens after which the median question reaches each level of recall, and the share that ever does."""
    found: dict[str, tuple[float | None, float]] = {}
    for level in sorted({level for row in rows for level in row}, key=float):
        costs = [row[level] for row in rows if level in row]
        reached = [cost for cost in costs if cost is not None]
        # Half of all questions, not of those that get there: leaving the others out would flatter who finds little.
        median = sorted(reached)[(len(costs) - 1) // 2] if 2 * len(reached) > len(costs) else None
        found[level] = (median, len(reached) / len(costs))
    return found


def mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the macro average of every metric, each over the questions that have it."""
    keys = dict.fromkeys(key for row in rows for key in row)
    found = {key: [row[key] for row in rows if key in row] for key in keys}
    return {key: sum(values) / len(values) for key, values in found.items()}


def percentile(values: Sequence[float], share: float) -> float:
    """Return the percentile with linear interpolation, 0 of nothing."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    place = (len(ordered) - 1) * share / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _first(hits: Hits) -> int:
    return next((rank for rank, hit in enumerate(hits, start=1) if hit), 0)
