"""Adds what a change concerns: what depends on it, surely or possibly, its tests, what it uses, its companions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from recollect.graph.choosing import Partner, choose_tests
from recollect.graph.impact import Walk, Way, node_of
from recollect.retrieve.allowed import is_phantom, passes
from recollect.retrieve.context import Context
from recollect.retrieve.past import Past
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates
from recollect.types import EDGE_TYPES, PLACE_KINDS, Item

_VERBS = {
    "calls": "calls", "references": "refers to", "decorates": "is decorated by", "extends": "extends",
    "implements": "implements", "type_hint_of": "names the type", "accesses_field": "uses the field",
    "throws": "throws", "handles_route": "is the route of", "tests": "tests",
}  # fmt: skip


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """How far it is followed, and what each way of being concerned weighs beside what was changed itself."""

    depth: int = 3
    proven: float = 0.8
    possible: float = 0.45
    further: float = 0.6
    """What each step away is multiplied by."""
    test: float = 0.6
    possible_test: float = 0.35
    tests: int = 20
    used: float = 0.4
    together: float = 0.3
    together_percent: int = 30
    most: int = 200


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Append what is concerned, each with how that is known; the surest reason for an item counts."""
    partners = _partners(context)
    best = {row.number: row for row in candidates}
    for made in (
        _followed(context, parameters, candidates, "callers"),
        _tests(context, parameters, partners),
        _followed(context, parameters, candidates, "callees"),
        _together(context, parameters, partners),
    ):
        for row in made:
            known = best.get(row.number)
            if known is None or (row.score > known.score and "touched" not in known.signals):
                best[row.number] = row
    items = context.items(best)
    kept = [row for row in best.values() if row.number in items and _shown(context, items[row.number])]
    return tuple(context.ordered(kept))[: len(candidates) + parameters.most]


def _shown(context: Context, item: Item) -> bool:
    return not is_phantom(item) and item.kind != "name" and passes(item, context.query.filters)


def _followed(
    context: Context, parameters: Parameters, candidates: Candidates, direction: str
) -> Iterator[Candidate]:
    """Yield what depends on the change, step by step, or what it uses directly."""
    graph = context.reader.graph()
    numbers = [row.number for row in candidates]
    nodes = [node for number in numbers if (node := node_of(graph, number)) is not None]
    back = direction == "callers"
    ways = Walk(context.reader, graph, direction).from_nodes(nodes, parameters.depth if back else 1)
    names = {number: item.name for number, item in context.items(
        {int(graph.numbers[node]) for node in (*ways, *nodes)}
    ).items()}  # fmt: skip
    for node, way in ways.items():
        if not back and not way.certain:
            continue
        distance = -way.nearness
        weight = parameters.used
        if back:
            weight = parameters.proven if way.certain else parameters.possible * way.confidence
        verb = _VERBS.get(EDGE_TYPES[int(graph.types[way.edge])], "concerns")
        via, origin = (names.get(int(graph.numbers[at]), "") for at in (way.via, _origin(ways, node)))
        reason = f"it {verb} {via}" if back else f"{via} uses it"
        if distance > 1:
            reason += f", which leads to {origin}"
        reason += "" if way.certain else f" (possibly, {way.confidence:.0%} sure)"
        score = weight * parameters.further ** (distance - 1)
        yield Candidate(int(graph.numbers[node]), score, reason, {"hops": float(distance)})


def _origin(ways: Mapping[int, Way], node: int) -> int:
    seen: set[int] = set()
    while node in ways and node not in seen:
        seen.add(node)
        node = ways[node].via
    return node


def _tests(
    context: Context, parameters: Parameters, partners: Mapping[str, Sequence[Partner]]
) -> Iterator[Candidate]:
    lines = {one.path: one.spans for one in context.query.lines}
    changed = {path: lines.get(path) for path in context.query.files}
    found = choose_tests(context.reader, changed, partners, parameters.depth)
    single = {test.path for test in found.tests if test.kind not in PLACE_KINDS}
    for test in found.tests[: parameters.tests]:
        item = context.reader.item(test.id)
        whole = test.kind in PLACE_KINDS and test.path in single
        if item is not None and test.reason != "changed" and not whole:
            sure = parameters.test if test.certain else parameters.possible_test * test.confidence
            yield Candidate(item.number, sure, f"a test: {test.why}", {"hops": 1.0})
    if found.unreached:
        some = ", ".join(found.unreached[:3])
        context.trace.summarise(f"No test is known to reach {len(found.unreached)} changed symbols: {some}.")


def _together(
    context: Context, parameters: Parameters, partners: Mapping[str, Sequence[Partner]]
) -> Iterator[Candidate]:
    for path, rows in partners.items():
        for one in rows:
            file = context.reader.file(one.path) if one.percent >= parameters.together_percent else None
            if file is not None and one.path not in context.query.files:
                reason = f"{one.percent} of 100 commits that changed {path} changed it too"
                yield Candidate(file.number, parameters.together * one.percent / 100, reason, {"hops": 1.0})


def _partners(context: Context) -> Mapping[str, Sequence[Partner]]:
    """Return the files that history has changing with those that were changed."""
    past: Past | None = context.services.get("past")
    if past is None:
        return {}
    for sentence in past.missing():
        context.trace.degrade(sentence)
    return {
        path: [Partner(str(one.second), one.times, one.percent) for one in past.partners(path)]
        for path in context.query.files
    }


STAGE = Stage("reach", "expand", Parameters, run)
