"""What would have kept an item in an answer, as far as the trace of the run tells."""

from __future__ import annotations

import numpy as np

from recollect.retrieve.pipeline import Answer
from recollect.retrieve.trace import StageTrace
from recollect.retrieve.words import split_identifier
from recollect.types import Item


def remedy(answer: Answer, item: Item, lost: StageTrace | None) -> tuple[str, ...]:
    """Return sentences, the surest first."""
    if lost is None:
        return (*_walked(answer, item), *_further(answer), *_name_it(answer, item))
    if lost.phase == "fuse":
        rank = int(lost.details[item.number]["rank"])
        return (f"{lost.key}.limit={rank} would have kept it.", *_name_it(answer, item))
    if lost.phase == "pack" and answer.packed is not None:
        return (
            f"A budget larger than {answer.packed.budget} tokens would have made room: {lost.dropped[item.number]}.",
        )
    if lost.key.startswith("expand.") and "scores" in lost.data:
        return _walked(answer, item)
    return (f"{lost.key}.enabled=false would have kept it.",)


def _walked(answer: Answer, item: Item) -> tuple[str, ...]:
    """Return the threshold under which the walk would have kept it."""
    for stage in answer.trace.stages:
        if "scores" not in stage.data:
            continue
        numbers, scores = stage.data["numbers"], stage.data["scores"]
        place = int(np.searchsorted(numbers, item.number))
        if place >= len(numbers) or int(numbers[place]) != item.number:
            return ("It has no edges, so no walk can reach it.",)
        score = float(scores[place])
        if score <= 0.0:
            return ("The walk did not reach it; it is more steps away from every seed than the walk goes.",)
        if score < stage.data["threshold"]:
            return (
                f"{stage.key}.threshold={0.95 * score:.2g} would have kept it; the walk gave it {score:.4f}.",
            )
    return ()


def _further(answer: Answer) -> tuple[str, ...]:
    """Name the channels that brought all they may, so that it may stand further down in them."""
    full = []
    for use in answer.profile.of("channel"):
        stage, limit = answer.trace.of(use.key), getattr(use.parameters, "limit", 0)
        if stage is not None and use.weight and 0 < limit <= len(stage.after):
            full.append(f"{use.key}.limit={limit}")
    if not full:
        return ()
    return (f"It may stand further down where a channel brought all it may: raise {', '.join(full)}.",)


def _name_it(answer: Answer, item: Item) -> tuple[str, ...]:
    said = {word.lower() for word in answer.query.keywords.all}
    own = [part.lower() for part in split_identifier(item.name.rpartition(".")[2])]
    shared = [part for part in own if part in said]
    leaf = item.name.rpartition(".")[2]
    if not shared:
        return (f"The task shares no word with its name; write `{leaf}` in it.",)
    return (f"Of its name the task says only {', '.join(shared)}; write `{leaf}` in it.",)
