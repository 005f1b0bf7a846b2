"""Reads which times a question names, and finds the memories that tell of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import numpy as np

from recollect import moments
from recollect.store.shelf import Column, Shelf
from recollect.store.view import MemoryView

DAY = 86_400_000
LONGEST = 31 * DAY
"""Who tells of more days than this and than were asked for tells of no time in particular."""


class Span(NamedTuple):
    """A time, in milliseconds since 1970."""

    first: int
    end: int
    """The millisecond after it."""


def spans_of(text: str, said: int, shelf: Shelf) -> list[Span]:
    """Return the times that a question names; a month without a year is meant of every year that memories are of."""
    return [
        _span(first, last) for moment in moments.find(text, said) for first, last in _years(moment, shelf)
    ]


def told_rows(view: MemoryView, span: Span) -> Column:
    """Return the rows of the memories that tell of a time that meets another one and is not much longer."""
    told = view.postings.told
    if told is None:
        labels = view.reader.labels("entity:date")
        spans = [_span(*moments.days_of(name)) for name in labels]
        told = view.postings.told = np.array(
            [(*span, label) for span, label in zip(spans, labels.values(), strict=True)], np.int64
        ).reshape(-1, 3)
    first, end, labelled = told.T
    meets = (first < span.end) & (end > span.first)
    meets &= end - first <= max(LONGEST, span.end - span.first)
    numbers = [number for label in labelled[meets] for number in view.reader.mentioning(int(label))]
    rows = view.shelf.places(np.asarray(numbers, np.int64))
    found: Column = np.unique(rows[rows >= 0])
    return found


def _years(moment: moments.Moment, shelf: Shelf) -> Iterator[tuple[date, date]]:
    if moment.has_year or not moment.dated or not len(shelf):
        yield moment.first, moment.last
        return
    created = shelf.column("created")
    for year in range(_year(int(created.min())), _year(int(created.max())) + 1):
        yield _in(year, moment.first), _in(year, moment.last)


def _in(year: int, day: date) -> date:
    return day.replace(year=year, day=min(day.day, 28) if day.month == 2 else day.day)


def _year(stamp: int) -> int:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=stamp)).year


def _span(first: date, last: date) -> Span:
    start = date(1970, 1, 1)
    return Span((first - start).days * DAY, ((last - start).days + 1) * DAY)
