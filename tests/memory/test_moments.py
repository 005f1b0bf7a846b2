from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.moments import days_of, find, names

MONDAY = int(datetime(2023, 5, 8, 13, 56, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 2026-05-08", ["2026-05-08"]),
        ("in 2026-05 we", ["2026-05"]),
        ("8 May 2023", ["2023-05-08"]),
        ("by 8.5.2023", ["2023-05-08"]),
        ("the 3rd of June", ["2023-06-03"]),
        ("December 30th", ["2022-12-30"]),
        ("May 2022", ["2022-05"]),
        ("yesterday and today", ["2023-05-07", "2023-05-08"]),
        ("the day before yesterday", ["2023-05-06"]),
        ("last night", ["2023-05-07"]),
        ("two days ago", ["2023-05-06"]),
        ("3 weeks ago", ["2023-04-17/2023-04-23"]),
        ("a month ago", ["2023-04"]),
        ("ten years ago", ["2013"]),
        ("in two months", ["2023-07"]),
        ("last week", ["2023-05-01/2023-05-07"]),
        ("next weekend", ["2023-05-20/2023-05-21"]),
        ("this year", ["2023"]),
        ("last Friday", ["2023-05-05"]),
        ("last Monday", ["2023-05-01"]),
        ("next Monday", ["2023-05-15"]),
        ("on Sunday", ["2023-05-07"]),
        ("since March", ["2023-03"]),
        ("in November", ["2022-11"]),
        ("since 2021", ["2021"]),
        ("yesterday; the day before that", ["2023-05-07", "2023-05-06"]),
        ("8 May 2022, the week after", ["2022-05-08", "2022-05-09/2022-05-15"]),
        ("the day before", []),
        ("2023-13-45 and 31 February 2023", []),
        ("may I march on the second day", []),
        ("version 2023 of it, Monday morning", []),
    ],
)  # fmt: skip
def test_times_are_read_as_they_were_meant_when_said(text, expected):
    assert list(names(text, MONDAY)) == expected


@given(st.text(), st.integers(min_value=-(10**12), max_value=10**14))
def test_no_text_and_no_day_is_too_odd(text, said):
    for moment in find(f"{text} yesterday 999 years ago last year {text}", said):
        assert moment.first <= moment.last
        assert days_of(moment.name) == (moment.first, moment.last)
