import apsw
import pytest

from recollect.retrieve.outside import Statistics, share


def scores(rows):
    """Return the score of each text for a word, as full text gives it."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (body)")
    connection.executemany("INSERT INTO t (body) VALUES (?)", [(row,) for row in rows])
    return dict(connection.execute("SELECT rowid, -bm25(t) FROM t WHERE t MATCH 'send'"))


HERE = ["send mail", "read mail", "write mail", "send post", "keep mail", "lose mail", "find mail"]


@pytest.mark.parametrize("outside", [["open socket"], ["send socket", "open socket", "send datagram"]])
def test_a_word_weighs_what_it_would_if_the_names_outside_were_texts(outside):
    alone, together = scores(HERE), scores([*HERE, *outside])
    known = Statistics(len(outside), {"send": sum("send" in row for row in outside)})
    factor = share(known, '"send"', len(HERE), 2)
    assert {number: alone[number] * factor for number in alone} == pytest.approx(
        {number: together[number] for number in alone}
    )


def test_without_names_outside_nothing_changes():
    assert share(Statistics(0, {}), '"send"', 7, 2) == 1.0
    assert share(Statistics(3, {"send": 1}), '"send again"', 7, 2) == 1.0, "only single words have a rarity"
