from dataclasses import replace

import pytest
from tests.retrieve.conftest import answer, around, names, shop, shop_folder  # noqa: F401

from recollect.learn.log import MemoryLog
from recollect.learn.views import Views

TASK = "make the retry policy configurable"


@pytest.fixture
def learning(around):  # noqa: F811
    views = Views(MemoryLog())
    return replace(around, learned=views), views


def later(around, seconds):  # noqa: F811
    return replace(around, clock=lambda: 1_000_000.0 + seconds)


def signals(found, name):
    return next(row.signals for row in found.candidates if found.items[row.number].name == name)


def test_what_was_shown_is_filed_and_boosts_the_same_session(learning, answer):  # noqa: F811
    around, views = learning  # noqa: F811
    first = answer(TASK, surroundings=around, session="s")
    assert {event.kind for event in views._log.events()} == {"shown"}
    assert {event.query_id for event in views._log.events()} == {first.query.id}
    again = answer("retry policy attempts", surroundings=later(around, 180), session="s")
    assert signals(again, "RetryPolicy")["session"] == pytest.approx(0.5)
    other = answer("retry policy attempts", surroundings=later(around, 180), session="t")
    assert "session" not in signals(other, "RetryPolicy")


def test_without_a_session_an_answer_changes_no_later_one(learning, answer):  # noqa: F811
    around, _ = learning  # noqa: F811
    first = answer(TASK, surroundings=around)
    again = answer(TASK, surroundings=later(around, 1))
    assert all("session" not in row.signals for row in again.candidates)
    assert [(row.number, row.score) for row in again.candidates] == [
        (row.number, row.score) for row in first.candidates
    ]


def test_what_was_ignored_is_marked_down_for_the_same_kind_of_question(learning, answer):  # noqa: F811
    around, views = learning  # noqa: F811
    first = answer(TASK, surroundings=around, session="s", budget=400)
    items = {entry.item.id: entry.item for entry in first.packed.entries}
    views.attribute(lambda ids: [items[one] for one in ids], "edit RetryPolicy here", 1_000_010.0, "s")
    answer("something else entirely", surroundings=later(around, 20), session="s")
    again = answer(TASK, surroundings=later(around, 30), session="z")
    assert signals(again, "RetryPolicy")["feedback"] == pytest.approx(0.25)
    ignored = next(e.item.name for e in first.packed.entries if e.item.name != "RetryPolicy")
    assert signals(again, ignored)["feedback"] == pytest.approx(-0.05)


def test_words_are_learned_from_use_and_lead_to_what_was_used(learning, answer, shop):  # noqa: F811
    around, views = learning  # noqa: F811
    question = "stubborn redelivery"
    (store,) = (item for item in shop.items_of("shop/orders/store.py") if item.name == "FileOrderStore")
    for number in range(3):
        found = answer(question + " again" * number, surroundings=around)
        views._log.add([])
        views.record(found.query, (), 0.0, lambda path: "")
        from recollect.learn.detail import Detail, write_detail
        from recollect.ports import Event

        detail = write_detail(Detail(store.path, "", "", ("stubborn", "redelivery")))
        views._log.add([Event(found.query.id, store.id, "used", float(number), detail)])
    found = answer("stubborn problems", surroundings=around)
    assert names(found)[0] == "FileOrderStore"
    assert 'it was used 3 times for "stubborn"' in found.candidates[0].reason
