"""Finds the times that a text tells, also relative ones, as days from and until."""

from __future__ import annotations

import re
import tomllib
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

MOST = 24
_YEAR_ALONE = re.compile(r"\b(?:19|20)\d\d\b")
"""What every look needs that has no hint in it."""
_MONTH = re.compile(r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")


class Moment(NamedTuple):
    """A time that a text tells."""

    written: str
    first: date
    last: date
    """The last day of it; the first one when it is a day."""

    @property
    def dated(self) -> bool:
        """Tell whether it names a month or a year, and so means the same whenever it is said."""
        return self.has_year or _MONTH.search(self.written) is not None

    @property
    def has_year(self) -> bool:
        """Tell whether it names a year."""
        return _YEAR.search(self.written) is not None

    @property
    def name(self) -> str:
        """Return it as ISO 8601 writes it: a year, a month, a day, or two days with a slash."""
        whole_month = self.first.day == 1 and self.last == _end_of_month(self.first)
        if self.first == self.last:
            return self.first.isoformat()
        if whole_month:
            return f"{self.first:%Y-%m}"
        if (self.first.month, self.first.day, self.last.month, self.last.day) == (1, 1, 12, 31) and (
            self.first.year == self.last.year
        ):
            return f"{self.first.year:04}"
        return f"{self.first.isoformat()}/{self.last.isoformat()}"


def find(text: str, said: int) -> list[Moment]:
    """Return the times that a text tells which was said at a point in time, milliseconds since 1970."""
    looks = _looks()
    lower = text.lower()
    if not any(hint in lower for hint in looks.hints) and not _YEAR_ALONE.search(text):
        return []
    today = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=said)).date()
    found: list[Moment] = []
    for match in looks.all.finditer(text):
        try:
            days = _read(match, today, found[-1] if found else None)
        except (ValueError, OverflowError):
            continue
        if days is not None:
            found.append(Moment(match[0], *days))
        if len(found) == MOST:
            break
    return found


def days_of(name: str) -> tuple[date, date]:
    """Return the first and the last day of a time by its name."""
    first, _, last = name.partition("/")
    if last:
        return date.fromisoformat(first), date.fromisoformat(last)
    year, month, day = (int(part) for part in f"{name}-0-0".split("-")[:3])
    if day:
        return date(year, month, day), date(year, month, day)
    if month:
        return date(year, month, 1), _end_of_month(date(year, month, 1))
    return date(year, 1, 1), date(year, 12, 31)


class _Looks(NamedTuple):
    hints: tuple[str, ...]
    all: re.Pattern[str]
    data: Mapping[str, Any]


@cache
def _looks() -> _Looks:
    data = tomllib.loads((files("recollect") / "moments.toml").read_text("utf-8"))
    words = {
        "WEEKDAYS": "|".join(data["weekdays"].split()),
        "MONTHS": "|".join(data["months"].split()),
        "COUNTS": "|".join(sorted(data["counts"], key=len, reverse=True)),
        "DAYS": "|".join(sorted(data["days"], key=len, reverse=True)),
    }
    parts = []
    for kind, look in data["looks"].items():
        for word, choices in words.items():
            look = look.replace(word, choices)  # noqa: PLW2901  # filled in step by step
        parts.append(f"(?P<{kind}>" + re.sub(r"\?P<(\w+)>", rf"?P<{kind}__\1>", look) + ")")
    return _Looks(tuple(data["hints"].split()), re.compile("|".join(parts), re.IGNORECASE), data)


def _read(match: re.Match[str], today: date, before: Moment | None) -> tuple[date, date] | None:
    kind = next(name for name in _READERS if match[name] is not None)
    parts = {
        name.split("__")[1]: value.lower()
        for name, value in match.groupdict().items()
        if value is not None and name.startswith(f"{kind}__")
    }
    return _READERS[kind](parts, today, before)


def _dated(parts: Mapping[str, str], today: date, _: Moment | None) -> tuple[date, date]:
    month = _month(parts["month"])
    day = int(parts["day"]) if "day" in parts else 0
    if "year" in parts:
        year = int(parts["year"])
    else:
        # Without a year the nearest one is meant.
        years = (today.year - 1, today.year, today.year + 1)
        year = min(years, key=lambda one: abs((date(one, month, min(day or 1, 28)) - today).days))
    if not day:
        return date(year, month, 1), _end_of_month(date(year, month, 1))
    return date(year, month, day), date(year, month, day)


