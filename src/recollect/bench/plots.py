"""Small plots as SVG text: bars, points, lines and differences, with intervals; no script, no outside resource.

Colours are not in them: a mark of series N has the class cN, and the page around the plot says what that looks like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from recollect.bench import axes
from recollect.bench.axes import Axis

HEIGHT = 300
FULL, HALF = 1000, 490
LEFT, RIGHT, TOP, BOTTOM = 58, 18, 14, 46
COLOURS = 10
LETTER = 7.2
"""About how wide a letter of the plots is."""


@dataclass(frozen=True, slots=True)
class Series:
    """Named points; `low` and `high` are intervals where there are any."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


def bars(groups: Sequence[str], series: Sequence[Series], label: str) -> str:
    """Return grouped bars with intervals; each series has one value a group."""
    frame = _Frame(_Room(FULL), Axis(0, max(1, len(groups)), ()), _up(series), ("", label))
    wide = frame.width / max(1, len(groups))
    each = wide * 0.84 / max(1, len(series))
    parts = []
    for at, one in enumerate(series):
        for group, value in enumerate(one.y):
            left = LEFT + wide * (group + 0.08) + each * at
            told = _told(one, groups[group], group)
            parts.append(
                f'<rect class="mark c{at % COLOURS}" x="{left:.1f}" y="{frame.y(value):.1f}" rx="2" '
                f'width="{each * 0.88:.1f}" height="{frame.y(0) - frame.y(value):.1f}">{told}</rect>'
            )
            if one.low:
                parts.append(_upright(left + each * 0.44, frame.y(one.low[group]), frame.y(one.high[group])))
    for group, name in enumerate(groups):
        parts.append(_text(LEFT + wide * (group + 0.5), HEIGHT - BOTTOM + 18, name))
    return frame.draw(parts)


def scatter(series: Sequence[Series], x_label: str, y_label: str) -> str:
    """Return points with vertical intervals and their names beside them."""
    across = axes.logarithmic(x for one in series for x in one.x)
    frame = _Frame(_Room(HALF), across, _up(series), (x_label, y_label))
    parts = []
    for at, one in enumerate(series):
        for place, (x, y) in enumerate(zip(one.x, one.y, strict=True)):
            if one.low:
                parts.append(_upright(frame.x(x), frame.y(one.low[place]), frame.y(one.high[place])))
            parts.append(
                f'<circle class="mark c{at % COLOURS}" cx="{frame.x(x):.1f}" cy="{frame.y(y):.1f}" r="5.5">'
                f"{_told(one, f'{x:,.4g}', place)}</circle>"
            )
    points = [(frame.x(one.x[0]), frame.y(one.y[0]), one.name) for one in series if one.x]
    return frame.draw([*parts, *_beside(points, frame)])


def lines(series: Sequence[Series], x_label: str, y_label: str, powers: bool = False) -> str:
    """Return lines through points in the order of x; with `powers` values may be drawn on a logarithmic axis."""
    up = axes.fitting(value for one in series for value in one.y) if powers else _up(series)
    across = axes.fitting(x for one in series for x in one.x)
    frame = _Frame(_Room(HALF), across, up, (x_label, y_label))
    parts = []
    for at, one in enumerate(series):
        points = sorted(zip(one.x, one.y, strict=True))
        path = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in points)
        parts.append(f'<polyline class="line c{at % COLOURS}" points="{path}"/>')
        parts += [
            f'<circle class="mark c{at % COLOURS}" cx="{frame.x(x):.1f}" cy="{frame.y(y):.1f}" r="3.2">'
            f"<title>{escape(one.name)}: {x:,.6g}, {y:.4g}</title></circle>"
            for x, y in points
        ]
    return frame.draw(parts)


