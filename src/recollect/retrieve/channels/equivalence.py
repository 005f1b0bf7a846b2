"""What people call a thing, and what code calls it: classes of shipped, project and graph-derived vocabulary."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from recollect.retrieve.aliases import aliases
from recollect.retrieve.channels import tiered
from recollect.retrieve.concepts import matches, spoken, symbols_of
from recollect.retrieve.context import Context
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates

Layer = Literal["project", "universal", "language", "framework"]


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Which layers speak, and how much each may say."""

    layers: tuple[Layer, ...] = ("project", "universal", "language", "framework")
    graph: bool = True
    """Whether the neighbours of the best name matches lend them their words."""
    graph_weight: float = 0.7
    graph_seeds: int = 10
    per_target: int = 5
    limit: int = 100


def run(context: Context, parameters: Parameters) -> Candidates:
    """Match the classes and look their targets up, the heaviest class first."""
    rows: list[Candidate] = []
    for number, target, match in symbols_of(
        context, matches(context, parameters.layers), parameters.per_target
    ):
        concept = match.matched.concept.lower().replace("_", " ")
        reason = f"{spoken(match)} speaks of {concept}, which code may call {target}"
        weight = match.matched.weight
        rows.append(
            Candidate(number, weight, reason, {"equivalence": weight, "fuse.weight": min(1.0, weight)})
        )
    if parameters.graph:
        best = list(tiered.found(context, tiered.Parameters()))[: parameters.graph_seeds]
        for number, phrase in aliases(context, best).items():
            lent = {"fuse.weight": parameters.graph_weight}
            rows.append(
                Candidate(number, parameters.graph_weight, f'its neighbours speak of "{phrase}"', lent)
            )
    unique: dict[int, Candidate] = {}
    for row in sorted(rows, key=lambda row: -row.score):
        unique.setdefault(row.number, row)
    return tuple(unique.values())[: parameters.limit]


STAGE = Stage("equivalence", "channel", Parameters, run)