def _named_month(parts: Mapping[str, str], today: date, _: Moment | None) -> tuple[date, date]:
    month = _month(parts["month"])
    year = today.year - (month > today.month)
    return date(year, month, 1), _end_of_month(date(year, month, 1))


def _named_year(parts: Mapping[str, str], _: date, __: Moment | None) -> tuple[date, date]:
    return date(int(parts["year"]), 1, 1), date(int(parts["year"]), 12, 31)


def _days_away(parts: Mapping[str, str], today: date, _: Moment | None) -> tuple[date, date]:
    day = today + timedelta(days=_looks().data["days"][" ".join(parts["name"].split())])
    return day, day


def _ago(parts: Mapping[str, str], today: date, _: Moment | None) -> tuple[date, date]:
    return _away(parts["unit"], -_count(parts["count"]), today)


def _ahead(parts: Mapping[str, str], today: date, _: Moment | None) -> tuple[date, date]:
    return _away(parts["unit"], _count(parts["count"]), today)


def _turn(parts: Mapping[str, str], today: date, _: Moment | None) -> tuple[date, date]:
    step = {"this": 0, "next": 1, "coming": 1}.get(parts["name"], -1)
    weekdays = _looks().data["weekdays"].split()
    if parts["unit"] in weekdays:
        return _weekday(today, weekdays.index(parts["unit"]), step)
    if parts["unit"] == "weekend":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
        return monday + timedelta(days=5), monday + timedelta(days=6)
    return _whole(parts["unit"], step, today)


def _on_weekday(parts: Mapping[str, str], today: date, _: Moment | None) -> tuple[date, date]:
    return _weekday(today, _looks().data["weekdays"].split().index(parts["weekday"]), -1)


def _beside(parts: Mapping[str, str], _: date, before: Moment | None) -> tuple[date, date] | None:
    """Return the time before or after the one that the text told last."""
    if before is None:
        return None
    step = -1 if parts["name"] == "before" else 1
    if parts["unit"] == "day":
        day = (before.first if step < 0 else before.last) + timedelta(days=step)
        return day, day
    return _whole(parts["unit"], step, before.first)


_READERS: Mapping[str, Callable[[Mapping[str, str], date, Moment | None], tuple[date, date] | None]] = {
    "iso": _dated, "dotted": _dated, "day_month": _dated, "month_day": _dated, "month_year": _dated,
    "days": _days_away, "ago": _ago, "ahead": _ahead, "turn": _turn, "weekday": _on_weekday,
    "named_month": _named_month, "named_year": _named_year, "before": _beside,
}  # fmt: skip


def _month(name: str) -> int:
    return int(name) if name.isdigit() else _looks().data["months"].split().index(name) + 1


def _count(said: str) -> int:
    return int(said) if said.isdigit() else int(_looks().data["counts"][" ".join(said.split())])


def _away(unit: str, count: int, today: date) -> tuple[date, date]:
    """Return the time so far away: a day is that day, a week or more is the whole of it."""
    if unit == "day":
        day = today + timedelta(days=count)
        return day, day
    return _whole(unit, count, today)


def _whole(unit: str, step: int, today: date) -> tuple[date, date]:
    if unit == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
        return monday, monday + timedelta(days=6)
    if unit == "month":
        months = today.year * 12 + today.month - 1 + step
        first = date(months // 12, months % 12 + 1, 1)
        return first, _end_of_month(first)
    return date(today.year + step, 1, 1), date(today.year + step, 12, 31)


def _weekday(today: date, weekday: int, step: int) -> tuple[date, date]:
    """Return the last, the next, or with no step the one of this week."""
    if step == 0:
        day = today + timedelta(days=weekday - today.weekday())
    elif step < 0:
        day = today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    else:
        day = today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
    return day, day


def _end_of_month(first: date) -> date:
    return first.replace(day=monthrange(first.year, first.month)[1])


def names(text: str, said: int) -> Iterator[str]:
    """Yield the times of a text as ISO 8601 writes them, each once."""
    yield from dict.fromkeys(moment.name for moment in find(text, said))