def differences(series: Sequence[Series], label: str) -> str:
    """Return one row a series: its difference from zero with the interval, filled when the interval excludes zero."""
    names = max((len(one.name) for one in series), default=0)
    left = 20 + LETTER * min(names, 40)
    height = TOP + BOTTOM + 30 * len(series)
    frame = _Frame(_Room(FULL, height, left), _up(series), Axis(0, 1, ()), (label, ""))
    parts = [
        f'<line class="zero" x1="{frame.x(0):.1f}" x2="{frame.x(0):.1f}" y1="{TOP}" y2="{height - BOTTOM}"/>'
    ]
    for at, one in enumerate(series):
        y = TOP + 30 * at + 15
        low, high = one.low[0], one.high[0]
        kind = "mark" if low > 0 or high < 0 else "hollow"
        parts += [
            _text(left - 10, y + 4, one.name, "end"),
            f'<path class="line c{(at + 1) % COLOURS}" d="M{frame.x(low):.1f} {y}H{frame.x(high):.1f}"/>',
            f'<circle class="{kind} c{(at + 1) % COLOURS}" cx="{frame.x(one.y[0]):.1f}" cy="{y}" r="5.5">'
            f"<title>{escape(one.name)}: {one.y[0]:+.4f} [{low:+.4f}, {high:+.4f}]</title></circle>",
        ]
    return frame.draw(parts)


def _up(series: Sequence[Series]) -> Axis:
    return axes.linear(value for one in series for value in (*one.y, *one.low, *one.high))


def _told(one: Series, where: str, place: int) -> str:
    span = f" [{one.low[place]:.4f}, {one.high[place]:.4f}]" if one.low else ""
    return f"<title>{escape(one.name)}, {escape(where)}: {one.y[place]:.4f}{span}</title>"


class _Room(NamedTuple):
    wide: int
    height: int = HEIGHT
    left: float = LEFT


class _Frame:
    """Axes, and where a value lies between them."""

    def __init__(self, room: _Room, x: Axis, y: Axis, labels: tuple[str, str]) -> None:
        self._wide, self._height, self._left = room
        self.width = self._wide - self._left - RIGHT
        self._x, self._y, self._labels = x, y, labels

    def x(self, value: float) -> float:
        return self._left + self.width * self._x.share(value)

    def y(self, value: float) -> float:
        return TOP + (self._height - TOP - BOTTOM) * (1 - self._y.share(value))

    def draw(self, parts: Sequence[str]) -> str:
        drawn = "".join([*self._grid(), *parts])
        label = escape(" against ".join(part for part in reversed(self._labels) if part))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._wide} {self._height}" role="img" '
            f'aria-label="{label}">{drawn}</svg>'
        )

    def _grid(self) -> list[str]:
        bottom, right = self._height - BOTTOM, self._wide - RIGHT
        parts = []
        for value in self._y.ticks:
            y = self.y(value)
            parts.append(f'<line class="grid" x1="{self._left:.1f}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
            parts.append(_text(self._left - 8, y + 4, axes.name(value), "end"))
        for value in self._x.ticks:
            x = self.x(value)
            parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}"/>')
            parts.append(_text(x, bottom + 18, axes.name(value)))
        x_label, y_label = self._labels
        parts.append(_text(self._left + self.width / 2, self._height - 8, x_label, kind="label"))
        middle = (TOP + bottom) / 2
        parts.append(
            f'<text class="label" x="13" y="{middle:.0f}" text-anchor="middle" '
            f'transform="rotate(-90 13 {middle:.0f})">{escape(y_label)}</text>'
        )
        return parts


def _beside(points: Sequence[tuple[float, float, str]], frame: _Frame) -> list[str]:
    """Write a name beside each point, moved up or down until no two overlap."""
    placed: list[tuple[float, float, float]] = []
    parts = []
    for x, y, name in sorted(points, key=lambda point: point[1]):
        size = LETTER * len(name)
        to_left = x + 10 + size > LEFT + frame.width
        start = x - 10 - size if to_left else x + 10
        row = y + 4
        while any(
            abs(row - other) < 13 and start < end and begin < start + size for begin, end, other in placed
        ):
            row += 2
        placed.append((start, start + size, row))
        parts.append(_text(x - 10 if to_left else x + 10, row, name, "end" if to_left else "start", "name"))
    return parts


def _upright(x: float, low: float, high: float) -> str:
    ends = f"M{x - 3:.1f} {low:.1f}h6M{x - 3:.1f} {high:.1f}h6"
    return f'<path class="interval" d="M{x:.1f} {low:.1f}V{high:.1f}{ends}"/>'


def _text(x: float, y: float, text: str, anchor: str = "middle", kind: str = "") -> str:
    shown = f' class="{kind}"' if kind else ""
    return (
        f'<text{shown} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>' if text else ""
    )
