from dataclasses import replace

import pytest

from recollect.learn.log import MemoryLog
from recollect.learn.views import Views
from recollect.retrieve.ask import profile_for
from recollect.retrieve.query import Request
from recollect.retrieve.remembered import key_of, packed, stamp_of
from recollect.store.arc import ArcCache

TASK = "make the retry policy configurable"


class Watched:
    """A cache that counts what it is asked."""

    def __init__(self):
        self.inner = ArcCache()
        self.kept = 0

    def get(self, key):
        return self.inner.get(key)

    def put(self, key, value):
        self.kept += 1
        self.inner.put(key, value)


@pytest.fixture
def ask_packed(shop, around):
    cache = Watched()

    def asked(text=TASK, surroundings=None, overrides=None, **request):
        profile = profile_for("task", "knowing", overrides)
        return packed(shop, text, Request(**request), profile, surroundings or around, cache)

    return asked, cache


def test_the_same_question_is_answered_from_the_cache(ask_packed):
    ask, cache = ask_packed
    first = ask()
    assert ask() == first
    assert replace(ask(f"  {TASK} "), query_id="", items=()) == replace(first, query_id="", items=())
    assert cache.kept == 1


def test_names_in_another_case_are_another_question(ask_packed):
    ask, cache = ask_packed
    ask("RetryPolicy")
    ask("retrypolicy")
    assert cache.kept == 2


def test_another_budget_profile_or_filter_is_another_question(ask_packed):
    ask, cache = ask_packed
    ask()
    ask(budget=300)
    ask(overrides={"expand.walk.alpha": 0.5})
    ask(files=("a.py",))
    assert cache.kept == 4


def test_a_new_snapshot_makes_an_old_pack_stale(ask_packed, shop, around, monkeypatch):
    ask, cache = ask_packed
    before = stamp_of(shop, around)
    ask()
    monkeypatch.setattr(type(shop), "generation", lambda self: 99_999)
    assert stamp_of(shop, around) != before
    ask()
    assert cache.kept == 2


def test_a_cached_pack_is_still_filed_and_a_fresh_session_boost_bypasses_it(ask_packed, around):
    ask, _ = ask_packed
    views = Views(MemoryLog())
    learning = replace(around, learned=views)
    first = ask(surroundings=learning)
    ask(surroundings=learning, session="s")
    shown = [event for event in views._log.events() if event.kind == "shown"]
    assert len({event.query_id for event in shown}) == 2
    ask(surroundings=learning, session="s")
    assert views.touched("s", 1_000_000.0)
    assert first.items


def test_a_judgement_makes_an_old_pack_stale(ask_packed, around):
    ask, cache = ask_packed
    views = Views(MemoryLog())
    learning = replace(around, learned=views)
    pack = ask(surroundings=learning)
    kept = cache.kept
    views.judge(pack.query_id, [pack.items[0].hit.id], useful=True, now=1_000_000.0)
    ask(surroundings=learning)
    assert cache.kept == kept + 1


def test_damaged_bytes_are_no_answer(ask_packed):
    ask, cache = ask_packed
    profile = profile_for("task", "knowing")
    cache.inner.put(key_of(TASK, Request(), profile), b"\xff broken")
    assert ask().items
