"""Points in time as people, programs and exports write them; milliseconds since 1970 inside."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from recollect.errors import UsageError

Moment = str | float | int | date | datetime
"""What a caller may give; a text or value without a zone means UTC."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_WRITTEN = (
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+(?P<year>\d{{4}})\b", re.I),
    re.compile(rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})\b", re.I),
)
_CLOCK = re.compile(r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s*(?P<half>am|pm)\b", re.I)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def milliseconds(moment: Moment, name: str, end: bool = False) -> int:
    """Return a point in time; a whole day means its start, or with `end` its last millisecond."""
    if isinstance(moment, bool):
        raise _unreadable(moment, name)
    if isinstance(moment, int | float):
        return int(moment * 1000)
    if isinstance(moment, datetime):
        return _stamp(moment)
    whole_day = not isinstance(moment, str) or _DAY.fullmatch(moment.strip()) is not None
    found = (
        _read(moment, name) if isinstance(moment, str) else datetime(moment.year, moment.month, moment.day)
    )
    if end and whole_day:
        found += timedelta(days=1, milliseconds=-1)
    return _stamp(found)


def shown(stamp: int | None) -> str | None:
    """Return a point in time as ISO 8601 in UTC."""
    if stamp is None:
        return None
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=stamp)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _stamp(moment: datetime) -> int:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def _read(text: str, name: str) -> datetime:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        pass
    for pattern in _WRITTEN:
        found = pattern.search(text)
        if found:
            break
    else:
        raise _unreadable(text, name)
    hour, minute = _clock(text)
    month = _MONTHS.index(found["month"].lower()) + 1
    try:
        return datetime(int(found["year"]), month, int(found["day"]), hour, minute)
    except ValueError as error:
        raise _unreadable(text, name) from error


def _clock(text: str) -> tuple[int, int]:
    found = _CLOCK.search(text)
    if not found:
        return 0, 0
    hour = int(found["hour"]) % 12 + (12 if found["half"].lower() == "pm" else 0)
    return hour, int(found["minute"] or 0)


def _unreadable(moment: object, name: str) -> UsageError:
    return UsageError(
        f"{name} is no point in time: {moment!r}. Write 2026-05-08, 2026-05-08T13:56:00Z or seconds since 1970."
    )
