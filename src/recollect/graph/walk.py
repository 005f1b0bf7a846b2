"""Random walk with restart over the whole graph at once, as compressed sparse rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recollect.graph.transitions import Transitions
    from recollect.ports import Graph

    Floats = NDArray[np.float64]
    Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Walk:
    """How the walker moves and when it stops."""

    alpha: float = 0.2
    iterations: int = 20
    tolerance: float = 0.001
    stable_top: int = 10
    stable_rounds: int = 2
    depth: int = 4


@dataclass(frozen=True, slots=True)
class Result:
    """Where the walker was, by position in the graph."""

    mass: Floats
    """Probabilities that sum to one."""
    iterations: int
    reason: str
    """Why it stopped: converged, stable or limit."""

    @property
    def scores(self) -> Floats:
        """Return the probabilities divided by the largest."""
        top = float(self.mass.max()) if len(self.mass) else 0.0
        return self.mass / top if top > 0 else self.mass


def restart(graph: Graph, seeds: Mapping[int, float]) -> Floats:
    """Return the restart distribution for weighted seeds by dense number; seeds outside the graph are left out."""
    vector = np.zeros(len(graph.numbers))
    for number, weight in sorted(seeds.items()):
        position = int(np.searchsorted(graph.numbers, number))
        if weight > 0 and position < len(vector) and int(graph.numbers[position]) == number:
            vector[position] += weight
    total = float(vector.sum())
    return vector / total if total > 0 else vector


def walk(ready: Transitions, starts: Floats, rule: Walk | None = None) -> Result:
    """Walk within reach of the seeds until nothing changes any more; dead ends lead back to the seeds."""
    rule = rule or Walk()
    if not float(starts.sum()):
        return Result(starts, 0, "no seeds")
    steps = _Steps(ready, starts, rule.alpha)
    top, stable = np.zeros(0, dtype=np.int64), 0
    for iteration in range(1, rule.iterations + 1):
        if iteration == rule.depth + 1:
            # Restart keeps feeding every node that was ever reached, so what has mass now is what lies within reach.
            steps.stay_inside()
        change = steps.advance()
        if change < rule.tolerance:
            return Result(steps.mass_by_position(), iteration, "converged")
        now = steps.top(rule.stable_top)
        stable = stable + 1 if np.array_equal(now, top) else 0
        top = now
        if rule.stable_rounds and stable >= rule.stable_rounds:
            return Result(steps.mass_by_position(), iteration, "stable")
    return Result(steps.mass_by_position(), rule.iterations, "limit")


class _Steps:
    """Where the walker is; while that are few nodes, only their edges are touched, then all edges in columns."""

    SPARSE = 3
    """The whole graph is walked once more than one in so many of its entries would be touched."""

    def __init__(self, ready: Transitions, starts: Floats, alpha: float) -> None:
        self._ready = ready
        self._alpha = alpha
        self._starts = starts
        self._mass = starts.copy()
        self._mask: Floats | None = None
        self._room: Floats | None = None
        """Only there once all edges are walked; then nodes are numbered as the columns number them."""
        self._active = 0
        self._part: tuple[Positions, Positions, Floats] | None = None
        self._held: Positions = np.zeros(0, dtype=np.int64)
        """The largest values of the last step."""
        self._set_totals(ready.totals)

    def stay_inside(self) -> None:
        """From now on let nothing leave the nodes that have mass."""
        self._prepare(self._mass)
        self._mask = (self._mass > 0).astype(np.float64)
        self._set_totals(self._moved(self._mask) * self._mask)

    def advance(self) -> float:
        """Let everything move one step; return how much changed."""
        self._prepare(self._mass)
        lost = float(self._mass[self._dead].sum())
        moved = self._moved(self._mass * self._rates)
        if self._mask is not None:
            moved *= self._mask
        moved += (self._alpha + (1.0 - self._alpha) * lost) * self._starts
        np.subtract(moved, self._mass, out=self._mass)
        change = float(np.abs(self._mass, out=self._mass).sum())
        self._mass = moved
        return change

    def top(self, count: int) -> Positions:
        """Return the positions of the largest values; equal ones in the order of the graph."""
        mass = self._mass
        if len(mass) > count:
            # The largest of the last step bound those of this one from below, which leaves few to compare.
            least = mass[self._held].min() if len(self._held) == count else -np.inf
            chosen = np.flatnonzero(mass >= least)
            chosen = chosen[mass[chosen] >= np.partition(mass[chosen], -count)[-count]]
        else:
            chosen = np.arange(len(mass))
        positions = chosen if self._room is None else self._ready.columns.nodes[chosen]
        order = np.lexsort((positions, -np.round(mass[chosen], 12)))[:count]
        self._held = chosen[order]
        found: Positions = positions[order]
        return found

    def mass_by_position(self) -> Floats:
        """Return the mass of every node in the order of the graph."""
        if self._room is None:
            return self._mass
        mass = np.empty(len(self._mass))
        mass[self._ready.columns.nodes] = self._mass
        return mass

    def _set_totals(self, totals: Floats) -> None:
        """Note what each node passes on per unit of weight, and which pass on nothing."""
        self._rates = np.zeros(len(totals))
        np.divide(1.0 - self._alpha, totals, out=self._rates, where=totals > 0)
        self._dead = np.flatnonzero(totals <= 0)

    def _moved(self, values: Floats) -> Floats:
        """Return for every node the weighted sum of its neighbours' values."""
        if self._room is not None:
            return self._ready.columns.spread(values, self._room)
        if self._part is None:
            return np.zeros(len(values))
        rows, neighbours, weights = self._part
        moved: Floats = np.bincount(neighbours, weights=values[rows] * weights, minlength=len(values)).astype(
            np.float64, copy=False
        )
        return moved

    def _prepare(self, mass: Floats) -> None:
        """List the edges of the nodes with mass, unless these are the nodes of the last step, or too many."""
        if self._room is not None:
            return
        ready = self._ready
        nodes = np.flatnonzero(mass)
        if self._part is not None and len(nodes) == self._active:
            return
        self._active = len(nodes)
        size = int((ready.offsets[nodes + 1] - ready.offsets[nodes]).sum())
        if size * self.SPARSE > len(ready.neighbours):
            self._renumber()
        else:
            chosen = ready.entries(nodes)
            self._part = ready.rows[chosen], ready.neighbours[chosen], ready.weights[chosen]

    def _renumber(self) -> None:
        """Go on with all edges, in the order of the columns."""
        columns = self._ready.columns
        self._room, self._part = np.empty(columns.longest), None
        self._held = np.zeros(0, dtype=np.int64)
        self._starts, self._mass = self._starts[columns.nodes], self._mass[columns.nodes]
        self._rates = self._rates[columns.nodes]
        if self._mask is not None:
            self._mask = self._mask[columns.nodes]
        dead = np.zeros(len(self._mass), dtype=bool)
        dead[self._dead] = True
        self._dead = np.flatnonzero(dead[columns.nodes])
