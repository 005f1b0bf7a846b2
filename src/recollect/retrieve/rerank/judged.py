"""Orders memories by what was learned from those that were of use; changes nothing before enough was learned."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked
from recollect.retrieve.recall.columns import Columns
from recollect.retrieve.recall.features import FEATURES, features_of
from recollect.retrieve.stage import Stage


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How many are looked at, and how much of the new score comes from what was learned."""

    top: int = 20
    weight: float = 0.3


def run(context: Context, parameters: Parameters, candidates: Columns) -> Columns:
    """Blend the scores of the head with how likely each is of use; keep the features, which the answer files."""
    if not len(candidates):
        return candidates
    features = features_of(context, candidates.rows)
    signals = {f"feature__{name}": features[:, at] for at, name in enumerate(FEATURES)}
    judge = asked(context).view.means.judge()
    if judge is None or not parameters.weight:
        return candidates.scored(candidates.scores, **signals)
    head = np.arange(len(candidates)) < parameters.top
    likely = np.where(head, judge(features), 0.0)
    scores = (1.0 - parameters.weight) * candidates.scores + parameters.weight * likely
    return candidates.scored(np.where(head, scores, (1.0 - parameters.weight) * candidates.scores), **signals)


STAGE = Stage("judged", "rerank", Parameters, run)
