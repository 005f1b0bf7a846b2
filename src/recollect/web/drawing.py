"""The surroundings of a symbol as a drawing: boxes in columns, or below each other where the page is narrow."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from recollect.types import Around, Item, Neighbour

WIDE, NARROW = 940, 343
SIDE, MIDDLE = 292, 236
HEIGHT, GAP, HEADING, BETWEEN = 44, 7, 24, 14
CENTRE_HEIGHT = 92
DRAWN = 5
"""Boxes of one relation; the list below the drawing has the rest."""
COLUMN = 14
"""Boxes of one column."""
CHARACTER = 7.5
"""How wide a character of a name is drawn."""
SMALL_CHARACTER = 6.6


@dataclass(frozen=True, slots=True)
class Group:
    """All neighbours of one relation in one direction."""

    relation: str
    outgoing: bool
    words: str
    family: str
    neighbours: tuple[Neighbour, ...]
    count: int

    @property
    def key(self) -> str:
        """Return a name for the group that can stand in an address."""
        return f"{'out' if self.outgoing else 'in'}-{self.relation}"


@dataclass(frozen=True, slots=True)
class Box:
    """A symbol that can be gone to."""

    x: float
    y: float
    width: float
    height: float
    item: Item
    name: str
    place: str
    family: str = "call"
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Curve:
    """A relation, from left to right or down the page."""

    path: str
    tip: str
    family: str
    certain: bool
    said: str


@dataclass(frozen=True, slots=True)
class Heading:
    """What the boxes below it are to the symbol."""

    x: float
    y: float
    text: str
    more: int
    key: str


@dataclass
class Drawing:
    """Everything that is drawn, in pixels."""

    width: float
    height: float = 0
    centre: Box | None = None
    boxes: list[Box] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)


@cache
def relations() -> dict[str, dict[str, str]]:
    """Read what relations are called."""
    text = files("recollect.web").joinpath("relations.toml").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = tomllib.loads(text)
    return found


def groups(around: Around) -> list[Group]:
    """Return the neighbours by relation and direction, in the order of the engine."""
    found: dict[tuple[bool, str], list[Neighbour]] = {}
    for one in around.neighbours:
        found.setdefault((one.outgoing, one.relation), []).append(one)
    made = []
    for (outgoing, relation), rows in found.items():
        side = "out" if outgoing else "in"
        said = relations().get(relation, {})
        words = said.get(side, relation.replace("_", " "))
        count = around.counts.get(f"{side}:{relation}", len(rows))
        made.append(Group(relation, outgoing, words, said.get("family", "word"), tuple(rows), count))
    return made


def draw(around: Around, narrow: bool = False) -> Drawing:
    """Lay out the symbol with what leads to it before it and what it leads to behind it."""
    found = groups(around)
    before = _cut([group for group in found if not group.outgoing])
    after = _cut([group for group in found if group.outgoing])
    return _below(around.item, before, after) if narrow else _beside(around.item, before, after)


def _cut(column: Sequence[Group]) -> list[tuple[Group, int]]:
    """Return how many boxes of each group are drawn, so that each has one and the column stays readable."""
    left = COLUMN - len(column)
    kept = []
    for group in column:
        more = min(DRAWN - 1, len(group.neighbours) - 1, max(0, left))
        left -= more
        kept.append((group, 1 + more))
    return kept


def _height(column: Sequence[tuple[Group, int]]) -> float:
    return sum(HEADING + count * (HEIGHT + GAP) for _, count in column) + BETWEEN * max(0, len(column) - 1)


def _beside(item: Item, before: list[tuple[Group, int]], after: list[tuple[Group, int]]) -> Drawing:
    drawing = Drawing(WIDE)
    heights = (_height(before), _height(after))
    drawing.height = max(*heights, CENTRE_HEIGHT) + 8
    left = (WIDE - MIDDLE) / 2
    centre = _box(left, (drawing.height - CENTRE_HEIGHT) / 2, MIDDLE, item)
    drawing.centre = centre
    for column, x, height in ((before, 0.0, heights[0]), (after, float(WIDE - SIDE), heights[1])):
        rows = list(_column(drawing, column, x, (drawing.height - height) / 2, SIDE))
        for place, (box, group, one) in enumerate(rows, 1):
            port = centre.y + CENTRE_HEIGHT * place / (len(rows) + 1)
            middle = box.y + HEIGHT / 2
            if group.outgoing:
                path = _curved(left + MIDDLE, port, x - 6, middle)
                drawing.curves.append(_curve(path, (x, middle), group, one))
            else:
                path = _curved(SIDE, middle, left - 6, port)
                drawing.curves.append(_curve(path, (left, port), group, one))
    return drawing


def _below(item: Item, before: list[tuple[Group, int]], after: list[tuple[Group, int]]) -> Drawing:
    drawing = Drawing(NARROW)
    indent = 26.0
    above = list(_column(drawing, before, indent, 0.0, NARROW - indent))
    top = _height(before) + (BETWEEN if before else 0)
    drawing.centre = _box(0, top, NARROW, item)
    bottom = top + CENTRE_HEIGHT
    below = list(_column(drawing, after, indent, bottom + BETWEEN, NARROW - indent))
    drawing.height = bottom + BETWEEN + _height(after)
    for box, group, one in (*above, *below):
        middle = box.y + HEIGHT / 2
        if group.outgoing:
            path = f"M10 {bottom}V{middle - 8}q0 8 8 8H{indent - 6}"
            drawing.curves.append(_curve(path, (indent, middle), group, one))
        else:
            path = f"M{indent} {middle}H18q-8 0 -8 8V{top}"
            drawing.curves.append(Curve(path, "", group.family, one.certain, _said(group, one)))
    return drawing


def _column(
    drawing: Drawing, column: Sequence[tuple[Group, int]], x: float, y: float, width: float
) -> Iterator[tuple[Box, Group, Neighbour]]:
    for group, count in column:
        hidden = group.count - count
        drawing.headings.append(Heading(x, y + HEADING - 9, group.words, hidden, group.key))
        y += HEADING
        for one in group.neighbours[:count]:
            box = _box(x, y, width, one.item, group.family, one.certain)
            drawing.boxes.append(box)
            yield box, group, one
            y += HEIGHT + GAP
        y += BETWEEN


def _box(x: float, y: float, width: float, item: Item, family: str = "call", certain: bool = True) -> Box:
    inner = width - 26
    place = f"{item.path}:{item.start_line}" if item.start_line else item.path
    if item.name == item.path:
        place = item.path.rpartition("/")[0]
    name = item.name.rpartition("/")[2] if item.name == item.path else item.name
    height = (
        HEIGHT if family and x != (WIDE - MIDDLE) / 2 and width not in (MIDDLE, NARROW) else CENTRE_HEIGHT
    )
    return Box(
        x, y, width, height, item,
        _shortened(name, int(inner / CHARACTER)), _shortened(place, int(inner / SMALL_CHARACTER)), family, certain,
    )  # fmt: skip


def _shortened(text: str, most: int) -> str:
    """Keep the end, which tells most of a path or a qualified name."""
    return text if len(text) <= most else f"…{text[len(text) - most + 1 :]}"


def _curved(x: float, y: float, to_x: float, to_y: float) -> str:
    bend = (to_x - x) * 0.55
    return f"M{x:.1f} {y:.1f}C{x + bend:.1f} {y:.1f} {to_x - bend:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}"


def _curve(path: str, end: tuple[float, float], group: Group, one: Neighbour) -> Curve:
    x, y = end
    return Curve(path, f"M{x:.1f} {y:.1f}l-8 -4v8z", group.family, one.certain, _said(group, one))


def _said(group: Group, one: Neighbour) -> str:
    sure = one.provenance if one.certain else f"{one.provenance}, {one.confidence:.0%} sure"
    return f"{group.words} {one.item.name} ({sure})"
