import pytest

from recollect.errors import UsageError
from recollect.memory.fading import keep_score, life, raise_score, retention, rules
from recollect.memory.hygiene import Wish
from recollect.ports import Event

DAY = 86_400


def row_of(memory, item):
    store, _ = memory.opened._open()
    with store.reader() as reader:
        from recollect.store.ids import uid_of

        return reader.memory(uid_of(item.id))


def use(memory, clock, item, times):
    """File that an item was of use."""
    memory.file_events(*[Event("q", item.id, "used", clock.now, "") for _ in range(times)])
    memory.file_events(*[Event("q", item.id, "retrieved", clock.now, "") for _ in range(50)])


def test_the_parts_of_a_score_add_up_to_one():
    names = ("recency", "frequency", "confirmation", "confidence", "staleness")
    for table in ("keep", "raise"):
        assert sum(rules()[table][name] for name in names) == pytest.approx(1)


@pytest.mark.parametrize(
    ("shape", "expected"), [("exponential", 0.5), ("huber", 0.4620), ("elastic", 0.3 * 0.5 + 0.7 * 0.5)]
)
def test_half_of_a_memory_is_left_after_a_half_life(memory, clock, shape, expected):
    one = life(row_of(memory, memory.remember("We retry")), (0, 0.0))
    then = one.row.created + 30 * DAY * 1000
    assert retention(one, one.row.created, shape) == 1
    assert retention(one, then, shape) == pytest.approx(expected, abs=1e-3)


def test_what_is_not_trusted_fades_three_times_as_fast(memory):
    one = life(row_of(memory, memory.remember("We retry", trust=0)), (0, 0.0))
    assert retention(one, one.row.created + 10 * DAY * 1000, "exponential") == pytest.approx(0.5, abs=1e-6)


def test_use_brings_back_at_most_three_tenths(memory):
    row = row_of(memory, memory.remember("We retry"))
    then = row.created + 1000 * DAY * 1000
    assert retention(life(row, (1, 0.0)), then) == pytest.approx(0.0693, abs=1e-4)
    assert retention(life(row, (10_000, 0.0)), then) == pytest.approx(0.3)


def test_an_unknown_shape_is_refused(memory):
    item = memory.remember("We retry")
    assert memory.opened.retention(item.id) == 1
    with pytest.raises(UsageError, match="exponential, huber, elastic"):
        memory.opened.retention(item.id, "square")


def test_what_was_only_shown_gains_nothing(memory, clock):
    item = memory.remember("We retry")
    store, _ = memory.opened._open()
    use(memory, clock, item, 3)
    with store.reader() as reader:
        assert [count for count, _ in reader.uses().values()] == [3]


def test_fresh_memories_are_kept(memory):
    memory.remember("We retry")
    done = memory.opened.clean(Wish(), None)
    assert (done.looked_at, done.archived, done.deleted) == (1, (), ())


def test_what_has_faded_is_put_away_and_comes_back_when_asked(memory, clock):
    item = memory.remember("We retry")
    pinned = memory.remember("We never retry writes", pinned=True)
    first = memory.remember("Retries are capped", priority="P1")
    used = memory.remember("Retries need jitter")
    clock.now += 120 * DAY
    use(memory, clock, used, 4)
    planned = memory.opened.clean(Wish(dry_run=True), None)
    assert [one["title"] for one in planned.archived] == ["We retry"]
    assert len(memory.recall("retry").hits) == 4
    done = memory.opened.clean(Wish(), None)
    assert [one["id"] for one in done.archived] == [item.id]
    assert done.protected == 2
    assert {hit.id for hit in memory.recall("retry").hits} == {pinned.id, first.id, used.id}
    assert memory.opened.history(item.id)[-1]["action"] == "archived"
    memory.opened.set_status(item.id, "active")
    assert item.id in {hit.id for hit in memory.recall("retry").hits}
    assert memory.opened.clean(Wish(), None).archived == ()


def test_what_has_expired_is_put_away_whatever_it_is_worth(memory, clock):
    memory.remember("We retry", expires=clock.now + 10)
    clock.now += 11
    (one,) = memory.opened.clean(Wish(), None).archived
    assert one["reason"] == "expired"


def test_at_most_a_hundred_go_at_once(memory, clock):
    memory.remember_many(f"note {at} of tea" for at in range(130))
    clock.now += 200 * DAY
    done = memory.opened.clean(Wish(), None)
    assert (len(done.archived), done.left) == (100, 30)
    assert len(memory.opened.clean(Wish(), None).archived) == 30


def test_only_what_was_put_away_long_ago_is_deleted(memory, clock, tmp_path):
    memory.remember("the xylophone is out of tune")
    by_hand = memory.remember("the piano is in tune")
    memory.opened.set_status(by_hand.id, "archived")
    clock.now += 200 * DAY
    assert len(memory.opened.clean(Wish(delete=True), None).archived) == 1
    for _ in range(9):
        assert memory.opened.clean(Wish(delete=True), None).deleted == ()
    clock.now += 31 * DAY
    planned = memory.opened.clean(Wish(dry_run=True, delete=True), None)
    assert len(planned.deleted) == 1
    assert memory.opened.clean(Wish(), None).deleted == ()
    assert memory.opened.clean(Wish(delete=True), None).deleted == planned.deleted
    assert not any(b"xylophone" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert memory.opened.get(by_hand.id).text


def test_pins_are_kept_in_history_and_exports(memory):
    item = memory.remember("We retry")
    assert memory.opened.pin(item.id)
    assert not memory.opened.pin(item.id)
    assert [row["pinned"] for row in memory.opened.export()] == [True]
    assert memory.opened.pin(item.id, pinned=False)
    assert [change["action"] for change in memory.opened.history(item.id)] == [
        "remembered",
        "pinned",
        "unpinned",
    ]


def test_what_was_learned_can_be_taken_back(memory, clock):
    item = memory.remember("We retry")
    use(memory, clock, item, 2)
    assert memory.opened.unlearn() == 52
    assert memory.opened.unlearn() == 0


def test_scores_lie_between_nothing_and_one(memory, clock):
    item = memory.remember("We retry", importance=1.0)
    one = life(row_of(memory, item)._replace(seen=100), (100, clock.now))
    assert keep_score(one, one.row.created) == pytest.approx(0.9)
    assert raise_score(one, one.row.created) == pytest.approx(0.8)
