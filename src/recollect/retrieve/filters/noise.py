"""Takes out what has no source here, is built, vendored or minified, is test scaffolding, or has no telling name."""

from __future__ import annotations

from msgspec import Struct

from recollect.retrieve.allowed import noise
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidates


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What the filter lets through."""

    test_scaffolding_for_tests: bool = True
    """Whether mocks and fixtures stay when the task is about tests."""
    keep_pointed_at: bool = True
    """Whether what the caller named by file or line stays."""


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Keep what is no noise."""
    items = context.items(row.number for row in candidates)
    lenient = parameters.test_scaffolding_for_tests and context.query.about_tests
    kept = []
    for row in candidates:
        reason = noise(items[row.number], lenient) if row.number in items else "it is gone"
        named = parameters.keep_pointed_at and ("rank.places" in row.signals or "rank.changed" in row.signals)
        if reason and not named:
            context.trace.drop(row.number, reason)
        else:
            kept.append(row)
    return tuple(kept)


STAGE = Stage("noise", "filter", Parameters, run)
