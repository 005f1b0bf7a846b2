"""What a packer is given and gives back: entries in the form that earned its tokens, inside a hard budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.retrieve.values import Candidate
    from recollect.types import Item


WHOLE = frozenset({"body", "delta", "unchanged"})
"""Forms after which a reader knows every line of the text."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One item in the answer."""

    candidate: Candidate
    item: Item
    text: str
    tokens: int
    """What it costs as it is written out, framing included."""
    form: str = "signature"
    ratio: float = 1.0


@dataclass(frozen=True, slots=True)
class Packed:
    """What fits, best first, and what it costs in all."""

    entries: tuple[Entry, ...]
    tokens: int
    budget: int
    omitted: int = 0


class Framing(Protocol):
    """How an answer is written out, as far as its cost is concerned."""

    def overhead(self, count: Callable[[str], int]) -> int:
        """Return the tokens that an answer costs before its first entry."""
        ...

    def cost(
        self, item: Item, text: str, reason: str, count: Callable[[str], int], form: str = "signature"
    ) -> int:
        """Return the tokens of one entry, with everything that is written around it."""
        ...


class PlainLines:
    """One line of place and name, the text, and the reason: the framing when a caller names none."""

    def overhead(self, count: Callable[[str], int]) -> int:
        """Return the cost of an empty answer: nothing."""
        return count("")

    def cost(
        self,
        item: Item,
        text: str,
        reason: str,
        count: Callable[[str], int],
        form: str = "signature",  # noqa: ARG002  # it looks the same in every form
    ) -> int:
        """Return the cost of an entry, counted as written so that joined lines never cost more."""
        place = f"{item.path}:{item.start_line}-{item.end_line} {item.kind} {item.name}\n"
        return count(f"{place}{text}\n{reason}\n\n") + 1


def chars4(text: str) -> int:
    """Estimate tokens as a quarter of the characters, rounded up."""
    return (len(text) + 3) // 4


def node_tokens(item: Item) -> int:
    """Estimate what naming a symbol costs: its name, kind and signature."""
    return max(1, len(item.name + item.kind + item.signature) // 4)


def proximity_exponent(
    phantom_ratio: float, base: float = 0.3, slope: float = 0.2, highest: float = 0.7
) -> float:
    """Return how strongly nearness counts: more, the more of the candidates stand outside the source."""
    return min(highest, max(base, base + slope * phantom_ratio))


def density(score: float, tokens: int, walk: float, exponent: float) -> float:
    """Return value per token, weighted by nearness to the seeds."""
    return float(score / max(1, tokens) * max(0.0, walk) ** exponent)
