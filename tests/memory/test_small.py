"""The small parts: times, signs, old schemas."""

from datetime import UTC, date, datetime, timedelta, timezone

import apsw
import pytest

from recollect.errors import UsageError
from recollect.memory.opened import OpenMemory
from recollect.memory.signs import signs
from recollect.memory.times import milliseconds, shown
from recollect.retrieve.recall.words import WANTED, asks_for
from recollect.store.memories import ASKS, NAMES, QUOTES, TELLS_NUMBER, TELLS_TIME, THIRDS
from recollect.store.sqlite import schema

NOON = 1_683_547_200_000


@pytest.mark.parametrize(
    "moment",
    [
        1_683_547_200, 1_683_547_200.0, "2023-05-08T12:00:00", "2023-05-08T12:00:00Z", "2023-05-08 14:00:00+02:00",
        "12 pm on 8 May, 2023", "May 8th, 2023 12:00 PM", datetime(2023, 5, 8, 12),
        datetime(2023, 5, 8, 12, tzinfo=UTC), datetime(2023, 5, 8, 7, tzinfo=timezone(timedelta(hours=-5))),
    ],
)  # fmt: skip
def test_a_point_in_time_can_be_written_in_many_ways(moment):
    assert milliseconds(moment, "created") == NOON


def test_a_whole_day_means_its_start_or_its_end():
    assert shown(milliseconds("2023-05-08", "since")) == "2023-05-08T00:00:00.000Z"
    assert shown(milliseconds(date(2023, 5, 8), "until", end=True)) == "2023-05-08T23:59:59.999Z"


@pytest.mark.parametrize("moment", ["", "soon", "31 February 2023", "2023-13-01", True])
def test_what_is_no_time_is_refused(moment):
    with pytest.raises(UsageError, match="no point in time"):
        milliseconds(moment, "created")


def test_times_before_1970_and_far_ahead_are_times():
    for text in ("1812-06-24T00:00:00.000Z", "9999-12-31T23:59:59.999Z"):
        assert shown(milliseconds(text, "created")) == text


def test_signs_of_a_text():
    assert signs("Shall we go?") == ASKS + 3 * THIRDS
    assert signs("We went there. And you?") == ASKS + THIRDS
    assert signs("We went last week") == TELLS_TIME
    assert signs("Was it on Monday?") == ASKS | TELLS_TIME | NAMES | 3 * THIRDS
    assert signs("There were seven of us") == TELLS_NUMBER
    assert signs("We moved to Lisbon") == NAMES
    assert signs('She read "the waves"') == QUOTES
    assert signs("We went for a while, the agony was short") == 0
    assert asks_for("What year was it?", "when")
    assert not asks_for("Whenever is whatever", "when")
    assert asks_for("How many were there?", "number")
    assert asks_for("Which city is it?", "name")
    assert asks_for("What is the book called?", "title")
    assert not any(asks_for("What did she do?", kind) for kind in WANTED)


def test_a_question_for_a_time_prefers_what_tells_one(memory):
    memory.remember_many(["We painted the kitchen and liked it", "We painted the kitchen last week"])
    assert memory.texts("When did we paint the kitchen?")[0].endswith("last week")


@pytest.mark.parametrize("old", [2])
def test_memories_of_an_older_schema_are_brought_along(tmp_path, monkeypatch, old):
    path = tmp_path / ".recollect" / "memory.db"
    path.parent.mkdir()
    connection = apsw.Connection(str(path))
    for number, text in schema.migrations():
        if number <= old:
            connection.execute(text)
    connection.pragma("user_version", old)
    connection.execute(
        "INSERT INTO memory (uid, kind, layer, priority, status, importance, trust, created, seen, words, asks, "
        "sketch, sketch_too, text) VALUES (1, 0, 2, 3, 0, 50, 100, 1, 1, 3, 1, 5, 6, 'tea for two?');"
        "INSERT INTO text_memory (rowid, text) VALUES (1, 'tea for two?')"
    )
    connection.close()
    memory = OpenMemory(path)
    assert [hit.text for hit in memory.recall("tea", 10, {}, None).hits] == ["tea for two?"]
    assert memory.check() == []
    memory.close()
    assert path.with_name(f"memory.db.v{old}.backup").exists()
