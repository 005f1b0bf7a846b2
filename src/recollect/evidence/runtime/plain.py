"""Reads JSON lines that anybody can write: which symbol ran, how often, when, called by what, in which test."""

from __future__ import annotations

from datetime import datetime
from typing import IO

import msgspec

from recollect.evidence.runtime.sums import Frame, Sums

_LONGEST = 1 << 20


class Line(msgspec.Struct, frozen=True):
    """One line; keys that are not listed are passed over."""

    symbol: str = ""
    path: str = ""
    line: int = 0
    count: int = 1
    time: float | str | None = None
    """Seconds since 1970, or a date and time of ISO 8601."""
    caller: str = ""
    caller_path: str = ""
    test: str = ""


_DECODER = msgspec.json.Decoder(Line)


def read_plain(file: IO[bytes], sums: Sums, last: float) -> int:
    """Sum up a file; return how many lines could not be read."""
    damaged = 0
    while raw := file.readline(_LONGEST):
        if not raw.strip():
            continue
        sums.records += 1
        try:
            told = _DECODER.decode(raw)
            when = _seconds(told.time, last)
        except (msgspec.MsgspecError, ValueError, OverflowError):
            damaged += 1
            continue
        _count(told, when, sums)
    return damaged


def _count(told: Line, when: float, sums: Sums) -> None:
    frame = Frame(told.path, told.symbol, "", told.line)
    if told.count <= 0:
        return
    if not told.symbol and not (told.path and told.line):
        sums.unnamed += 1
        return
    sums.ran(frame, told.count, when)
    if told.caller:
        sums.step(Frame(told.caller_path, told.caller), frame, told.count, when)
    if told.test:
        sums.tested(told.test, frame, told.count, when)


def _seconds(time: float | str | None, last: float) -> float:
    if time is None:
        return last
    return datetime.fromisoformat(time).timestamp() if isinstance(time, str) else float(time)
