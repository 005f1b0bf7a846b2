"""Aggregates of a data set that are safe to share: counts and lengths, never a word of the texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from recollect.bench.metrics import percentile
from recollect.bench.tokens import count_tokens
from recollect.bench.values import DataSet


def describe(data: DataSet) -> dict[str, Any]:
    """Return the aggregates."""
    memories = [memory for rows in data.memories.values() for memory in rows]
    row: dict[str, Any] = {
        "data": data.name,
        "kind": data.kind,
        "digest": data.digest,
        "questions": len(data.questions),
        "splits": len(data.splits),
        "strata": dict(sorted(Counter(question.stratum for question in data.questions).items())),
        "targets_per_question": _spread([len(question.targets) for question in data.questions]),
        "questions_with_many_targets": sum(len(question.targets) > 1 for question in data.questions),
        "question_tokens": _spread([count_tokens(question.text) for question in data.questions]),
        "questions_per_split": _spread(list(Counter(one.split for one in data.questions).values())),
    }
    if memories:
        folded = Counter(" ".join(memory.content.split()).lower() for memory in memories)
        row |= {
            "memories": len(memories),
            "memory_tokens": _spread([count_tokens(memory.content) for memory in memories]),
            "same_text_twice": sum(count - 1 for count in folded.values()),
            "importance": _spread([memory.importance for memory in memories]),
            "with_tags": sum(bool(memory.tags) for memory in memories),
            "with_keywords": sum(bool(memory.expanded_keywords) for memory in memories),
        }
    else:
        targets = [target for question in data.questions for target in question.targets]
        row["targets"] = {
            "files": sum(bool(one.path) and one.start is None and not one.symbol for one in targets),
            "spans": sum(one.start is not None for one in targets),
            "symbols": sum(bool(one.symbol) for one in targets),
        }
        languages = Counter(spec.language or "not said" for spec in data.repositories.values())
        row["languages"] = dict(sorted(languages.items()))
    return row


def _spread(values: Sequence[float]) -> dict[str, float]:
    """Return the least, the median, the 95th percentile, the most and the mean."""
    if not values:
        return {}
    return {
        "min": min(values),
        "p50": percentile(values, 50),
        "p95": percentile(values, 95),
        "max": max(values),
        "mean": round(sum(values) / len(values), 3),
    }
