"""What evidence adds to an impact: the past of the symbol, who owns it, and whether anything living needs it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from recollect.evidence.dead.find import Digging, find_dead
from recollect.evidence.dead.users import KINDS
from recollect.evidence.history.view import PastView
from recollect.evidence.runtime.known import Running
from recollect.ports import Reader
from recollect.types import Impact, Item, Past, Unused

_SHOWN = 5
_MOST_EDGES = 1_000_000
"""In larger graphs nobody waits for the question whether one symbol is dead."""


def with_evidence(reader: Reader, impact: Impact, root: Path, past: PastView, running: Running) -> Impact:
    """Return an impact with what history and runs tell of the symbols that were asked about."""
    told = running.told(reader, impact)
    pasts = {item.id: known for item in impact.starts if (known := _past(reader, item, past)) is not None}
    return replace(told, past=pasts, unused=_unused(reader, impact, root, running))


def _past(reader: Reader, item: Item, past: PastView) -> Past | None:
    symbol, file = past.symbol(item), past.files([item.path]).get(item.path)
    owners = _owners(reader, item.path)
    if symbol is None and file is None and not owners:
        return None
    people = file.people[:_SHOWN] if file else ()
    return Past(
        symbol.commits if symbol else 0,
        symbol.latest if symbol else (file.latest if file else 0),
        file.commits if file else 0,
        tuple((one.name, one.commits) for one in people),
        owners,
        _partners(reader, item, past),
    )


def _owners(reader: Reader, path: str) -> tuple[str, ...]:
    file = reader.file(path)
    edges = reader.edges(file.number, incoming=False, types=("owned_by",)) if file is not None else ()
    return tuple(item.name for item in reader.items([edge.target for edge in edges]))


def _partners(reader: Reader, item: Item, past: PastView) -> tuple[tuple[str, int], ...]:
    """Return symbols and then files that change with an item, most often first."""
    edges = reader.edges(item.number, incoming=False, types=("changes_with",))
    shares = {edge.target: round(100 * edge.confidence) for edge in edges}
    symbols = [(f"{one.path}:{one.name}", shares[one.number]) for one in reader.items(sorted(shares))]
    files = [(str(pair.second), pair.percent) for pair in past.partners(item.path)]
    rows = [sorted(part, key=lambda row: (-row[1], row[0]))[:_SHOWN] for part in (symbols, files)]
    return (*rows[0], *rows[1])


def _unused(reader: Reader, impact: Impact, root: Path, running: Running) -> dict[str, Unused]:
    living = any(one.certain and one.distance == 1 and not one.test for one in impact.reached)
    asked = {item.number: item for item in impact.starts if item.kind in KINDS}
    if impact.direction != "callers" or living or not asked or len(reader.graph().targets) > _MOST_EDGES:
        return {}
    found, _ = find_dead(Digging(root, reader, running.ran, lambda _: None), only=asked)
    return {one.id: Unused(one.certainty, one.reasons) for one in found}
