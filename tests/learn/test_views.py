import pytest

from recollect.learn.detail import Detail, read_detail, write_detail
from recollect.learn.implicit import attributed, feedback, flushed, pending
from recollect.learn.log import MemoryLog
from recollect.learn.session import boost, session_boosts
from recollect.learn.usage import usage
from recollect.learn.views import Views
from recollect.learn.vocabulary import vocabulary
from recollect.ports import Event
from recollect.types import Item

DAY = 86400.0


def event(kind, item="a", query="q1", time=0.0, **detail):
    return Event(query, item, kind, time, write_detail(Detail(**detail)))


def item(number, name):
    return Item(id=f"c{number}", domain="code", kind="function", name=name, path="a.py", number=number)


def same(path):
    return "r1"


def test_usage_counts_what_was_selected_or_used_and_nothing_else():
    silent = [event(kind) for kind in ("shown", "retrieved", "discarded")]
    events = [event("used", time=0), event("selected", time=7 * DAY), *silent]
    assert usage(events, now=7 * DAY) == {"a": pytest.approx(1.5)}


@pytest.mark.parametrize(("minutes", "value"), [(0, 1.0), (3, 0.5), (6, 0.25), (9, 0.125)])
def test_one_touch_fades(minutes, value):
    assert boost([0.0], minutes * 60) == pytest.approx(value)


def test_touches_add_up_to_two_and_no_more():
    assert boost([0.0, 0.0], 0.0) == 2.0
    assert boost([0.0] * 9, 0.0) == 2.0


def test_only_the_last_twenty_touches_count():
    old = [0.0] * 100
    assert boost([*old, *[3600.0] * 20], 3600.0 + 180 * 5) == pytest.approx(20 * 2**-5)


def test_faint_boosts_are_dropped_and_sessions_kept_apart():
    kinds = frozenset({"shown"})
    events = [
        event("shown", "new", session="s", time=1000),
        event("shown", "old", session="s", time=0),
        event("shown", "other", session="t", time=1000),
        event("retrieved", "weak", session="s", time=1000),
    ]
    assert session_boosts(events, "s", 1000 + 180 * 3, kinds) == {"new": pytest.approx(0.125)}


def test_what_was_merely_retrieved_never_adds_weight():
    events = [event("retrieved", words=("retry",), root="r1")] * 50
    assert usage(events, 0.0) == {}
    assert feedback(events, "", same) == {}
    assert vocabulary(events, ["retry"], same) == {}


def test_an_item_with_only_bad_feedback_is_known_as_bad_not_as_unknown():
    assert feedback([event("discarded", root="r1")] * 3, "", same) == {"a": (0, 3)}


def test_feedback_expires_with_the_package():
    rows = [event("used", root="r0"), event("used", root="r1"), event("used")]
    assert feedback(rows, "", same) == {"a": (2, 0)}


def test_conclusions_count_for_their_cluster_and_words_of_a_person_for_all():
    rows = [event("discarded", cluster="k1", implicit=True), event("used", cluster="k1")]
    assert feedback(rows, "k1", same) == {"a": (1, 1)}
    assert feedback(rows, "k2", same) == {"a": (1, 0)}


def test_names_in_an_edit_are_credited_to_the_query_that_showed_them():
    shown = [event("shown", "c1", "q1", 100.0, words=("retry",)), event("shown", "c2", "q1", 100.0)]
    (used,) = attributed(
        shown, [item(1, "Client.send"), item(2, "wait")], "client.send(x); awaiting()", 200.0
    )
    assert (used.query_id, used.item_id, used.kind) == ("q1", "c1", "used")
    assert read_detail(used.detail).implicit


def test_after_ten_minutes_or_for_tiny_names_nothing_is_credited():
    shown = [event("shown", "c1", "q1", 0.0)]
    assert pending(shown, 600.0) == shown
    assert pending(shown, 601.0) == []
    assert attributed(shown, [item(1, "go")], "go", 1.0) == []
    assert attributed(shown, [item(1, "goa")], "goa", 1.0)


def test_what_was_shown_is_credited_once_and_again_when_it_is_shown_again():
    first, used = event("shown", "c1", "q1", 0.0), event("used", "c1", "q1", 5.0)
    assert pending([first, used], 10.0) == []
    again = event("shown", "c1", "q1", 20.0)
    assert pending([first, used, again], 30.0) == [again]


def test_only_answers_of_the_session_are_pending_when_one_is_named():
    rows = [event("shown", "c1", "q1", session="s"), event("shown", "c2", "q2", session="t")]
    assert pending(rows, 1.0, "s") == rows[:1]
    assert pending(rows, 1.0) == rows


def test_what_nobody_used_is_discarded_under_its_own_query_once():
    rows = [
        event(*row, session="s") for row in (("shown", "a", "q1"), ("shown", "b", "q1"), ("used", "a", "q1"))
    ]
    (lost,) = flushed(rows, 5.0, "s")
    assert (lost.query_id, lost.item_id, lost.kind) == ("q1", "b", "discarded")
    assert flushed([*rows, lost], 6.0, "s") == []
    (again,) = flushed([*rows, lost, event("shown", "b", "q1", 7.0, session="s")], 8.0, "s")
    assert again.item_id == "b"


def test_nothing_is_concluded_outside_of_a_session_or_of_another_one():
    assert flushed([event("shown", "a", "q1")], 5.0, "") == []
    assert flushed([event("shown", "a", "q1", session="t")], 5.0, "s") == []


def test_a_word_is_learned_for_what_was_used_for_it():
    rows = [
        event("used", "a", "q1", 1.0, words=("retry", "policy")),
        event("used", "a", "q2", 2.0, words=("retry",)),
        event("used", "b", "q1", 1.0, words=("retry",), root="r0"),
        event("shown", "c", words=("retry",)),
    ]
    assert vocabulary(rows, ["retry", "other"], same) == {"retry": {"a": 2}}


def test_unreadable_details_say_nothing():
    assert read_detail("{broken") == Detail()
    assert read_detail('{"words": 3}') == Detail()


class Question:
    id = "q9"
    session = "s"


def test_a_judgement_is_filed_under_its_query_with_what_was_shown():
    log = MemoryLog()
    log.add([event("shown", "a", "q1", words=("retry",), root="r1", cluster="k")])
    (said,) = Views(log).judge("q1", ["a"], useful=True, now=3.0)
    assert (said.query_id, said.kind) == ("q1", "used")
    detail = read_detail(said.detail)
    assert (detail.words, detail.root, detail.cluster, detail.implicit) == (("retry",), "r1", "k", False)
