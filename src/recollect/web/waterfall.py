"""An explanation as rows of a waterfall: what each channel adds, then how each stage moves the score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.types import Explanation, Step

TONES = 8
"""How many colours there are for channels; more channels begin again."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a bar, in percent of the scale from 0 to 1."""

    left: float
    width: float
    tone: str
    label: str


@dataclass(frozen=True, slots=True)
class Row:
    """One stage: where the score stood before and after it."""

    name: str
    phase: str
    rank: int | None
    score: float | None
    change: float | None
    """What the stage added, None where there was no score before or is none after it."""
    text: str
    segments: tuple[Segment, ...] = ()
    found: bool = True


@dataclass(frozen=True, slots=True)
class Waterfall:
    """Everything that is drawn of one explanation."""

    channels: tuple[Row, ...]
    stages: tuple[Row, ...]
    final: float | None


def waterfall(found: Explanation) -> Waterfall:
    """Lay an explanation out; every number is one that the trace holds."""
    channels = [step for step in found.steps if step.stage.startswith("channel.")]
    others = [step for step in found.steps if not step.stage.startswith("channel.")]
    tones = {_name(step): f"tone{place % TONES}" for place, step in enumerate(channels)}
    added = next((step.terms for step in others if step.stage.startswith("fuse.")), {})
    rows = tuple(_channel(step, added.get(_name(step)), tones) for step in channels)
    stages = tuple(_stages(others, tones))
    final = next((row.score for row in reversed(stages) if row.score is not None), None)
    return Waterfall(rows, stages, final)


def _channel(step: Step, added: float | None, tones: dict[str, str]) -> Row:
    name = _name(step)
    segments = () if added is None else _bars([(name, added)], 0.0, tones)
    return Row(name, "channel", step.rank, None, added, step.text, segments, step.rank is not None)


def _stages(steps: Sequence[Step], tones: dict[str, str]) -> Iterable[Row]:
    before: float | None = None
    for step in steps:
        phase, _, name = step.stage.partition(".")
        change = None if step.score is None or before is None else step.score - before
        yield Row(
            name, phase, step.rank, step.score, change, step.text, _segments(step, before, tones),
            not step.text.startswith("lost"),
        )  # fmt: skip
        before = before if step.score is None else step.score


def _segments(step: Step, before: float | None, tones: dict[str, str]) -> tuple[Segment, ...]:
    if step.score is None:
        return ()
    terms = [(name, value) for name, value in step.terms.items() if value > 0 and name in tones]
    if step.stage.startswith("fuse.") and terms:
        return _bars(terms, 0.0, tones)
    if before is None:
        return (_segment(0.0, step.score, "sum", "score"),)
    if step.score == before:
        return (_segment(0.0, before, "base", "unchanged"),)
    low, high = sorted((before, step.score))
    tone, label = ("up", "gained") if step.score > before else ("down", "lost")
    return (_segment(0.0, low, "base", "kept"), _segment(low, high - low, tone, label))


def _bars(terms: Iterable[tuple[str, float]], start: float, tones: dict[str, str]) -> tuple[Segment, ...]:
    segments = []
    for name, value in terms:
        segments.append(_segment(start, value, tones[name], f"{name} {value:.3f}"))
        start += value
    return tuple(segments)


def _segment(left: float, width: float, tone: str, label: str) -> Segment:
    start = min(max(left, 0.0), 1.0)
    end = min(max(left + width, 0.0), 1.0)
    return Segment(round(start * 100, 2), round((end - start) * 100, 2), tone, label)


def _name(step: Step) -> str:
    return step.stage.partition(".")[2]
