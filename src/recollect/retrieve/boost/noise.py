"""A little chance in the order, for whoever wants it; the same seed gives the same order."""

from __future__ import annotations

from zlib import crc32

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.stage import Stage


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """The spread of what is added to scores between 0 and 1; 0 adds nothing."""

    noise: float = 0.0
    seed: int = 0


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Add normally distributed noise."""
    if not parameters.noise or not len(candidates):
        return candidates
    dice = np.random.default_rng([parameters.seed, crc32(context.query.text.encode("utf-8", "replace"))])
    added = dice.normal(0.0, parameters.noise, len(candidates))
    return candidates.scored(np.clip(candidates.scores + added, 1e-9, 1.0), noise=added)


STAGE = Stage("noise", "boost", Parameters, run)
